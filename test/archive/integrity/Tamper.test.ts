import { Effect } from "effect"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { edits } from "../../../scripts/tamper/Edits.ts"
import { fillArchive } from "../../../scripts/tamper/FillArchive.ts"
import { makeBooks } from "../../../scripts/tamper/MakeBooks.ts"
import { tamper, type Target } from "../../../scripts/tamper/Tampering.ts"
import { Transmissions } from "../../../src/archive/transmissions/Transmissions.ts"
import { useArchive } from "../DocumentArchiver.ts"

const { app, archiveAll, open, prove, state } = useArchive()

/** The edits of the database that this test makes. `npm run tamper` makes all known ones. */
const subset = [
  "invoices.total",
  "invoices.amount_paid",
  "invoices.details",
  "invoices.prepaid_amount",
  "an invoice that becomes a draft",
  "an invoice that was never issued",
  "credit_notes.shares",
  "payments.payment_date",
  "a refund that was never made",
  "expenses.amount",
  "expenses.vat_deductible_percentage",
  "an expense that is removed",
  "an expense that was never made",
  "cost_tallies.deductible",
  "cost_tax_tallies.tax",
  "name of the customer on the invoice",
  "the counter of invoices: next + 1",
  "sales_entries.taxable",
  "country of the reports, in entries and daily sums",
  "sales_tallies.net",
  "a vault that is removed",
  "webhook_event: removed, with the counts of the vault",
  "status_snapshot: said to be of a real network",
  "attachment: said to be a PDF",
  "objects of the sandbox that rows and chain call real",
  "archive_transmissions.environment",
  "a proof of the future",
  "a chain and a journal that are gone",
  "checkpoint 1: remove",
  "a total with its chain and forged checkpoints",
  "a total with its chain and unsigned checkpoints",
  "a payment with the sums of its invoice and its chain"
]

let target: Target
beforeAll(async () => {
  const ours = await open()
  const books = await makeBooks(ours.made)
  await archiveAll(ours)
  await app.run(fillArchive(ours.id, books.invoice).pipe(Effect.provide(Transmissions.layer)))
  await prove(ours)
  await ours.made("POST", "/customers", { name: "Gamma" })
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  target = {
    ...books,
    organization_id: ours.id,
    objects: join(app.dataDir, "objects"),
    signing_key: Buffer.alloc(32, 9)
  }
})

describe("tampering", () => {
  it("has more than a hundred ways, each with a name of its own", () => {
    expect(edits.length).toBeGreaterThanOrEqual(100)
    expect(new Set(edits.map(({ name }) => name)).size).toBe(edits.length)
  })

  it("passes when nothing is changed", async () => {
    expect(await app.run(tamper(target, { name: "nothing" }))).toMatchObject({ isFound: false })
  })

  it.each(subset)("is found: %s", async (name) => {
    const edit = edits.find((one) => one.name === name)
    if (edit === undefined) throw new Error(`There is no edit ${name}.`)
    expect(await app.run(tamper(target, edit))).toMatchObject({ isFound: true })
  })

  it.each(["invoices.total", "payments.amount", "an invoice that is removed", "name of the customer on the invoice"])(
    "is refused to the service's own account: %s",
    async (name) => {
      const [edit] = edits.filter((one) => one.name === name)
      if (edit === undefined) throw new Error(`There is no edit ${name}.`)
      expect(await app.run(tamper(target, edit))).toMatchObject({ isRefused: true })
    }
  )
})

it("does not seal the data that clients keep with documents, which may change after the issue", async () => {
  const ours = await open()
  const data = { metadata: { order: "1" }, external_id: "E-1" }
  const invoice = await ours.issued(data)
  const note = await ours.made("POST", "/credit-notes", {
    invoice_id: invoice.id,
    amount: 1,
    reason: "Broken",
    ...data
  })
  await ours.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["ana@example.com"] })
  await archiveAll(ours)
  await ours.made("PUT", `/invoices/${invoice.id}`, { metadata: { order: "2" }, external_id: null })
  await ours.made("PUT", `/credit-notes/${note.id}`, { metadata: { order: "2" }, external_id: null })
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
})
