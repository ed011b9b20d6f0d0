import * as fc from "fast-check"
import type { Expected } from "../Books.ts"
import { addDays } from "../Days.ts"
import { type Line, totalsOf, Units } from "../Lines.ts"
import type { Terms } from "../Documents.ts"
import type { Model } from "../Model.ts"
import type { Kind, Record, RecordOf } from "../Records.ts"

/** The model, and the way in which an operation finds its records. */
export interface World {
  readonly model: Model
  readonly find: <K extends Kind>(kind: K, pick: number) => RecordOf<K> | undefined
  readonly currency: string
  readonly rateId: (percent: number) => number
}

/** One request, and the answer that the model predicts. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The id of the invoice to which the positions of lines in the request refer. */
  readonly lines_of?: number
  readonly predict: (model: Model) => Expected
}

export interface Operation {
  readonly name: string
  readonly drawn: object
  readonly step: (world: World) => Step
}

export const operation = <Drawn extends object>(
  name: string,
  draws: { readonly [K in keyof Drawn]: fc.Arbitrary<Drawn[K]> },
  step: (drawn: Drawn, world: World) => Step
): fc.Arbitrary<Operation> =>
  fc.record<Drawn>(draws).map((drawn) => ({ name, drawn, step: (world) => step(drawn, world) }))

export const post = (path: string, predict: Step["predict"], body?: unknown): Step => ({
  method: "POST",
  path,
  body,
  predict
})
export const put = (path: string, body: unknown, predict: Step["predict"]): Step => ({
  method: "PUT",
  path,
  body,
  predict
})
export const remove = (path: string, predict: Step["predict"]): Step => ({ method: "DELETE", path, predict })

export const paths: { readonly [K in Kind]: string } = {
  customer: "/customers",
  invoice: "/invoices",
  quote: "/quotes",
  note: "/credit-notes",
  payment: "/payments",
  expense: "/expenses"
}

export const kinds = ["customer", "invoice", "quote", "note", "payment", "expense"] as const

const unknown_id = 2_000_000_000
export const idOf = (record: Record | undefined): number => record?.id ?? unknown_id
export const at = (kind: Kind, record: Record | undefined, action = ""): string =>
  `${paths[kind]}/${idOf(record)}${action}`

/** Picks a record, counted from the latest one. The latest record is picked most often. */
export const pick = fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: fc.nat(7), weight: 1 })
export const flag = fc.boolean()
export const seldom = fc.nat(9).map((die) => die === 9)
export const several = <A>(each: fc.Arbitrary<A>) => fc.array(each, { minLength: 1, maxLength: 4 })
/** Percentage of an amount that is still left. With 101, the request asks for too much. */
export const part = fc.constantFrom(100, 50, 33, 101, 1)
export const portion = (left: number, percent: number): number => Math.max(1, Math.floor((left * percent) / 100))

const first_day = "2026-03-10"
/** A day near the first day of the run, or in the year before, whose documents have another series of numbers. */
export const day = fc
  .oneof(fc.integer({ min: -5, max: 20 }), fc.integer({ min: -100, max: -60 }))
  .map((days) => addDays(first_day, days))

const line: fc.Arbitrary<Line> = fc.record({
  quantity: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 20_000 })),
  price: fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 2_000_000 }), weight: 6 },
    { arbitrary: fc.integer({ min: -90_000, max: -1 }), weight: 1 }
  ),
  discount_type: fc.constantFrom("percent", "amount"),
  discount: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat(100), weight: 1 }),
  rates: fc.constantFrom([21], [6], [21, 6], [])
})

export const terms = {
  customer: pick,
  issue_date: day,
  days: fc.oneof({ arbitrary: fc.nat(45), weight: 9 }, { arbitrary: fc.constant(-1), weight: 1 }),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  /** The prepaid amount in percent of the total. */
  prepaid: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.constantFrom(40, 100, 101), weight: 1 })
}
interface DrawnTerms {
  readonly customer: number
  readonly issue_date: string
  readonly days: number
  readonly lines: ReadonlyArray<Line>
  readonly prepaid: number
}
export const termsOf = ({ customer, days, issue_date, lines, prepaid }: DrawnTerms, { find }: World): Terms => ({
  customer: find("customer", customer),
  issue_date,
  last_day: addDays(issue_date, days),
  lines,
  prepaid: prepaid === 0 ? 0 : portion(totalsOf(lines).total, prepaid)
})

export const changed = fc.constantFrom("lines", "last_day", "dates", "customer", "prepaid", "nothing")
export const changesOf = (which: string, { customer, issue_date, last_day, lines, prepaid }: Terms): Partial<Terms> => {
  if (which === "prepaid") return { prepaid }
  if (which === "lines") return { lines }
  if (which === "last_day") return { last_day }
  if (which === "dates") return { issue_date, last_day }
  return which === "customer" ? { customer } : {}
}

/**
 * Returns the request body for these terms. `last` is the name of the field with the deadline: the due date of an
 * invoice, or the last day on which a quote is valid.
 */
export const bodyOf = (terms: Partial<Terms>, last: "due_date" | "valid_until", { rateId }: World) => ({
  ...("customer" in terms ? { customer_id: idOf(terms.customer) } : {}),
  ...(terms.issue_date === undefined ? {} : { issue_date: terms.issue_date }),
  ...(terms.last_day === undefined ? {} : { [last]: terms.last_day }),
  ...(terms.prepaid === undefined ? {} : { prepaid_amount: new Units(terms.prepaid) }),
  ...(terms.lines === undefined ? {} : { items: terms.lines.map((line) => lineBody(line, rateId)) })
})

const lineBody = ({ discount, discount_type, price, quantity, rates }: Line, rateId: World["rateId"]) => ({
  description: "Consulting",
  quantity: quantity / 1_000,
  unit_price: new Units(price / 100),
  discount: discount_type === "percent" ? discount : new Units(discount),
  discount_type,
  ...(rates.length === 0 ? { tax_exempt: true } : {}),
  // The default rate may be omitted.
  ...(rates.length === 0 || rates.join() === "21" ? {} : { tax_rate_ids: rates.map(rateId) })
})
