import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { emptyLedger, follow } from "../../../src/archive/books/BooksLedger.ts"
import { ExpensesSealer } from "../../../src/archive/books/ExpensesSealer.ts"
import { ExpenseBooks } from "../../../src/expenses/books/ExpenseBooks.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { canonicalJson } from "../../../src/platform/events/CanonicalJson.ts"
import type { Books } from "../../support/Billing.ts"
import { useArchive } from "../DocumentArchiver.ts"

const { app, archiveAll, journal, open, problems, prove, query, rewrite, state } = useArchive()

const added = (ours: Books) => ours.made("POST", "/customers", { name: "Gamma" })

/** Removes the seals from these audit entries, because version 1.0.0 wrote none for expenses. */
const withoutSeals = (entries: ReadonlyArray<string>) =>
  entries.map((text) => {
    const entry = JSON.parse(text)
    const { sha256: _, series: __, sequence: ___, ...data } = entry.data
    return canonicalJson({ ...entry, data: entry.action.startsWith("archive.") ? entry.data : data })
  })

const expense = {
  expense_date: "2026-03-02",
  category: "travel",
  amount: 121,
  currency: "EUR",
  description: "Train",
  is_vat_deductible: true,
  tax_rates: [{ rate: 21, taxable_amount: 100, tax_amount: 21 }]
}

describe("expenses", () => {
  it("are proved after each kind of change", async () => {
    const ours = await open()
    const made = (changes: object = {}) => ours.made("POST", "/expenses", { ...expense, ...changes })
    const { id } = await made({ vat_deductible_percentage: 33.333333, country: "BE", notes: " two\n lines " })
    await ours.made("PUT", `/expenses/${id}`, { amount: 12.1, tax_rates: [], tax_amount: 2.1, category: "own words" })
    await ours.made("POST", `/expenses/${id}/mark-paid`, { paid_at: "2026-03-05T10:00:00.123456+02:00" })
    await ours.made("POST", `/expenses/${id}/duplicate`)
    const billed = await made({ amount: 0.3, tax_rates: null, currency: "EUR" })
    const draft = await ours.draft()
    await ours.made("POST", `/expenses/${billed.id}/convert-to-invoice-item`, { invoice_id: draft.id })
    await ours.made("POST", `/expenses/${billed.id}/mark-billable`)
    await ours.made("DELETE", `/invoices/${draft.id}`)
    const rejected = await made({ amount: -121, tax_rates: null, tax_amount: -21, status: "rejected" })
    await ours.made("DELETE", `/expenses/${rejected.id}`)
    await prove(ours)
    expect([await problems(ours), await state(ours)]).toMatchObject([[], { integrity_state: "passed" }])
  })

  it("of the time before their seals are sealed by the first proof, once", async () => {
    const ours = await open()
    await ours.issued()
    const [first, second] = [
      await ours.made("POST", "/expenses", expense),
      await ours.made("POST", "/expenses", expense)
    ]
    await ours.made("DELETE", `/expenses/${second.id}`)
    await archiveAll(ours)
    await rewrite(ours, (entries) =>
      entries.flatMap((text) => (text.includes('"action":"expense.') ? withoutSeals([text]) : [text]))
    )
    await prove(ours)
    await added(ours)
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
    const sealed = (await journal(ours)).entries.filter(({ action }) => action === "books.sealed")
    const records = [first, second].map(({ id }) => ({ kind: "expense", id }))
    expect(sealed).toMatchObject([{ data: { records, sealed_at_migration: true } }])

    await query(
      (sql) => sql`update expenses set tax_amount = 20 where organization_id = ${ours.id} and id = ${first.id}`
    )
    await prove(ours)
    expect(await problems(ours)).toEqual([`1 record differs from its seal (expense ${first.id})`])
  })
})

describe("an expense that the database changed", () => {
  const changes: ReadonlyArray<readonly [string, object, string]> = [
    ["from no deduction to all of it", { vat_deductible_percentage: 0 }, "vat_deductible_percentage = null"],
    ["from all of the deduction to none", {}, "vat_deductible_percentage = 0"]
  ]
  it.each(changes)("is found: %s", async (_, of, set) => {
    const ours = await open()
    const { id } = await ours.made("POST", "/expenses", { ...expense, ...of })
    await prove(ours)
    expect(await problems(ours)).toEqual([])
    await query((sql) => sql.unsafe(`update expenses set ${set} where id = ${id}`))
    await prove(ours)
    expect(await problems(ours)).toEqual([`1 record differs from its seal (expense ${id})`])
  })

  it.each(["amount = 122", "currency = 'USD'", "deleted_at = now()"])(
    "before its seal is not sealed, because its entry tells otherwise: %s",
    async (set) => {
      const ours = await open()
      const changed = await ours.made("POST", "/expenses", expense)
      const other = await ours.made("POST", "/expenses", expense)
      await rewrite(ours, withoutSeals)
      await query((sql) => sql.unsafe(`update expenses set ${set} where id = ${changed.id}`))
      await prove(ours)
      await prove(ours)
      expect(await problems(ours)).toEqual([`1 record differs from its seal (expense ${changed.id})`])
      const sealed = (await journal(ours)).entries.filter(({ action }) => action === "books.sealed")
      expect(sealed).toMatchObject([{ data: { records: [{ kind: "expense", id: other.id }] } }])
    }
  )
})

it("does not seal what a user changed, and thereby sealed, since the chain was read", async () => {
  const ours = await open()
  const { id } = await ours.made("POST", "/expenses", expense)
  await rewrite(ours, withoutSeals)
  const { entries } = await journal(ours)
  const ledger = emptyLedger()
  for (const { action, at, data, seq } of entries) follow(ledger, { action, at, data, seq })
  expect([...ledger.unsealed]).toEqual([id])
  await ours.made("PUT", `/expenses/${id}`, { category: "meals" })
  await app.run(
    ExpensesSealer.use(({ seal }) =>
      seal(OrganizationId.make(ours.id), { ledger, seq: entries.at(-1)?.seq ?? 0 })
    ).pipe(Effect.provide(ExpensesSealer.layer.pipe(Layer.provide(ExpenseBooks))))
  )
  await prove(ours)
  expect(await problems(ours)).toEqual([])
})

it("does not seal an invoice whose audit entry lost its seal, but reports it", async () => {
  const ours = await open()
  const { id } = await ours.issued()
  await archiveAll(ours)
  await rewrite(ours, (entries) =>
    entries.flatMap((text) => (text.includes('"action":"invoice.issued"') ? withoutSeals([text]) : [text]))
  )
  await prove(ours)
  expect(await problems(ours)).toEqual([expect.stringContaining(`1 record differs from its seal (invoice ${id})`)])
})
