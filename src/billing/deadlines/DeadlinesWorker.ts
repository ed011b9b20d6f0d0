import { Effect, Layer } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { Deadlines } from "./Deadlines.ts"

/** Days begin at a different time in each time zone, but always at a multiple of five minutes. */
const every = "5 minutes"

export const DeadlinesWorker = Layer.mergeAll(
  timed({ name: "invoices.overdue", every, run: Effect.flatMap(Deadlines, (deadlines) => deadlines.announceOverdue) }),
  timed({ name: "quotes.expired", every, run: Effect.flatMap(Deadlines, (deadlines) => deadlines.announceExpired) })
).pipe(Layer.provide(Deadlines.layer))
