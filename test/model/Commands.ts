import * as fc from "fast-check"
import type { Answer } from "../support/App.ts"
import { batchOperations } from "./BatchOperations.ts"
import { type Business, expectAnswer, expectRecord, expectTold, letPass, newlyTold, send } from "./Business.ts"
import { documentOperations } from "./DocumentOperations.ts"
import { Model } from "./Model.ts"
import { moneyOperations } from "./MoneyOperations.ts"
import type { Operation, World } from "./Operation.ts"
import type { Kind, Record, RecordOf } from "./Records.ts"

export interface State {
  model: Model
}

type Command = fc.AsyncCommand<State, Business>

const operations = [...documentOperations, ...moneyOperations, ...batchOperations]
const anyOperation = fc.oneof(...operations)

/** Finds records, and remembers which. */
const worldOf = (model: Model, { currency, own }: Business, seen: Set<Record> = new Set()): World => ({
  model,
  currency,
  find: <K extends Kind>(kind: K, pick: number): RecordOf<K> | undefined => {
    const records = model.of(kind)
    const found = records.at(-1 - (pick % Math.max(1, records.length)))
    if (found !== undefined) seen.add(found)
    return found
  },
  rateId: (percent) => own.tax_rate_ids[percent === 21 ? 0 : 1] ?? 0
})

const answeredAs = ({ name }: Operation, answer: Answer | undefined) =>
  `${name}: ${answer?.status} ${answer?.body.code ?? ""}`

const shown = ({ drawn, name }: Operation) => `${name} ${JSON.stringify(drawn)}`

/** Whoever is no member meets what is left when all is deleted: nothing that somebody else has is there (I10). */
const intrude = async (business: Business, operation: Operation, world: World) => {
  const nowhere = world.model.clone()
  for (const record of nowhere.records) record.deleted = true
  const expected = operation.step(worldOf(nowhere, business)).predict(nowhere)
  if (expected.status < 400) return
  const answer = await send(business, operation.step(world), {}, business.stranger)
  expectAnswer(business, `a stranger: ${shown(operation)}`, expected, answer)
}

export const does = (operation: Operation, intruded: boolean, repeated: boolean): Command => ({
  check: () => true,
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
    const expected = step.predict(model)
    expectAnswer(business, what, expected, answer)
    const touched = new Set([...seen, ...model.events.map(([, record]) => record)])
    const changed = await expectTold(business, what, model, await newlyTold(business), entries)
    if (answer.status >= 400 && changed > 0) throw new Error(`${what} was refused and left ${changed} audit entries`)
    for (const record of touched) if (model.records.includes(record)) await expectRecord(business, what, model, record)
    business.answered(answeredAs(operation, answer))
  }
})

const permutations = <A>(of: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  of.length < 2
    ? [of]
    : of.flatMap((first, index) => permutations(of.toSpliced(index, 1)).map((rest) => [first, ...rest]))

/** Operations at once: there is an order of them, one after the other, that explains all that came of it. */
const races = (operations: ReadonlyArray<Operation>): Command => ({
  check: () => true,
  toString: () => `at once [${operations.map(shown).join("; ")}]`,
  run: async (state, business) => {
    const { entries } = business.known
    const world = worldOf(state.model, business)
    const answers = await Promise.all(operations.map((operation) => send(business, operation.step(world))))
    const journal = await newlyTold(business)
    const failures: Array<unknown> = []
    for (const order of permutations([...operations.keys()])) {
      const model = state.model.clone()
      const seen = new Set<Record>()
      const steps = operations.map((operation) => operation.step(worldOf(model, business, seen)))
      const what = `at once, in the order ${order.join(", ")}: [${operations.map(shown).join("; ")}]`
      const explained = async () => {
        for (const index of order) {
          const [answer, step] = [answers[index], steps[index]]
          if (answer !== undefined && step !== undefined) expectAnswer(business, what, step.predict(model), answer)
        }
        const touched = new Set([...seen, ...model.events.map(([, record]) => record)])
        await expectTold(business, what, model, journal, entries)
        for (const record of touched)
          if (model.records.includes(record)) await expectRecord(business, what, model, record)
      }
      const failure = await explained().then(
        () => undefined,
        (error: unknown) => error
      )
      if (failure === undefined) {
        state.model = model
        for (const [index, operation] of operations.entries()) business.answered(answeredAs(operation, answers[index]))
        return
      }
      failures.push(failure)
    }
    throw new AggregateError(failures, `No order explains ${operations.map(shown).join("; ")}: ${failures.join("\n")}`)
  }
})

const waits = (days: number): Command => ({
  check: () => true,
  toString: () => `${days} days pass`,
  run: async (state, business) => {
    const { entries } = business.known
    await letPass(business, days)
    state.model.wait(days)
    await expectTold(business, `${days} days`, state.model, await newlyTold(business), entries)
    business.answered("days pass")
  }
})

const seldom = fc.nat(4).map((die) => die === 4)
const raced = anyOperation.filter(({ mails }) => !mails)

export const commands: Array<fc.Arbitrary<Command>> = [
  ...operations.map((one) => fc.tuple(one, seldom, seldom).map((drawn) => does(...drawn))),
  ...Array.from({ length: 4 }, () => fc.array(raced, { minLength: 2, maxLength: 3 }).map(races)),
  fc.integer({ min: 1, max: 30 }).map(waits)
]
