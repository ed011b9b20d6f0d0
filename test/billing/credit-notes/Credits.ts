import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import type { Answer } from "../../support/App.ts"
import { type Books, line } from "../../support/Billing.ts"

interface Identified {
  readonly id: number
}

const body = (invoice: Identified, amount: number | string, changes: object = {}) => ({
  invoice_id: invoice.id,
  amount,
  reason: "Returned goods",
  ...changes
})

/** Three lines: 3 hours with a discount and 21 % tax, 2.5 days with 6 % tax, and a line exempt from tax. */
export const soldLines = ({ tax_rate_ids }: Pick<Books, "tax_rate_ids">) => [
  line(19.99, { quantity: 3, unit: "hour", discount: 10 }),
  line(40, { quantity: 2.5, unit: "day", tax_rate_ids: [tax_rate_ids[1]], description: "Training" }),
  line(100, { tax_exempt: true, description: "Insurance" })
]

export interface SoldInvoice extends Identified {
  readonly items: ReadonlyArray<Identified>
}

export const idOf = (invoice: SoldInvoice, place: number) => invoice.items[place]?.id

export const by = (invoice: SoldInvoice, place: number, asked: object) => ({
  invoice_item_id: idOf(invoice, place),
  ...asked
})

export const made = ({ body, status }: Answer) => {
  expect([status, body.errors]).toEqual([201, undefined])
  return body.data
}

export const errorsOf = ({ body, status }: Answer) => {
  expect(status).toBe(422)
  return body.errors ?? body.code
}

export const both = "The items field may not be given together with an amount."

export const creditsOf = (books: Pick<Books, "call" | "made">) => {
  const lines = (invoice: Identified, items: ReadonlyArray<object>, changes: object = {}): Promise<Answer> =>
    books.call("POST", "/credit-notes", { invoice_id: invoice.id, items, reason: "Returned goods", ...changes })
  const ask = (invoice: Identified, amount: number | string, changes: object = {}): Promise<Answer> =>
    books.call("POST", "/credit-notes", body(invoice, amount, changes))
  const draft = (invoice: Identified, amount: number | string, changes: object = {}) =>
    books.made("POST", "/credit-notes", body(invoice, amount, changes))
  const send = (note: Identified, given?: object): Promise<Answer> =>
    books.call("POST", `/credit-notes/${note.id}/send`, given)
  const note = (id: number) => books.made("GET", `/credit-notes/${id}`)
  return { body, ask, lines, draft, send, note }
}

/** For each kind of document, by its path, a function that creates a draft. */
export const drafts = {
  invoices: (books: Books) => books.draft(),
  quotes: (books: Books) => books.made("POST", "/quotes", { ...books.body(), valid_until: "2999-03-31" }),
  "credit-notes": async (books: Books) => creditsOf(books).draft(await books.issued(), 21)
}

/**
 * Checks the credit notes of all organizations. Their numbers have no gaps or duplicates. Their totals equal the sums
 * of their lines, of their tax groups and of their `shares`. No line is credited beyond its amount. The credited amount
 * of an invoice is the sum of its sent credit notes.
 */
export const verifyCredits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  expect(
    yield* sql`
    select c.organization_id, c.series, c.next - 1 as taken, count(n.id) from document_counters c
    left join credit_notes n on n.organization_id = c.organization_id and n.number is not null
      and extract(year from n.issue_date)::text = c.series
    where c.document = 'credit_note' group by c.organization_id, c.series, c.next
    having count(n.id) <> c.next - 1 or coalesce(max(n.sequence), 0) <> c.next - 1`
  ).toEqual([])
  expect(
    yield* sql`
    select i.id from invoices i, lateral (
      select coalesce(sum(total) filter (where sent_at is not null), 0) as sent, coalesce(sum(total), 0) as noted
      from credit_notes n where n.organization_id = i.organization_id and n.invoice_id = i.id and n.deleted_at is null) s
    where i.amount_credited <> s.sent or s.noted > i.total`
  ).toEqual([])
  expect(
    yield* sql`
    select n.id from credit_notes n
      join invoices i on i.organization_id = n.organization_id and i.id = n.invoice_id,
      lateral (select sum((l ->> 'tax_amount')::numeric) as tax, sum((l ->> 'line_total')::numeric) as net
        from jsonb_array_elements(n.items) l) lines,
      lateral (select sum((g ->> 'tax_amount')::numeric) as tax from jsonb_array_elements(n.tax_breakdown) g) groups
    where lines.tax <> n.tax_total or groups.tax <> n.tax_total or lines.net <> n.subtotal
      or n.total <> n.subtotal + n.tax_total + n.rounding_adjustment
      or (i.discounts = '[]' and i.charges = '[]' and n.total <> (
        select sum(share) from unnest(n.shares[:cardinality(n.shares) - 3 * jsonb_array_length(i.items)]) share))`
  ).toEqual([])
  expect(
    yield* sql`
    select i.id, place from invoices i, generate_series(1, jsonb_array_length(i.items)) place, lateral (
      select sum(n.shares[first]) as quantity, sum(n.shares[first + 1] + n.shares[first + 2]) as net
      from credit_notes n,
        lateral (select cardinality(n.shares) - 3 * (jsonb_array_length(i.items) - place) - 2 as first) at
      where n.organization_id = i.organization_id and n.invoice_id = i.id and n.deleted_at is null) credited
    where i.discounts = '[]' and i.charges = '[]' and (credited.quantity > (i.items -> (place - 1) ->> 'quantity')::numeric
      or abs(credited.net) > abs((i.items -> (place - 1) ->> 'line_total')::numeric))`
  ).toEqual([])
})
