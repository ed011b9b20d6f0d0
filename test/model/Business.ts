import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { Deadlines } from "../../src/billing/deadlines/Deadlines.ts"
import type { Answer, App } from "../support/App.ts"
import type { SeededOrganization } from "../support/database/Seed.ts"
import type { Expected } from "./Books.ts"
import { addDays } from "./Days.ts"
import { IdOf, LineAt, Units } from "./Lines.ts"
import type { Model } from "./Model.ts"
import { paths, type Step } from "./operations/Operation.ts"
import type { Record } from "./Records.ts"
import { viewOf } from "./View.ts"

/** The service under test, as seen by the owner of one organization. */
export interface Business {
  readonly app: App
  readonly own: SeededOrganization
  readonly stranger: SeededOrganization
  readonly currency: string
  readonly exponent: number
  readonly setClock: (moment_ms: number) => void
  moment_ms: number
  /** Highest numbers of events and audit entries that the model has compared. */
  known: { events: number; entries: number }
  keys: number
  readonly answered: (what: string) => void
}

const price_decimals_max = 6

/** Converts the amounts (`Units`) and line positions (`LineAt`) of a request to the numbers that are sent. */
const toWire = (business: Business, value: unknown, lines: ReadonlyArray<number> = []): unknown => {
  if (value instanceof LineAt) return lines[value.place] ?? 0
  if (value instanceof IdOf) return value.record.id
  if (value instanceof Units) return Number((value.amount / 10 ** business.exponent).toFixed(price_decimals_max)) + 0
  return Array.isArray(value) ? value.map((one) => toWire(business, one)) : value
}

/** Returns the ids of the lines of an invoice; none if the invoice does not exist. */
const linesOf = async (business: Business, invoice_id: number): Promise<ReadonlyArray<number>> => {
  const { body } = await get(business, `/invoices/${invoice_id}`)
  return (body.data?.items ?? []).map(({ id }: { readonly id: number }) => id)
}

export const send = async (business: Business, step: Step, headers = {}, caller = business.own) => {
  const { body, lines_of, method, path } = step
  const lines = lines_of === undefined ? [] : await linesOf(business, lines_of)
  return business.app.call(method, `/api/v1${path}`, {
    token: caller.owner.token,
    organization: caller.id,
    ...(body === undefined ? {} : { body: JSON.stringify(body, (_, value) => toWire(business, value, lines)) }),
    headers
  })
}

export const get = (business: Business, path: string, caller = business.own) =>
  business.app.call("GET", `/api/v1${path}`, { token: caller.owner.token, organization: caller.id })

type Data = Answer["body"]

interface Told {
  readonly type: string
  readonly data: { readonly object: string; readonly id: number; readonly attributes: Data }
}

const auditLogOf = (business: Business) =>
  business.app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization_id = business.own.id
      const told = yield* sql<Told>`select type, data from outbox
        where organization_id = ${organization_id} and sequence > ${business.known.events} order by sequence`
      const [journal] = yield* sql<{ entries: number }>`
        select entries from journals where organization_id = ${organization_id}`
      return { told, entries: journal?.entries ?? 0 }
    })
  )
type AuditLog = Awaited<ReturnType<typeof auditLogOf>>

/** Returns the events and entries that the service published since the last command. */
export const newlyTold = async (business: Business): Promise<AuditLog> => {
  const auditLog = await auditLogOf(business)
  business.known = { events: business.known.events + auditLog.told.length, entries: auditLog.entries }
  return auditLog
}

/** Lets days pass, and runs the worker that announces passed deadlines. */
export const letPass = async (business: Business, days: number) => {
  business.moment_ms += Date.parse(addDays("1970-01-01", days))
  business.setClock(business.moment_ms)
  await business.app.run(
    Effect.flatMap(Deadlines, (deadlines) => Effect.andThen(deadlines.announceOverdue, deadlines.announceExpired)).pipe(
      Effect.provide(Deadlines.layer)
    )
  )
}

/** Reduces an answer to the fields that the model predicts. */
const shapeOf = (data: Data, view: object) =>
  Object.fromEntries(
    Object.keys(view).map((key) => {
      if (key === "lines") return [key, data.items.map((item: Data) => item.line_total)]
      if (key === "is_sent") return [key, data.sent_at !== null]
      return [key, key === "warnings" ? (data.warnings ?? []) : data[key]]
    })
  )

const wireOf = (business: Business, view: object) =>
  Object.fromEntries(Object.entries(view).map(([key, value]) => [key, toWire(business, value)]))

const expectView = (business: Business, what: string, data: Data, view: object) => {
  expect({ what, ...shapeOf(data, view) }).toEqual({ what, ...wireOf(business, view) })
}

/** Checks that an answer is the predicted one; a created record gets its id from the answer. */
export const expectAnswer = (business: Business, what: string, expected: Expected, { body, status }: Answer) => {
  const code = status < 400 ? undefined : body.code
  expect({ what, status, code }).toEqual({ what, status: expected.status, code: expected.code })
  expectResult(business, what, expected, body.data)
  for (const [index, result] of (expected.results ?? []).entries()) {
    const { data, error, http_status } = body.data.results[index]
    expect({ what, index, http_status, code: error?.code }).toEqual({
      what,
      index,
      http_status: result.status,
      code: result.code
    })
    // A batch that was refused as a whole has no results.
    if (data !== null) expectResult(business, `${what} ${index}`, result, data)
  }
}

const expectResult = (business: Business, what: string, { made, view }: Expected, data: Data) => {
  if (made !== undefined) made.id = data.id
  if (view !== undefined) expectView(business, what, data, view)
}

/** The answer of `mark-paid` lacks the id of the new payment, which is taken from the event. */
const adopt = (model: Model, { told }: AuditLog) => {
  const made = told.flatMap(({ data, type }) => (type === "payment.created" ? [data] : []))
  for (const payment of model.of("payment").filter(({ id }) => id === 0)) {
    const known = new Set(model.of("payment").map(({ id }) => id))
    const found = made.find((one) => !known.has(one.id) && one.attributes.invoice_id === payment.invoice.id)
    payment.id = found?.id ?? 0
  }
}

/**
 * Checks that exactly the predicted events were published, with the predicted records, and that they left audit
 * entries. Returns the number of these entries.
 */
export const expectTold = async (
  business: Business,
  what: string,
  model: Model,
  journal: AuditLog,
  entries: number
) => {
  adopt(model, journal)
  const told = journal.told.map(({ data, type }) => `${type} ${data.id}`)
  const due = model.events.map(({ record, type }) => `${type} ${record.id}`)
  expect({ what, told: told.toSorted() }).toEqual({ what, told: due.toSorted() })
  const left = [...journal.told]
  for (const { record, type, view } of model.events) {
    const [event] = left.splice(
      left.findIndex(({ data, ...one }) => one.type === type && data.id === record.id),
      1
    )
    if (event !== undefined) expectView(business, `${what}: ${type}`, event.data.attributes, view ?? {})
  }
  const changed = journal.entries - entries
  if (due.length > 0) expect({ what, changed: changed > 0 }).toEqual({ what, changed: true })
  model.events = []
  return changed
}

export const expectRecord = async (business: Business, what: string, model: Model, record: Record) => {
  const { body, status } = await get(business, `${paths[record.kind]}/${record.id}`)
  expect({ what, record: record.id, status }).toEqual({ what, record: record.id, status: record.deleted ? 404 : 200 })
  if (record.deleted) return
  expectView(business, `${what}: ${record.kind} ${record.id}`, body.data, viewOf(model, record))
  expectSums(business, what, body.data)
}

/** Checks that lines and tax groups add up to the totals of an answer, independently of the model. */
const expectSums = ({ exponent }: Business, what: string, data: Data) => {
  if (data.tax_breakdown === undefined || data.items === undefined) return
  // An empty sum may be -0, which is the same amount.
  const units = (amount: number) => Math.round(amount * 10 ** exponent) + 0
  const sumOf = (rows: ReadonlyArray<Data>, key: string) => rows.reduce((sum, row) => sum + units(row[key]), 0)
  expect({ what, net: sumOf(data.items, "line_total"), tax: sumOf(data.items, "tax_amount") }).toEqual({
    what,
    net: units(data.subtotal),
    tax: units(data.tax_total)
  })
  expect([what, sumOf(data.tax_breakdown, "tax_amount")]).toEqual([what, units(data.tax_total)])
  expect([what, units(data.subtotal + data.tax_total + (data.rounding_adjustment ?? 0))]).toEqual([
    what,
    units(data.total)
  ])
  if (data.balance_due === undefined || data.status === "void") return
  const { amount_credited, amount_paid, amount_refunded, balance_due, refundable_amount, total } = data
  expect([what, units(balance_due - refundable_amount)]).toEqual([
    what,
    units(total - amount_credited - amount_paid + amount_refunded)
  ])
}
