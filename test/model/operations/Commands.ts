import * as fc from "fast-check"
import type { Answer } from "../../support/App.ts"
import { batchOperations } from "./BatchOperations.ts"
import { type Business, expectAnswer, expectRecord, expectTold, letPass, newlyTold, send } from "../Business.ts"
import { documentOperations } from "./DocumentOperations.ts"
import type { Model } from "../Model.ts"
import { creditingOperations, moneyOperations } from "./MoneyOperations.ts"
import { sendingOperations } from "./SendingOperations.ts"
import { spendingOperations } from "./SpendingOperations.ts"
import type { Operation, Step, World } from "./Operation.ts"
import type { Kind, Record, RecordOf } from "../Records.ts"

export interface State {
  model: Model
}

type Command = fc.AsyncCommand<State, Business>

/** Operations that take effect at a single moment, so that they can race. */
const momentary = [...documentOperations, ...moneyOperations, ...spendingOperations]
const alone = [...creditingOperations, ...creditingOperations, ...sendingOperations, ...batchOperations]
const operations = [...momentary, ...momentary, ...alone]

const foundIn = <K extends Kind>(model: Model, kind: K, pick: number): RecordOf<K> | undefined => {
  const records = model.of(kind)
  return records.at(-1 - (pick % Math.max(1, records.length)))
}

/** Finds the records of an operation, and adds each record that was found to `seen`. */
const worldOf = (model: Model, { currency, own }: Business, seen: Set<Record> = new Set()): World => ({
  model,
  currency,
  find: (kind, pick) => {
    const found = foundIn(model, kind, pick)
    if (found !== undefined) seen.add(found)
    return found
  },
  rateId: (percent) => own.tax_rate_ids[percent === 21 ? 0 : 1] ?? 0
})

const answeredAs = ({ name }: Operation, answer: Answer | undefined) =>
  `${name}: ${answer?.status} ${answer?.body.code ?? ""}`

const shown = ({ drawn, name }: Operation) => `${name} ${JSON.stringify(drawn)}`

/** Runs the operation as another organization, for which no record exists. */
const intrude = async (business: Business, operation: Operation, world: World) => {
  const nowhere = world.model.clone()
  for (const record of nowhere.records) record.deleted = true
  const expected = operation.step(worldOf(nowhere, business)).predict(nowhere)
  if (expected.status < 400) return
  const answer = await send(business, operation.step(world), {}, business.stranger)
  expectAnswer(business, `a stranger: ${shown(operation)}`, expected, answer)
}

/** Most commands try only operations whose records exist. */
const isApt = ({ model }: Readonly<State>, operation: Operation) => {
  let missing = false
  const find: World["find"] = (kind, pick) => {
    const found = foundIn(model, kind, pick)
    missing ||= found === undefined || found.deleted
    return found
  }
  operation.step({ model, find, currency: "", rateId: () => 0 })
  return !missing
}

interface Manner {
  /** True if the operation is tried even if its records do not exist. */
  readonly blind: boolean
  /** True if another organization tries the operation first. */
  readonly intruded: boolean
  /** True if the request is sent twice with one Idempotency-Key. */
  readonly repeated: boolean
}

const does = (operation: Operation, { blind, intruded, repeated }: Manner): Command => ({
  check: (state) => blind || isApt(state, operation),
  toString: () => `${shown(operation)}${intruded ? " intruded" : ""}${repeated ? " repeated" : ""}`,
  run: async (state, business) => {
    const { model } = state
    const seen = new Set<Record>()
    const world = worldOf(model, business, seen)
    if (intruded) await intrude(business, operation, world)
    const what = shown(operation)
    const { entries } = business.known
    const step = operation.step(world)
    const key: { [name: string]: string } =
      repeated && step.method === "POST" ? { "idempotency-key": `key ${business.keys++}` } : {}
    const answer = await send(business, step, key)
    if (repeated && step.method === "POST") {
      const again = await send(business, step, key)
      if (again.status !== answer.status || again.text !== answer.text)
        throw new Error(`${what} repeated answers ${again.status} ${again.text}, not ${answer.status} ${answer.text}`)
    }
    const expected = predicted(model, step)
    expectAnswer(business, what, expected, answer)
    const touched = new Set([...seen, ...model.events.map(({ record }) => record)])
    const changed = await expectTold(business, what, model, await newlyTold(business), entries)
    if (answer.status >= 400 && changed > 0) throw new Error(`${what} was refused and left ${changed} audit entries`)
    for (const record of touched) if (model.records.includes(record)) await expectRecord(business, what, model, record)
    business.answered(answeredAs(operation, answer))
  }
})

const predicted = (model: Model, step: Step) => {
  const told = model.events.length
  const expected = step.predict(model)
  model.showEvents(told)
  return expected
}

const permutations = <A>(of: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  of.length < 2
    ? [of]
    : of.flatMap((first, index) => permutations(of.toSpliced(index, 1)).map((rest) => [first, ...rest]))

interface Failure {
  readonly message: string
  readonly actual?: unknown
  readonly expected?: unknown
}
const difference = ({ actual, expected, message }: Failure) =>
  `${message}\n  expected ${JSON.stringify(expected)}\n  received ${JSON.stringify(actual)}`

/** Runs operations at the same time; at least one sequential order of them must explain all results. */
const races = (operations: ReadonlyArray<Operation>, blind: boolean): Command => ({
  check: (state) => blind || operations.every((operation) => isApt(state, operation)),
  toString: () => `at once [${operations.map(shown).join("; ")}]`,
  run: async (state, business) => {
    const { entries } = business.known
    const world = worldOf(state.model, business)
    const answers = await Promise.all(operations.map((operation) => send(business, operation.step(world))))
    const journal = await newlyTold(business)
    const failures: Array<Failure> = []
    for (const order of permutations([...operations.keys()])) {
      const model = state.model.clone()
      const seen = new Set<Record>()
      const steps = operations.map((operation) => operation.step(worldOf(model, business, seen)))
      const what = `at once, in the order ${order.join(", ")}: [${operations.map(shown).join("; ")}]`
      const explained = async () => {
        for (const index of order) {
          const [answer, step] = [answers[index], steps[index]]
          if (answer !== undefined && step !== undefined) expectAnswer(business, what, predicted(model, step), answer)
        }
        const touched = new Set([...seen, ...model.events.map(({ record }) => record)])
        await expectTold(business, what, model, journal, entries)
        for (const record of touched)
          if (model.records.includes(record)) await expectRecord(business, what, model, record)
      }
      const failure = await explained().then(
        () => undefined,
        (error: Failure) => error
      )
      if (failure === undefined) {
        state.model = model
        for (const [index, operation] of operations.entries()) business.answered(answeredAs(operation, answers[index]))
        return
      }
      failures.push(failure)
    }
    throw new Error(`No order explains what came of it:\n${failures.map(difference).join("\n")}`)
  }
})

const waits = (days: number): Command => ({
  check: () => true,
  toString: () => `${days} days pass`,
  run: async (state, business) => {
    const { entries } = business.known
    await letPass(business, days)
    state.model.wait(days)
    state.model.showEvents(0)
    await expectTold(business, `${days} days`, state.model, await newlyTold(business), entries)
    business.answered("days pass")
  }
})

const seldom = fc.nat(9).map((die) => die > 7)
const manner = fc.record({ blind: seldom, intruded: seldom, repeated: seldom })
const racers_max = 3
const racing = (one: fc.Arbitrary<Operation>) =>
  fc.tuple(fc.array(one, { minLength: 2, maxLength: racers_max }), seldom).map((drawn) => races(...drawn))

/** Races between any operations, between operations of one kind, and between those that transfer money. */
const racers = [
  fc.oneof(...momentary.map(racing)),
  racing(fc.oneof(...momentary)),
  fc.oneof(...moneyOperations.map(racing)),
  racing(fc.oneof(...moneyOperations))
]
const races_weight = 5

export const commands: Array<fc.Arbitrary<Command>> = [
  ...operations.map((one) => fc.tuple(one, manner).map((drawn) => does(...drawn))),
  ...moneyOperations.map((one) => fc.tuple(one, manner).map((drawn) => does(...drawn))),
  ...racers.flatMap((race) => Array.from({ length: races_weight }, () => race)),
  fc.integer({ min: 1, max: 30 }).map(waits)
]
