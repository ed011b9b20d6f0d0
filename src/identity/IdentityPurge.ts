import { Effect } from "effect"
import { timed } from "../platform/jobs/Timed.ts"
import { IdentityPurgeRepo } from "./IdentityPurgeRepo.ts"

/** Removes old credentials. A token family (all tokens of one login) is removed after the rows that refer to it. */
export const purgeIdentity = Effect.fn("purgeIdentity")(function* () {
  const repo = yield* IdentityPurgeRepo
  return yield* Effect.all({
    access_tokens: repo.accessTokens,
    family_tokens: repo.familyTokens,
    family_codes: repo.familyCodes,
    families: repo.families,
    unused_codes: repo.unusedCodes,
    sessions: repo.sessions,
    devices: repo.devices,
    password_resets: repo.passwordResets,
    email_changes: repo.emailChanges,
    login_failures: repo.loginFailures
  })
}, Effect.provide(IdentityPurgeRepo.layer))

export const IdentityPurgeWorker = timed({
  name: "identity.purge",
  every: "1 hour",
  run: Effect.suspend(purgeIdentity)
})
