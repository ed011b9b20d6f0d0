import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, expect } from "vitest"
import type { Settings } from "../../src/platform/config/AppConfig.ts"
import type { Parts } from "./App.ts"
import { type Books, useBilling } from "./Billing.ts"
import { verifiedAuditLog } from "./AuditLog.ts"
import type { SeedOptions } from "./database/Seed.ts"

export const useExpenses = (settings: Partial<Settings> = {}, parts?: Parts) => {
  const { app, open } = useBilling(settings, parts)
  afterAll(() => app.run(verifyBilled))
  return {
    app,
    open: async (options: SeedOptions = {}) => {
      const books = await open(options)
      return { ...books, ...spending(books) }
    },
    /** Returns the actions and events of an expense, from a verified audit chain. */
    historyOf: async (organization_id: number, id: number) => {
      const { entries, events } = await app.run(verifiedAuditLog(organization_id))
      return {
        actions: entries.flatMap(({ action, data }) => (data["expense_id"] === id ? [action] : [])),
        events: events.filter(({ data }) => data.object === "expense" && data.id === id)
      }
    }
  }
}

/** Checks that the invoice of each billed or linked expense exists, and that it has the line of the billed expense. */
const verifyBilled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  expect(
    yield* sql`
    select e.id from expenses e join invoices i on i.id = e.billed_invoice_id
    where i.deleted_at is not null or i.voided_at is not null or e.deleted_at is not null
      or not exists (select 1 from jsonb_array_elements(i.items) l where (l ->> 'id')::bigint = e.billed_item_id)`
  ).toEqual([])
  expect(
    yield* sql`
    select e.id from expenses e join invoices i on i.id = e.linked_invoice_id where i.deleted_at is not null or i.voided_at is not null`
  ).toEqual([])
})

/** Returns a valid body of an expense of 118.40 EUR, without any statement about tax. */
export const expenseBody = (changes: object = {}) => ({
  expense_date: "2026-02-27",
  category: "meals",
  amount: 118.4,
  currency: "EUR",
  description: "Lunch",
  ...changes
})

const spending = (books: Books) => {
  const expense = (id: number) => books.made("GET", `/expenses/${id}`)
  const spent = (changes: object = {}) => books.made("POST", "/expenses", expenseBody(changes))
  const act = ({ id }: { readonly id: number }, action: string, given?: object) =>
    books.call("POST", `/expenses/${id}/${action}`, given)
  /** Creates an expense and the draft that bills it. */
  const billed = async (changes: object = {}) => {
    const [draft, { id }] = [await books.draft(), await spent(changes)]
    const { id: invoice_id } = draft
    return {
      draft,
      expense: await books.made("POST", `/expenses/${id}/convert-to-invoice-item`, { invoice_id })
    }
  }
  return { expense, spent, act, billed }
}

export type ExpenseBooks = Awaited<ReturnType<ReturnType<typeof useExpenses>["open"]>>
