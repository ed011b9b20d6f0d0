import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter, type SalesKind, type StoredRecord } from "../../archive/books/StoredRecord.ts"
import { Timestamp } from "../../kernel/Calendar.ts"
import { type CreditNoteId, OrganizationId } from "../../kernel/Ids.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import { Amount } from "../../kernel/Money.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { StoredCreditNote, storedCreditNoteSeal } from "../credit-notes/CreditNoteSeal.ts"
import { StoredInvoice, storedInvoiceSeal } from "../invoices/InvoiceSeal.ts"
import { paymentSeal, SealedPayment } from "../payments/PaymentSeal.ts"

const Deletable = { deleted_at: Schema.NullOr(Timestamp) }
const Parties = { printed_customer: Schema.NullOr(Schema.Json), printed_organization: Schema.NullOr(Schema.Json) }

const InvoiceRow = Schema.Struct({ ...StoredInvoice.fields, ...Parties, ...Deletable })
const CreditNoteRow = Schema.Struct({ ...StoredCreditNote.fields, ...Parties, ...Deletable })
const PaymentRow = Schema.Struct({ ...Struct.omit(SealedPayment.fields, ["deleted"]), ...Deletable })

/** Fields that can be read from every row, even when the rest of the row is invalid. */
const Identified = Schema.Struct({
  id: Schema.Int,
  number: Schema.NullOr(Schema.String),
  state: Schema.Literals(["numbered", "sealed", "void"]),
  is_balanced: Schema.Boolean
})

const NoteParts = Schema.Struct({ customer: Schema.Json, organization: Schema.Json, shares: Schema.Array(Amount) })

const columnsOf = (alias: string, names: ReadonlyArray<string>) => names.map((name) => `${alias}.${name}`).join(", ")

/** SQL condition: the `sales_entries` of a document equal the lines of its tax breakdown. */
const entered = (kind: "invoice" | "credit_note", alias: string, sign: "" | "-") => `
  not exists (
    select from (
      select line, country, rate, category, ${sign}taxable as taxable, ${sign}tax as tax
      from sales_lines(${alias}.tax_breakdown)
    ) told
    full join (
      select * from sales_entries s where s.organization_id = ${alias}.organization_id and s.date = ${alias}.issue_date
        and s.document = '${kind}' and s.document_id = ${alias}.id) kept
      on kept.line = told.line and kept.rate = told.rate and kept.category = told.category
        and kept.country is not distinct from told.country
        and kept.taxable = told.taxable and kept.tax = told.tax and kept.customer_id = ${alias}.customer_id
        and kept.currency = ${alias}.currency and kept.exchange_rate is not distinct from ${alias}.exchange_rate
        and kept.net = case kept.line when 1 then ${sign}${alias}.subtotal else 0 end
        and kept.rounding = case kept.line when 1 then ${sign}${alias}.rounding_adjustment else 0 end
    where told.line is null or kept.line is null)`

const invoices = `
  select i.id, i.number, i.deleted_at, ${columnsOf("i", Struct.keys(Struct.omit(StoredInvoice.fields, ["id", "number"])))},
    k.customer as printed_customer, k.organization as printed_organization,
    case when i.voided_at is not null then 'void' when i.issued_at is not null then 'sealed' else 'numbered' end as state,
    i.amount_credited = (select coalesce(sum(n.total), 0) from credit_notes n
        where n.organization_id = i.organization_id and n.invoice_id = i.id and n.sent_at is not null
          and n.deleted_at is null)
      and (i.amount_paid - i.prepaid_amount, i.amount_refunded) = (
        select coalesce(sum(p.amount) filter (where not p.is_prepayment), 0), coalesce(sum(p.refunded_amount), 0)
        from payments p
        where p.organization_id = i.organization_id and p.invoice_id = i.id and p.deleted_at is null)
      and (i.issued_at is null or ${entered("invoice", "i", "")}) as is_balanced
  from invoices i
  left join document_correspondents k on k.organization_id = i.organization_id and k.document = 'invoice'
    and k.document_id = i.id and i.issued_at is not null`
const isBookedInvoice = `(i.number is not null or i.issued_at is not null or i.voided_at is not null
  or i.amount_paid <> i.prepaid_amount or i.amount_credited <> 0)`

const credit_notes = `
  select n.id, n.number, n.deleted_at,
    ${columnsOf("n", Struct.keys(Struct.omit(StoredCreditNote.fields, ["id", "number", "shares"])))},
    to_jsonb(n.shares::text[]) as shares, k.customer as printed_customer, k.organization as printed_organization,
    case when n.sent_at is not null then 'sealed' else 'numbered' end as state,
    n.sent_at is null or ${entered("credit_note", "n", "-")} as is_balanced
  from credit_notes n
  left join document_correspondents k on k.organization_id = n.organization_id and k.document = 'credit_note'
    and k.document_id = n.id and n.sent_at is not null`
const isBookedNote = "(n.number is not null or n.sent_at is not null)"

const payments = `
  select p.id, null as number, p.deleted_at, 'sealed' as state, true as is_balanced,
    ${columnsOf("p", Struct.keys(Struct.omit(SealedPayment.fields, ["id", "refunds", "deleted"])))},
    (select coalesce(json_agg(json_build_object('id', r.id, 'amount', r.amount::text, 'reason', r.reason,
        'refund_date', r.refund_date, 'created_at', r.created_at) order by r.id), '[]')
      from payment_refunds r where r.organization_id = p.organization_id and r.payment_id = p.id
        and r.reversed_at is null) as refunds
  from payments p`

const sources: Readonly<Record<SalesKind, { readonly rows: string; readonly alias: string; readonly which: string }>> =
  {
    invoice: { rows: invoices, alias: "i", which: isBookedInvoice },
    credit_note: { rows: credit_notes, alias: "n", which: isBookedNote },
    payment: { rows: payments, alias: "p", which: "true" }
  }

/** Reads invoices, credit notes and payments, with their sealed fields as canonical JSON. */
export class SealedSalesRepo extends Context.Service<SealedSalesRepo>()("invoicing/billing/books/SealedSalesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const identify = Schema.decodeUnknownEffect(Identified)

    const stored = Effect.fnUntraced(function* (organization_id: OrganizationId, kind: SalesKind, row: object) {
      const { id, is_balanced: isBalanced, number, state } = yield* identify(row)
      const facts = state === "numbered" ? null : yield* factsOf[kind](organization_id, row)
      return { id, number, state, facts, isBalanced } satisfies StoredRecord
    })

    const part = Effect.fn("SealedSalesRepo.part")(function* (
      organization_id: OrganizationId,
      kind: SalesKind,
      { after, limit }: ListPart
    ) {
      const source = sources[kind]
      const alias = sql.literal(source.alias)
      const rows = yield* sql`
          ${sql.literal(source.rows)}
          where ${alias}.organization_id = ${organization_id} and ${sql.literal(source.which)} and ${alias}.id > ${after}
          order by ${alias}.id limit ${limit}`
      return yield* Effect.forEach(rows, (row) => stored(organization_id, kind, row))
    }, Effect.orDie)

    const counters = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Counter,
      execute: (organization_id) => sql`
          select document, series, next from document_counters
          where organization_id = ${organization_id} and document in ('invoice', 'credit_note')
          order by document, series`
    })

    const strayEntries = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ stray: Schema.Int }),
      execute: (organization_id) => sql`
          with summed as (
            select date, document, currency, coalesce(country, '') as country, rate, category, sum(taxable) as taxable,
              sum(tax) as tax, sum(net) as net, sum(rounding) as rounding, count(*) as entries,
              count(*) filter (where line = 1) as documents
            from sales_entries where organization_id = ${organization_id} and exchange_rate is null
            group by 1, 2, 3, 4, 5, 6),
          told as (
            select date, document, currency, country, rate, category, taxable, tax, net, rounding, entries, documents
            from sales_tallies where organization_id = ${organization_id}
              and (entries, documents, taxable, tax, net, rounding) is distinct from (0, 0, 0, 0, 0, 0))
          select count(*)::integer + (
            select count(*) from (
              (select * from summed except select * from told) union all
              (select * from told except select * from summed)) differing)::integer as stray
          from sales_entries s
          where s.organization_id = ${organization_id} and not exists (
            select from invoices i where s.document = 'invoice' and i.organization_id = s.organization_id
              and i.id = s.document_id and i.issue_date = s.date and i.issued_at is not null
            union all
            select from credit_notes n where s.document = 'credit_note' and n.organization_id = s.organization_id
              and n.id = s.document_id and n.issue_date = s.date and n.sent_at is not null)`
    })

    const decodeParts = Schema.decodeUnknownEffect(NoteParts)

    /**
     * Reads what is sealed with a credit note but is not a field of it: the printed parties, and the amounts that the
     * note takes from its invoice.
     */
    const noteParts = Effect.fn("SealedSalesRepo.noteParts")(function* (
      organization_id: OrganizationId,
      id: CreditNoteId
    ) {
      const [row] = yield* sql`
          select k.customer, k.organization, to_jsonb(n.shares::text[]) as shares
          from credit_notes n join document_correspondents k on k.organization_id = n.organization_id
            and k.document = 'credit_note' and k.document_id = n.id
          where n.organization_id = ${organization_id} and n.id = ${id}`
      return yield* decodeParts(row)
    }, Effect.orDie)

    return {
      part,
      ...traced("SealedSalesRepo", { counters }),
      strayEntries: Effect.fn("SealedSalesRepo.strayEntries")(
        strayEntries,
        Effect.map(({ stray }) => stray),
        Effect.orDie
      ),
      noteParts
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const readInvoice = Schema.decodeUnknownOption(InvoiceRow)
const readNote = Schema.decodeUnknownOption(CreditNoteRow)
const readPayment = Schema.decodeUnknownOption(PaymentRow)

/** Returns the sealed fields of a row as canonical JSON; null for a row that the service cannot have written. */
const factsOf: Readonly<
  Record<SalesKind, (organization_id: OrganizationId, row: object) => Effect.Effect<string | null>>
> = {
  invoice: Effect.fnUntraced(function* (organization_id, row) {
    const read = readInvoice(row)
    if (Option.isNone(read) || read.value.deleted_at !== null) return null
    const { printed_customer: customer, printed_organization: organization, ...facts } = read.value
    const parties = customer === null || organization === null ? null : { customer, organization }
    return yield* storedInvoiceSeal(organization_id, facts, parties)
  }),
  credit_note: Effect.fnUntraced(function* (organization_id, row) {
    const read = readNote(row)
    if (Option.isNone(read) || read.value.deleted_at !== null) return null
    const { printed_customer: customer, printed_organization: organization, ...facts } = read.value
    if (customer === null || organization === null) return null
    return yield* storedCreditNoteSeal(organization_id, facts, { customer, organization })
  }),
  payment: Effect.fnUntraced(function* (organization_id, row) {
    const read = readPayment(row)
    if (Option.isNone(read)) return null
    const { deleted_at, ...facts } = read.value
    return yield* paymentSeal(organization_id, { ...facts, deleted: deleted_at !== null })
  })
}
