import { BigDecimal, Context, Effect, Layer } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { spanned } from "../../platform/observability/Spanned.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { type Ingredients, IngredientsRepo } from "./IngredientsRepo.ts"
import { comingTo, type GrossLine, lineInput, netOf } from "./GrossLine.ts"
import type { Adjustment } from "./Adjustment.ts"
import type { AdjustmentsInput } from "./Adjusting.ts"
import { items_max, type LineItem, type LineItemInput } from "./LineItem.ts"
import { priced, pricedInput, ratesNamedBy, renewed, resolved, unknown_customer } from "./Pricing.ts"
import { type Adjustments, price, type ResolvedAdjustment, type ResolvedItem, type Totals } from "./Totals.ts"

type Customer = NonNullable<Ingredients["customer"]>

/** The lines of a document, with the customer and the currency that determine their prices. */
interface Lines<Item> {
  readonly customer_id: CustomerId
  readonly currency: CurrencyCode
  readonly items: ReadonlyArray<Item>
}
type Stored = Lines<LineItem> & Adjustments<Adjustment>
type Sent = Lines<LineItemInput> & AdjustmentsInput

export interface Begun {
  readonly id: number
  readonly customer: Customer
  readonly totals: Totals
}

/** A copy keeps the archived rates of its original, with which a new line could no longer be written. */
export type BegunCopy = Begun & { readonly has_archived_rates: boolean }

interface Rated extends Adjustments<ResolvedAdjustment> {
  readonly items: ReadonlyArray<ResolvedItem>
}
/** Chooses the tax rates of a copy: those of its original, or their present versions. */
type Rating = (original: Stored, found: Ingredients) => Rated

type Changed = Totals & { readonly customer: Customer }
type Document = "invoices" | "quotes"

/** Prices the lines of documents, with the tax rates and customers of the current organization. */
export class DocumentLines extends Context.Service<
  DocumentLines,
  {
    readonly begin: (document: Document, draft: Sent) => Effect.Effect<Begun, ValidationFailed, CurrentOrganization>
    /** Prices a new invoice of one line whose total equals its gross amount exactly. */
    readonly beginGross: (line: GrossLine) => Effect.Effect<Begun, ValidationFailed, CurrentOrganization>
    /** Prices a document with the lines and the tax rates of another one. */
    readonly copy: (
      document: Document,
      original: Stored
    ) => Effect.Effect<BegunCopy, ValidationFailed, CurrentOrganization>
    /** Prices a document with the lines of another one, and with the present versions of their tax rates. */
    readonly duplicate: (
      document: Document,
      original: Stored
    ) => Effect.Effect<BegunCopy, ValidationFailed, CurrentOrganization>
    /**
     * Reprices a document after changes. A line keeps the stored version of each rate that the request still lists; new
     * lines get the current rates. Lines that the request omits are repriced at their stored rates; discounts and
     * charges that it omits follow the lines.
     */
    readonly change: (
      document: Document,
      stored: Stored & { readonly customer: Customer },
      changes: Partial<Sent>
    ) => Effect.Effect<Partial<Changed>, ValidationFailed, CurrentOrganization>
    readonly append: (
      document: Document,
      stored: Stored,
      item: LineItemInput
    ) => Effect.Effect<Totals, ValidationFailed, CurrentOrganization>
  }
>()("invoicing/billing/lines/DocumentLines") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IngredientsRepo

      const find = Effect.fnUntraced(function* (
        document: Document,
        customer_id: CustomerId,
        items: number,
        tax_rate_ids: ReturnType<typeof ratesNamedBy> = []
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.find({ document, organization_id, customer_id, tax_rate_ids, items })
      })

      const begin = Effect.fnUntraced(function* (document: Document, draft: Sent) {
        const { charges, currency, customer_id, discounts, items } = draft
        const found = yield* find(document, customer_id, items.length, ratesNamedBy(items, discounts, charges))
        const totals = yield* pricedInput(draft, currency, found)
        return { id: found.id, customer: yield* requireCustomer(found), totals }
      }, spanned("DocumentLines.begin"))

      const beginGross = Effect.fn("DocumentLines.beginGross")(function* (line: GrossLine) {
        const inclusive = [lineInput(line, line.gross)]
        const found = yield* find("invoices", line.customer_id, 1, ratesNamedBy(inclusive))
        const customer = yield* requireCustomer(found)
        // The net price of the line can be computed only once its taxes are known.
        const [named] = yield* resolved(inclusive, found)
        const unit_price = netOf(line, named?.tax_rates ?? [])
        const totals = yield* pricedInput({ items: [lineInput(line, unit_price)] }, line.currency, found)
        return { id: found.id, customer, totals: yield* comingTo(totals, line) }
      })

      const copyWith = Effect.fnUntraced(function* (document: Document, original: Stored, rated: Rating) {
        const { charges, currency, customer_id, discounts, items } = original
        const named = [...items, ...discounts, ...charges].flatMap(({ tax_rates }) => tax_rates.map(({ id }) => id))
        const found = yield* find(document, customer_id, items.length, named)
        const customer = yield* requireCustomer(found)
        const copied = rated(withKeptAmounts(original), found)
        const totals = yield* priced(copied.items, currency, found.item_ids, copied)
        const has_archived_rates = !named.every((id) => found.rates.some((rate) => rate.id === id))
        return { id: found.id, customer, totals, has_archived_rates }
      })

      const copy = Effect.fn("DocumentLines.copy")((document: Document, original: Stored) =>
        copyWith(document, original, (original) => original)
      )

      const duplicate = Effect.fn("DocumentLines.duplicate")((document: Document, original: Stored) =>
        copyWith(document, original, renewed)
      )

      const change = Effect.fn("DocumentLines.change")(function* (
        document: Document,
        stored: Stored & { readonly customer: Customer },
        changes: Partial<Sent>
      ): Effect.fn.Return<Partial<Changed>, ValidationFailed, CurrentOrganization> {
        const { charges, currency, customer_id, discounts, items } = changes
        if (items !== undefined || discounts !== undefined || charges !== undefined) {
          const named = ratesNamedBy(items, discounts, charges)
          const found = yield* find(document, customer_id ?? stored.customer_id, items?.length ?? 0, named)
          const totals = yield* pricedInput(changes, currency ?? stored.currency, found, withKeptAmounts(stored))
          return { ...totals, customer: yield* requireCustomer(found) }
        }
        const customer =
          customer_id === undefined ? stored.customer : yield* requireCustomer(yield* find(document, customer_id, 0))
        if (currency === undefined) return { customer }
        const ids = stored.items.map((item) => item.id)
        return { customer, ...(yield* priced(stored.items, currency, ids, withKeptAmounts(stored))) }
      })

      const append = Effect.fn("DocumentLines.append")(function* (
        document: Document,
        stored: Stored,
        item: LineItemInput
      ) {
        const { currency, customer_id, items } = stored
        if (items.length >= items_max) return yield* ValidationFailed.of({ items: [tooMany] })
        const found = yield* find(document, customer_id, 1, ratesNamedBy([item]))
        const lines = [...items, ...(yield* resolved([item], found))]
        const ids = [...items.map(({ id }) => id), ...found.item_ids]
        return yield* priced(lines, currency, ids, withKeptAmounts(stored))
      })

      return DocumentLines.of({ begin, beginGross, copy, duplicate, change, append })
    })
  ).pipe(Layer.provide(IngredientsRepo.layer))
}

/**
 * Earlier versions of the service calculated a percentage also from lines with other exemption codes. A copy keeps the
 * amount of such a discount or charge, so that an invoice has the total of its accepted quote. A change keeps it, too,
 * because such a percentage may have no line left from which it could be calculated.
 */
const withKeptAmounts = (original: Stored): Stored => {
  const repriced = price(original.items, original.currency, original)
  const kept = (kind: keyof Adjustments<Adjustment>) =>
    original[kind].map((stored, index) => {
      const amount = stored.net_amount
      const again = repriced[kind][index]?.net_amount
      return again !== undefined && BigDecimal.equals(again, amount) ? stored : { ...stored, amount, percentage: null }
    })
  return { ...original, discounts: kept("discounts"), charges: kept("charges") }
}

const tooMany = `The items field may not have more than ${items_max} entries.`

const requireCustomer = ({ customer }: Ingredients) =>
  customer === null ? Effect.fail(ValidationFailed.of({ customer_id: [unknown_customer] })) : Effect.succeed(customer)
