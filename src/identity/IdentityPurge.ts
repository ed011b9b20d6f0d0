import { Effect } from "effect"
import { timed } from "../platform/jobs/Timed.ts"
import { IdentityPurgeRepo } from "./IdentityPurgeRepo.ts"

/** Removes old credentials. A token family (all tokens of one login) is removed after the rows that refer to it. */
export const purgeIdentity = Effect.fn("purgeIdentity")(function* () {
  const removals = yield* IdentityPurgeRepo
  return yield* Effect.all(removals)
}, Effect.provide(IdentityPurgeRepo.layer))

export const IdentityPurgeWorker = timed({
  name: "identity.purge",
  every: "1 hour",
  run: Effect.suspend(purgeIdentity)
})
