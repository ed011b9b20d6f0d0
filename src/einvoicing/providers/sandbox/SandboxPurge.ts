import { Effect } from "effect"
import { purge } from "../../../platform/sql/Purge.ts"
import { SimulatorRepo } from "./SimulatorRepo.ts"

/** Forgets transmissions that nobody asks about any more, with what was said of them. Answers how many. */
export const purgeSandbox = Effect.fn("purgeSandbox")(function* () {
  const repo = yield* SimulatorRepo
  return yield* purge(repo.purge)
}, Effect.provide(SimulatorRepo.layer))
