import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Books, line } from "../support/Billing.ts"
import { AnyAdjustments, AnyDetails } from "../support/RandomDetails.ts"
import { useExpenses } from "../support/Expenses.ts"

const { app, open } = useExpenses()

const sql = <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, use))

const rates = [21, 6, 12, 10, 0]

/** Books with tax rates; `retire` archives one of them and changes another one to 9 %. */
const openTaxed = async () => {
  const books = await open({ rates })
  const [standard = 0, reduced = 0, archived = 0, changed = 0, zero = 0] = books.tax_rate_ids
  const retire = () =>
    sql(
      (sql) => sql`
        update tax_rates set archived_at = case when id = ${archived} then now() end, is_default = id = ${reduced},
          rate = case when id = ${changed} then 9 else rate end
        where organization_id = ${books.id}`
    )
  return { books, retire, ids: { standard, reduced, archived, changed, zero } }
}
type Ids = Awaited<ReturnType<typeof openTaxed>>["ids"]

const Taxes = fc.constantFrom<(ids: Ids) => object>(
  () => ({}),
  () => ({ tax_exempt: true }),
  () => ({ tax_exempt: true, tax_exemption_reason: "AE" }),
  ({ reduced }) => ({ tax_rate_ids: [reduced] }),
  ({ archived }) => ({ tax_rate_ids: [archived] }),
  ({ changed }) => ({ tax_rate_ids: [changed] }),
  ({ zero }) => ({ tax_rate_ids: [zero] }),
  ({ changed, reduced }) => ({ tax_rate_ids: [changed, reduced] }),
  ({ archived, zero }) => ({ tax_rate_ids: [zero, archived] })
)

const Line = fc.record({
  taxes: Taxes,
  unit_price: fc.integer({ min: 100, max: 9_999_999 }).map((cents) => cents / 100),
  quantity: fc.integer({ min: 1_000, max: 99_999 }).map((thousandths) => thousandths / 1000),
  unit: fc.constantFrom("hour", "HUR", "C62", "kg", "SET", "m²", "day", "MTK"),
  // At least 10 % of a line remains, so that the discounts on the document do not exceed the sum of the lines.
  discount: fc.integer({ min: 0, max: 90 }),
  description: fc.constantFrom("Consulting", "Line 1\nLine 2", "ünï ")
})

/** Changes of one field each, as a client makes them in a document that it has received. */
const changes: Readonly<Record<string, (document: Answered) => Answered>> = {
  nothing: (document) => document,
  notes: (document) => ({ ...document, notes: "Changed" }),
  terms: (document) => ({ ...document, terms: null }),
  issue_date: (document) => ({ ...document, issue_date: "2026-02-28" }),
  last_day: (document) => ({ ...document, due_date: "2999-04-01", valid_until: "2999-04-01" }),
  description: (document) => withFirst(document, { description: "Changed" }),
  quantity: (document) => withFirst(document, { quantity: 7.5 }),
  unit: (document) => withFirst(document, { unit: "DAY" }),
  unit_price: (document) => withFirst(document, { unit_price: 1.234567 }),
  discount: (document) => withFirst(document, { discount: 50 }),
  discount_type: (document) => withFirst(document, { discount: 0.5, discount_type: "amount" })
}

interface Item {
  readonly [field: string]: unknown
  readonly tax_rates: ReadonlyArray<Readonly<Record<string, unknown>>>
}
interface Answered {
  readonly [field: string]: unknown
  readonly items: ReadonlyArray<Item>
}

const withFirst = (document: Answered, changed: object): Answered => ({
  ...document,
  items: document.items.map((item, index) => (index === 0 ? { ...item, ...changed } : item))
})

const totals = "subtotal discount_total charge_total tax_total total balance_due tax_breakdown discounts charges".split(
  " "
)
const amounts = ["line_subtotal", "discount_amount", "line_total", "tax_amount", "taxable_amount"]

const without = (record: Readonly<Record<string, unknown>>, fields: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)))

/** Returns all fields except `updated_at` and `version`, which every write changes. */
const lasting = (document: Answered) => without(document, ["updated_at", "version"])

/** Returns the same fields as `lasting`, except the amounts that are derived from other fields. */
const written = (document: Answered) => ({
  ...without(lasting(document), totals),
  items: document.items.map((item) => ({
    ...without(item, amounts),
    tax_rates: item.tax_rates.map((rate) => without(rate, amounts))
  }))
})

const Edits = fc.array(
  fc.record({
    kind: fc.constantFrom("invoices", "quotes"),
    lines: fc.array(Line, { minLength: 1, maxLength: 4 }),
    details: AnyDetails,
    discounts: AnyAdjustments,
    charges: AnyAdjustments,
    change: fc.constantFrom(...Object.keys(changes))
  }),
  { minLength: 25, maxLength: 25 }
)
type Edit = typeof Edits extends fc.Arbitrary<ReadonlyArray<infer Of>> ? Of : never

const put = async (books: Books, path: string, body: unknown): Promise<Answered> => {
  const answer = await books.call("PUT", path, body)
  expect([answer.status, answer.body.errors ?? answer.body.code]).toEqual([200, undefined])
  return books.made("GET", path)
}
const drafted = (books: Books, ids: Ids, { charges, details, discounts, kind, lines }: Edit) => {
  // A percentage needs lines to apply to, so each discount or charge gets the taxes of one of the lines.
  const adjusted = (given: Edit["discounts"]) =>
    given.map(({ description, of }, index) => {
      const taxes = lines[index % lines.length]?.taxes(ids) ?? {}
      const named = Object.keys(taxes).length === 0 ? { tax_rate_ids: [ids.standard] } : taxes
      return { description, ...of, ...named }
    })
  const items = lines.map(({ taxes, unit_price, ...rest }) => line(unit_price, { ...rest, ...taxes(ids) }))
  return books.made(
    "POST",
    `/${kind}`,
    books.body({
      items,
      terms: "30 days",
      valid_until: "2999-03-31",
      ...details,
      discounts: adjusted(discounts),
      charges: adjusted(charges)
    })
  )
}

describe("a document that is answered, changed in one field and sent back", () => {
  it("is changed in nothing else, whatever the rates of its lines, even if they changed", async () => {
    await fc.assert(
      fc.asyncProperty(Edits, async (edits) => {
        const { books, ids, retire } = await openTaxed()
        const documents = []
        for (const edit of edits) documents.push({ edit, id: (await drafted(books, ids, edit)).id })
        await retire()
        for (const { edit, id } of documents) {
          const path = `/${edit.kind}/${id}`
          const before: Answered = await books.made("GET", path)
          for (const item of before.items)
            expect(item["tax_rate_ids"]).toEqual(item.tax_rates.map((rate) => rate["id"]))
          const sent = changes[edit.change]?.(before) ?? before
          const after = await put(books, path, sent)
          expect(written(after)).toEqual(written(pickLike(before, sent)))
          // A document that is sent back unchanged stays the same, including its amounts.
          expect(lasting(await put(books, path, before))).toEqual(lasting(before))
        }
      }),
      { numRuns: 3, endOnFailure: true }
    )
  })

  it("keeps the tax of a line from a time without a default rate", async () => {
    const books = await open({ rates: [] })
    const draft = await books.draft()
    await sql(
      (sql) => sql`
        insert into tax_rates (organization_id, name, rate, category, is_default)
        values (${books.id}, 'VAT 21%', 21, 'S', true)`
    )
    const { items, total } = await books.made("PUT", `/invoices/${draft.id}`, withFirst(draft, { quantity: 2 }))
    expect([items[0].tax_rates, total]).toEqual([[], 200])
    const added = await books.made("PUT", `/invoices/${draft.id}`, { items: [...items, line(100)] })
    expect([added.total, added.items[0].id]).toEqual([321, draft.items[0].id])
  })
})

/** Replaces the fields that `sent` has, except those that the document lacks, such as `valid_until` of an invoice. */
const pickLike = (document: Answered, sent: Answered): Answered => ({
  ...document,
  ...Object.fromEntries(Object.entries(sent).filter(([field]) => field in document)),
  items: sent.items
})

/** Creates a record of each kind that PUT changes, also in states that lock it. */
const records = async (books: Books): Promise<ReadonlyArray<string>> => {
  const { customer_id, id, made, owner, tax_rate_ids } = books
  await made("PUT", `/customers/${customer_id}`, {
    country: "BE",
    billing_subdivision_code: "BE-VOV",
    language: "nl",
    einvoicing_identifier_scheme: "0208",
    einvoicing_identifier_value: "0202239951"
  })
  await made("PUT", `/organizations/${id}`, {
    subdivision_code: "BE-VAN",
    settings: [{ key: "payment_iban", value: "BE68539007547034" }]
  })
  const contact = await made("POST", "/contacts", { customer_id, name: "Els", is_primary: true })
  const items = [line(100, { tax_rate_ids: [tax_rate_ids[1], tax_rate_ids[4]], unit: "hour", discount: 5 })]
  const draft = await books.draft({ items, exchange_rate: 1.25, currency: "USD" })
  const { invoice, payment } = await books.paid({ items })
  const open_one = await books.issued({ items })
  const refunded = await books.pay(open_one, 10)
  await made("POST", `/payments/${refunded.id}/refund`, { amount: 1 })
  const credited = await books.issued({ items })
  const note = await made("POST", "/credit-notes", { invoice_id: credited.id, amount: credited.total, reason: "All" })
  await made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
  const asked = [{ amount: 12.34 }, { items: [{ invoice_item_id: open_one.items[0].id, quantity: 0.4 }] }]
  const drafts = asked.map((part) =>
    made("POST", "/credit-notes", { invoice_id: open_one.id, reason: "Part", ...part })
  )
  const notes = [note, ...(await Promise.all(drafts))]
  const quote = await made("POST", "/quotes", books.body({ items, valid_until: "2999-03-31" }))
  const spent = { expense_date: "2026-03-01", category: "meals", amount: 121, currency: "EUR", description: "Lunch" }
  const tax = { tax_rates: [{ rate: 21, taxable_amount: 100, tax_amount: 21 }], is_vat_deductible: true }
  const expense = await made("POST", "/expenses", { ...spent, ...tax })
  const paid = await made("POST", "/expenses", spent)
  await made("POST", `/expenses/${paid.id}/mark-paid`)
  const webhook = await made("POST", "/webhooks", { url: "https://hooks.example.com", events: ["*"] })
  const rule = await made("POST", "/bank-rules", {
    name: "Fees",
    conditions: [
      { type: "amount_between", min: 1, max: 2.5 },
      { field: "remittance", operator: "contains", value: "frais", negate: true }
    ],
    actions: { category: "bank_fees", tax_rate_ids: [tax_rate_ids[2]], vat_deductible_percentage: 50 }
  })
  return [
    `/customers/${customer_id}`,
    `/organizations/${id}`,
    `/contacts/${contact.id}`,
    ...[draft, invoice, open_one, credited].map((of) => `/invoices/${of.id}`),
    ...[payment, refunded].map((of) => `/payments/${of.id}`),
    ...notes.map((of) => `/credit-notes/${of.id}`),
    `/quotes/${quote.id}`,
    `/expenses/${expense.id}`,
    `/expenses/${paid.id}`,
    `/webhooks/${webhook.id}`,
    `/bank-rules/${rule.id}`,
    `/organizations/${id}/users/${owner.id}`
  ]
}

/** Sets fields to null where null stands for the value that the record has. */
const withNulls = (record: Answered) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, nullable.test(name) ? null : value]))
const nullable = /^(?:metadata|discounts|charges|prepaid_amount|credit_type|direction|auto_add|priority)$/

describe("an answer of GET that is sent unchanged to PUT", () => {
  it("is 200, changes nothing and is not audited, for every kind and in every state but that of a locked quote", async () => {
    const { books, retire } = await openTaxed()
    const paths = await records(books)
    await retire()
    const stored = async (path: string): Promise<Answered> => {
      const users = path.indexOf("/users/")
      if (users === -1) return books.made("GET", path)
      const members = await books.made("GET", path.slice(0, users + "/users".length))
      return members.find(({ id }: { readonly id: number }) => path.endsWith(`/${id}`))
    }
    const audited = () =>
      sql((sql) => sql`select max(seq) as last from audit_entries where organization_id = ${books.id}`)
    for (const path of paths) {
      const [record, last] = [await stored(path), await audited()]
      for (const sent of [record, withNulls(record)]) {
        const answer = await books.call("PUT", path, sent)
        expect([path, answer.status, answer.body.errors ?? answer.body.code]).toEqual([path, 200, undefined])
        expect([path, await stored(path), await audited()]).toEqual([path, record, last])
      }
    }
  })

  it("is still refused if a locked record or a fixed field is changed, and writes nothing", async () => {
    const books = await open()
    const { id, made } = books
    const { invoice, payment } = await books.paid()
    const quote = await made("POST", "/quotes", books.body({ valid_until: "2999-03-31" }))
    await made("POST", `/quotes/${quote.id}/mark-accepted`)
    const refusals = [
      [`/invoices/${invoice.id}`, { notes: "late" }, 422, "invoice_locked"],
      [`/invoices/${invoice.id}`, { items: [{ ...invoice.items[0], quantity: 2 }] }, 422, "invoice_locked"],
      [`/invoices/${invoice.id}`, { number: "INV-1" }, 422, "validation_failed"],
      [`/invoices/${invoice.id}`, { status: "sent" }, 422, "validation_failed"],
      [`/quotes/${quote.id}`, { terms: "late" }, 409, "quote_locked"],
      [`/quotes/${quote.id}`, { status: "draft" }, 409, "quote_locked"],
      [`/payments/${payment.id}`, { amount: 120.99 }, 422, "validation_failed"],
      [`/organizations/${id}`, { country: "FR" }, 422, "validation_failed"]
    ] as const
    for (const [path, changed, status, code] of refusals) {
      const before = await made("GET", path)
      const answer = await books.call("PUT", path, { ...before, ...changed })
      expect([path, answer.status, answer.body.code]).toEqual([path, status, code])
      expect(await made("GET", path)).toEqual(before)
    }
  })
})
