import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { movableClock } from "../support/MovableClock.ts"
import { expectWholeBooks } from "./Audit.ts"
import type { Business } from "./Business.ts"
import { commands, type State } from "./Commands.ts"
import { dayIn } from "./Days.ts"
import { Model } from "./Model.ts"

const clock = movableClock()
const { app } = useBilling({}, clock.layer)

const commands_max = 60
/** A fixed seed, for what was found before, and one that nobody has seen. */
const known_seed = 20_260_310
const runs_each = 10
const test_timeout_ms = 120_000

const asked = {
  seed: process.env["MODEL_SEED"],
  path: process.env["MODEL_PATH"],
  replay: process.env["MODEL_REPLAY"],
  runs: process.env["MODEL_RUNS"]
}

/** Afternoon in Brussels and past midnight in Auckland, in every season. */
const start_ms = Date.parse("2026-03-10T15:00:00Z")

const Setting = fc.record({
  currency: fc.constantFrom(["EUR", 2] as const, ["EUR", 2] as const, ["JPY", 0] as const, ["BHD", 3] as const),
  timezone: fc.constantFrom("Europe/Brussels", "America/Los_Angeles", "Pacific/Auckland"),
  allow_overpayment: fc.boolean()
})
type Setting = typeof Setting extends fc.Arbitrary<infer A> ? A : never

const start = async ({ allow_overpayment, currency: [currency, exponent], timezone }: Setting) => {
  clock.set(start_ms)
  const seeded = { currency, timezone, rates: [21, 6], settings: { allow_overpayment } }
  const [own, stranger] = [await app.organization(seeded), await app.organization(seeded)]
  const business: Business = {
    app,
    own,
    stranger,
    currency,
    exponent,
    setClock: clock.set,
    moment_ms: start_ms,
    known: { events: 0, entries: 0 },
    keys: 0
  }
  const state: State = { model: new Model(dayIn(timezone, start_ms), allow_overpayment), ran: 0 }
  return { real: business, model: state }
}

let ran = 0
afterAll(() => console.log(`The model and the service agreed on ${ran} commands.`))

/** Commands with what came of them, in an organization of their own; a failure is shrunk and told with its replay. */
const assertModel = (seed: number, numRuns: number, path?: string) =>
  fc.assert(
    fc.asyncProperty(
      Setting,
      fc.commands(commands, {
        maxCommands: commands_max,
        size: "max",
        ...(asked.replay === undefined ? {} : { replayPath: asked.replay })
      }),
      async (setting, drawn) => {
        const { model: state, real } = await start(setting)
        await fc.asyncModelRun(() => ({ model: state, real }), drawn)
        await expectWholeBooks(real, state.model)
        ran += state.ran
      }
    ),
    { seed, numRuns, endOnFailure: false, ...(path === undefined ? {} : { path }) }
  )

describe("the service and a model of two hundred lines", () => {
  const seeds = asked.seed === undefined ? [known_seed, Math.floor(Math.random() * 2 ** 31)] : [Number(asked.seed)]
  it.each(seeds)(
    "agree on every answer, event and sum (seed %i)",
    async (seed) => {
      await assertModel(seed, Number(asked.runs ?? runs_each), asked.path)
      expect(ran).toBeGreaterThan(0)
    },
    asked.runs === undefined ? test_timeout_ms : 0
  )
})
