import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { ExpenseFindings } from "../../src/expenses/Expense.ts"
import { Expenses } from "../../src/expenses/Expenses.ts"
import { TimeZone } from "../../src/kernel/Calendar.ts"
import { CountryCode } from "../../src/kernel/Country.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { ExpenseId, OrganizationId, TokenId } from "../../src/kernel/Ids.ts"
import { OrganizationSettings } from "../../src/kernel/OrganizationSettings.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../src/platform/http/Security.ts"
import { type ExpenseBooks, useExpenses } from "../support/Expenses.ts"

const { app, historyOf, open } = useExpenses()
let books: ExpenseBooks

beforeAll(async () => {
  books = await open()
})

const decode = Schema.decodeEffect(ExpenseFindings)
const settings = Schema.decodeSync(OrganizationSettings)({})

/** Enriches an expense as a job does: for an organization, without a caller. Returns the conflicts. */
const enrich = (id: number, receipt: typeof ExpenseFindings.Encoded, organization = books.id) =>
  app.run(
    Effect.gen(function* () {
      const expenses = yield* Expenses
      const findings = yield* decode(receipt)
      return (yield* expenses.enrich(ExpenseId.make(id), findings)).conflicts
    }).pipe(
      Effect.provide(Expenses.layer),
      Effect.provideService(CurrentOrganization, {
        id: OrganizationId.make(organization),
        name: "Acme",
        country: CountryCode.make("BE"),
        currency: CurrencyCode.make("EUR"),
        timezone: TimeZone.make("Europe/Brussels"),
        language: "en",
        settings,
        currency_in_use: true,
        plan: "standard",
        archived: false,
        role: null
      }),
      Effect.provideService(CurrentPrincipal, {
        token_id: TokenId.make(1),
        kind: "organization",
        user_id: null,
        client_id: null,
        scopes: new Set<string>(),
        bound_organization_id: null,
        actor: "system"
      })
    )
  )

const receipt = {
  expense_date: "2026-02-27",
  vendor: "Café Zürich",
  amount: "118.40",
  tax_amount: "20.55",
  currency: "EUR",
  category: "meals",
  description: "Lunch",
  reference: "T-0091",
  payment_method: "card",
  tax_rates: [{ rate: "21", taxable_amount: "97.85", tax_amount: "20.55" }]
}

describe("the enrichment of an expense", () => {
  it("fills empty fields, with a new version, an audit entry and an event", async () => {
    const expense = await books.spent()
    const receipt_path = "receipts/7/2026/03/7b0e6c7e.pdf"
    expect(await enrich(expense.id, { ...receipt, receipt_path })).toEqual([])
    const { payment_method, reference, vendor } = receipt
    const tax_rates = [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }]
    expect(await books.expense(expense.id)).toEqual({
      ...expense,
      payment_method,
      reference,
      vendor,
      receipt_path,
      tax_rates,
      tax_amount: 20.55,
      net_amount: 97.85,
      non_deductible_tax_amount: 20.55,
      version: 2,
      updated_at: expect.any(String)
    })
    const { actions, events } = await historyOf(books.id, expense.id)
    expect([actions, events.length]).toEqual([["expense.created", "expense.enriched"], 2])
    const found = await books.call("GET", "/expenses?vendor=zurich")
    expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([expense.id])
  })

  it("keeps existing values, reports differences, and keeps the version when nothing was filled", async () => {
    const written = {
      vendor: "Bäckerei",
      tax_amount: 7,
      tax_rates: [{ rate: 7, taxable_amount: 100, tax_amount: 7 }],
      payment_method: "cash",
      reference: "R-1"
    }
    const expense = await books.spent({ ...written, category: "travel", expense_date: "2026-01-01" })
    const conflicts = await enrich(expense.id, receipt)
    const fields = ["expense_date", "category", "vendor", "payment_method", "reference", "tax_amount", "tax_rates"]
    expect(conflicts.toSorted()).toEqual(fields.toSorted())
    expect(await books.expense(expense.id)).toEqual(expense)
    expect((await historyOf(books.id, expense.id)).actions).toEqual(["expense.created"])
  })

  it("fills blank texts", async () => {
    const { id } = await books.spent({ vendor: "", payment_method: " ", reference: "\t" })
    expect(await enrich(id, receipt)).toEqual([])
    const { payment_method, reference, vendor } = receipt
    expect(await books.expense(id)).toMatchObject({ payment_method, reference, vendor })
    expect(await enrich(id, { ...receipt, vendor: " " })).toEqual([])
  })

  it("ignores case, accents and trailing zeros when it compares", async () => {
    const expense = await books.spent({ vendor: "CAFE ZURICH", tax_amount: 20.55, reference: "t-0091" })
    expect(await enrich(expense.id, receipt)).toEqual([])
    const kept = { vendor: "CAFE ZURICH", reference: "t-0091" }
    const tax_rates = [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }]
    const filled = { payment_method: "card", tax_rates, version: 2 }
    expect(await books.expense(expense.id)).toMatchObject({ ...kept, ...filled })
  })

  it("ignores the tax of a receipt with another amount or currency, and tax that does not fit", async () => {
    for (const [changes, conflicts] of [
      [{ amount: 20 }, ["amount", "tax_amount", "tax_rates"]],
      [{ currency: "USD" }, ["currency", "tax_amount", "tax_rates"]],
      [{ tax_amount: 18 }, ["tax_amount", "tax_rates"]]
    ] as const) {
      const expense = await books.spent(changes)
      expect(await enrich(expense.id, receipt)).toEqual(conflicts)
      const { net_amount, tax_amount } = expense
      const { payment_method, reference, vendor } = receipt
      const filled = { payment_method, reference, vendor }
      expect(await books.expense(expense.id)).toMatchObject({ net_amount, tax_amount, tax_rates: [], ...filled })
    }
  })

  it("never changes the net amount of an expense that is on an invoice", async () => {
    const { expense } = await books.billed()
    expect(await enrich(expense.id, receipt)).toEqual(["tax_amount", "tax_rates"])
    const { net_amount, tax_amount, vendor } = await books.expense(expense.id)
    expect([net_amount, tax_amount, vendor]).toEqual([118.4, null, "Café Zürich"])
    const taxed = await books.billed({ tax_amount: 20.55 })
    await enrich(taxed.expense.id, receipt)
    const { net_amount: taxed_net, tax_rates } = await books.expense(taxed.expense.id)
    expect([taxed_net, tax_rates.length]).toEqual([97.85, 1])
  })

  it("uses the sum of the tax rows when the receipt has no total tax", async () => {
    const { id } = await books.spent()
    await enrich(id, { tax_rates: receipt.tax_rates })
    expect(await books.expense(id)).toMatchObject({ tax_amount: 20.55, net_amount: 97.85 })
  })

  it("finds no foreign and no deleted expense", async () => {
    const other = await open()
    const foreign = await other.spent()
    const { id } = await books.spent()
    await books.made("DELETE", `/expenses/${id}`)
    for (const missing of [foreign.id, id]) {
      await expect(enrich(missing, receipt)).rejects.toMatchObject({ message: "Not found." })
    }
    expect(await other.expense(foreign.id)).toEqual(foreign)
  })
})

describe("the database", () => {
  it("refuses too much tax, a payment without a date, and another organization's invoice", async () => {
    const { id } = await books.spent()
    const foreign = await (await open()).draft()
    for (const change of [
      (sql: SqlClient.SqlClient) => sql`update expenses set tax_amount = amount + 1 where id = ${id}`,
      (sql: SqlClient.SqlClient) => sql`update expenses set status = 'paid' where id = ${id}`,
      (sql: SqlClient.SqlClient) => sql`update expenses set linked_invoice_id = ${foreign.id} where id = ${id}`,
      (sql: SqlClient.SqlClient) => sql`update expenses set billed_item_id = 1 where id = ${id}`
    ]) {
      const refused = await app.run(Effect.flip(Effect.flatMap(SqlClient.SqlClient, change)))
      expect(refused.reason._tag).toBe("ConstraintError")
    }
  })
})
