import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { emptyLedger, follow } from "../../../src/archive/books/BooksLedger.ts"
import { BooksSealer } from "../../../src/archive/books/BooksSealer.ts"
import { SalesBooks } from "../../../src/billing/books/SalesBooks.ts"
import { ExpenseBooks } from "../../../src/expenses/books/ExpenseBooks.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { canonicalJson } from "../../../src/platform/events/CanonicalJson.ts"
import type { Books } from "../../support/Billing.ts"
import { useArchive } from "../DocumentArchiver.ts"

const { app, archiveAll, journal, open, problems, prove, query, rewrite, state } = useArchive()

const added = (ours: Books) => ours.made("POST", "/customers", { name: "Gamma" })

/** Removes the seals from these audit entries, because the previous version of the service wrote none. */
const withoutSeals = (entries: ReadonlyArray<string>) =>
  entries.map((text) => {
    const entry = JSON.parse(text)
    const { sha256: _, series: __, sequence: ___, ...data } = entry.data
    return canonicalJson({ ...entry, data: entry.action.startsWith("archive.") ? entry.data : data })
  })

const older = async () => {
  const ours = await open()
  await ours.paid()
  await archiveAll(ours)
  await rewrite(ours, withoutSeals)
  return ours
}

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
    expect(sealed[0]?.data["counters"]).toBeUndefined()

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
  expect([...ledger.unsealed.expense]).toEqual([id])
  await ours.made("PUT", `/expenses/${id}`, { category: "meals" })
  const rows = Layer.merge(SalesBooks, ExpenseBooks)
  await app.run(
    BooksSealer.use(({ seal }) =>
      seal(OrganizationId.make(ours.id), { ledger, seq: entries.at(-1)?.seq ?? 0 }, ["expense"])
    ).pipe(Effect.provide(BooksSealer.layer.pipe(Layer.provide(rows))))
  )
  await prove(ours)
  expect(await problems(ours)).toEqual([])
})

describe("books of the time before seals", () => {
  it("are sealed by the first proof, which says so, once", async () => {
    const ours = await older()
    await prove(ours)
    await added(ours)
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
    const { entries } = await journal(ours)
    const sealed = entries.filter(({ action }) => action === "books.sealed")
    expect(sealed.flatMap(({ data }) => data["records"])).toMatchObject([{ kind: "invoice" }, { kind: "payment" }])
    expect(sealed.map(({ data }) => data["sealed_at_migration"])).toEqual([true, true])
    expect(sealed[0]?.data["counters"]).toEqual([{ document: "invoice", series: "2026", next: 2 }])
  })

  it("go on with the numbers that they had", async () => {
    const ours = await older()
    await prove(ours)
    const { number } = await ours.issued()
    await prove(ours)
    expect([number, await state(ours)]).toMatchObject(["INV-2026-0002", { integrity_state: "passed" }])
  })

  it("are sealed as they were by then: a later change is found", async () => {
    const ours = await older()
    await prove(ours)
    await query((sql) =>
      Effect.gen(function* () {
        yield* sql`alter table invoices disable trigger invoices_sealed`
        yield* sql`update invoices set terms = 'other' where organization_id = ${ours.id}`
        yield* sql`alter table invoices enable trigger invoices_sealed`
      })
    )
    await prove(ours)
    expect(await problems(ours)).toEqual([expect.stringMatching(/^1 record differs from its seal \(invoice \d+\)$/)])
  })
})
