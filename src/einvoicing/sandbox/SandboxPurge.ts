import { Effect } from "effect"
import { purge } from "../../platform/sql/statements/Purge.ts"
import { SimulatorRepo } from "./SimulatorRepo.ts"

/** Deletes old transmissions with their messages, and returns the number of deleted transmissions. */
export const purgeSandbox = Effect.fn("purgeSandbox")(function* () {
  const repo = yield* SimulatorRepo
  return yield* purge("network_transmissions", repo.purge)
}, Effect.provide(SimulatorRepo.layer))
