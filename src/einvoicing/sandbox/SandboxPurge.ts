import { Effect } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { SimulatorRepo } from "./SimulatorRepo.ts"

/** Deletes old transmissions with their messages, and returns the number of deleted transmissions. */
export const purgeSandbox = Effect.fn("purgeSandbox")(function* () {
  const repo = yield* SimulatorRepo
  return yield* repo.purge
}, Effect.provide(SimulatorRepo.layer))

export const SandboxPurgeWorker = timed({
  name: "sandbox_network.purge",
  every: "1 day",
  run: Effect.suspend(purgeSandbox)
})
