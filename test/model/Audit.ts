import { expect } from "vitest"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { type Business, expectRecord, get } from "./Business.ts"
import { sum } from "./Lines.ts"
import type { Model } from "./Model.ts"
import { paths } from "./operations/Operation.ts"

const statuses = ["draft", "sent", "partially_paid", "paid", "overdue", "credited", "void"] as const

/** Checks the invariants of the books after any commands, using `GET` and the audit log. */
export const expectWholeBooks = async (business: Business, model: Model) => {
  for (const record of model.records) await expectRecord(business, "in the end", model, record)
  await expectLists(business, model)
  await expectStatements(business, model)
  await expectNotes(business, model)
  await expectNothingElsewhere(business, model)
  await business.app.run(verifiedAuditLog(business.own.id))
}

const total = async (business: Business, path: string) => (await get(business, path)).body.meta.total

/** Checks that lists count all records, and that numbers have neither gaps nor duplicates. */
const expectLists = async (business: Business, model: Model) => {
  const kept = model.of("invoice").filter(({ deleted }) => !deleted)
  for (const status of statuses) {
    const count = kept.filter((invoice) => model.statusOf(invoice) === status).length
    expect([status, await total(business, `/invoices?status=${status}`)]).toEqual([status, count])
  }
  const quotes = model.of("quote")
  expect(await total(business, "/quotes")).toBe(quotes.filter(({ deleted }) => !deleted).length)
  for (const documents of [kept, quotes, model.of("note")]) {
    const series = Map.groupBy(
      documents.flatMap(({ number }) => number ?? []),
      (number) => number.slice(0, -4)
    )
    for (const [prefix, numbers] of series) {
      const gapless = numbers.map((_, index) => `${prefix}${String(index + 1).padStart(4, "0")}`)
      expect(numbers.toSorted()).toEqual(gapless)
    }
  }
}

/**
 * Checks that each customer's statement closes with the sum of the invoices, and that its periods join without a gap.
 */
const expectStatements = async (business: Business, model: Model) => {
  for (const customer of model.of("customer").filter(({ deleted }) => !deleted)) {
    const invoices = model.of("invoice").filter((one) => one.customer === customer && one.issued)
    const owed = sum(invoices.map((invoice) => model.sums(invoice).net))
    const closing = async (query: string) => {
      const { body, status } = await get(business, `${paths.customer}/${customer.id}/statement?${query}`)
      expect(status).toBe(200)
      return body.data
    }
    const whole = await closing("start_date=2000-01-01&end_date=2100-12-31")
    expect(whole.closing_balance).toBe((owed / 10 ** business.exponent).toFixed(business.exponent))
    const [first, second] = [
      await closing(`start_date=2000-01-01&end_date=2026-03-10`),
      await closing(`start_date=2026-03-11&end_date=2100-12-31`)
    ]
    expect([first.closing_balance, second.closing_balance]).toEqual([second.opening_balance, whole.closing_balance])
  }
}

/** Checks that credit notes for a whole invoice sum to exactly its net amount and its tax. */
const expectNotes = async (business: Business, model: Model) => {
  const units = (amount: number) => Math.round(amount * 10 ** business.exponent)
  for (const invoice of model.of("invoice")) {
    const notes = model.notesOf(invoice)
    if (notes.length === 0 || sum(notes.map(({ amount }) => amount)) < model.sums(invoice).total) continue
    const { data } = (await get(business, `${paths.invoice}/${invoice.id}`)).body
    const taken = await Promise.all(notes.map(async ({ id }) => (await get(business, `${paths.note}/${id}`)).body.data))
    for (const key of ["subtotal", "tax_total"])
      expect([key, sum(taken.map((note) => units(note[key])))]).toEqual([key, units(data[key])])
  }
}

const expectNothingElsewhere = async (business: Business, model: Model) => {
  for (const { id, kind } of model.records)
    expect((await get(business, `${paths[kind]}/${id}`, business.stranger)).status).toBe(404)
  for (const path of Object.values(paths))
    expect([path, (await get(business, path, business.stranger)).body.meta.total]).toEqual([path, 0])
  const { entries, events } = await business.app.run(verifiedAuditLog(business.stranger.id))
  expect([entries, events]).toEqual([[], []])
}
