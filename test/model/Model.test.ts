import * as fc from "fast-check"
import { afterAll, describe, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { movableClock } from "../support/service/MovableClock.ts"
import { expectWholeBooks } from "./Audit.ts"
import type { Business } from "./Business.ts"
import { commands, type State } from "./operations/Commands.ts"
import { dayIn } from "./Days.ts"
import { Model } from "./Model.ts"
import { runs } from "../support/service/Runs.ts"

const clock = movableClock()
const { app } = useBilling({}, { clock: clock.layer })

const commands_max = 120
/** A fixed seed covers failures that were found before; a random one finds new ones. */
const known_seed = 20_260_310
const runs_each = runs(4)
const test_timeout_ms = 600_000

const asked = {
  seed: process.env["MODEL_SEED"],
  path: process.env["MODEL_PATH"],
  replay: process.env["MODEL_REPLAY"],
  minutes: process.env["MODEL_MINUTES"]
}

/** At this time of day, it is afternoon in Brussels and past midnight in Auckland, in every season. */
const start_ms = Date.parse("2026-03-10T15:00:00Z")

const Setting = fc.record({
  currency: fc.constantFrom(["EUR", 2] as const, ["EUR", 2] as const, ["JPY", 0] as const, ["BHD", 3] as const),
  timezone: fc.constantFrom("Europe/Brussels", "America/Los_Angeles", "Pacific/Auckland"),
  allow_overpayment: fc.boolean()
})
type Setting = typeof Setting extends fc.Arbitrary<infer A> ? A : never

const start = async (
  { allow_overpayment, currency: [currency, exponent], timezone }: Setting,
  numbers_drafts: boolean
) => {
  clock.set(start_ms)
  const seeded = {
    currency,
    timezone,
    rates: [21, 6],
    settings: { allow_overpayment, invoice_number_on: numbers_drafts ? "create" : "issue" }
  }
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
    keys: 0,
    answered: (what) => void answered.set(what, (answered.get(what) ?? 0) + 1)
  }
  const state: State = { model: new Model(dayIn(timezone, start_ms), allow_overpayment, numbers_drafts, exponent) }
  return { business, state }
}

const answered = new Map<string, number>()
afterAll(() => {
  const ran = [...answered.values()].reduce((sum, count) => sum + count, 0)
  console.log(`The model and the service agreed on ${ran} commands.`)
  if (asked.minutes === undefined) return
  for (const [answer, count] of [...answered].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`${count} ${answer}`)
})

let failed = false

/** A failure is shrunk, and printed with the settings that repeat it. */
const agreed = (seed: number, limit: fc.Parameters<unknown>) =>
  fc.assert(
    fc.asyncProperty(
      Setting,
      fc.commands(commands, {
        maxCommands: commands_max,
        size: "max",
        ...(asked.replay === undefined ? {} : { replayPath: asked.replay })
      }),
      // This value is drawn last, so that older seeds still produce the same commands.
      fc.boolean(),
      async (setting, drawn, numbers_drafts) => {
        const { business, state } = await start(setting, numbers_drafts)
        const run = async () => {
          await fc.asyncModelRun(() => ({ model: state, real: business }), drawn)
          await expectWholeBooks(business, state.model)
        }
        await run().catch((error: unknown) => {
          if (!failed) console.error("Before it is shrunk, which takes a while:", error)
          failed = true
          throw error
        })
      }
    ),
    { seed, ...limit }
  )

describe("the service and a model of it", () => {
  if (asked.minutes === undefined) {
    it.each([known_seed, Math.floor(Math.random() * 2 ** 31)])(
      "agree on every answer, event and sum (seed %i)",
      (seed) => agreed(seed, { numRuns: runs_each }),
      test_timeout_ms
    )
  } else {
    const { minutes, path, seed } = asked
    // A path selects one run of the seed, so with a path, the seed is run only once.
    const until_ms = path === undefined ? Date.now() + Number(minutes) * 60_000 : 0
    const longer = async () => {
      let next = Number(seed)
      do await agreed(next++, { numRuns: runs_each, ...(path === undefined ? {} : { path }) })
      while (Date.now() < until_ms)
    }
    it(`agree for ${minutes} minutes (from seed ${seed} on)`, longer, 0)
  }
})
