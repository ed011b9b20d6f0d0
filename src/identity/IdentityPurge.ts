import { Effect } from "effect"
import { purge } from "../platform/sql/statements/Purge.ts"
import { IdentityPurgeRepo } from "./IdentityPurgeRepo.ts"

/** Removes old credentials. A token family (all tokens of one login) is removed after the rows that refer to it. */
export const purgeIdentity = Effect.fn("purgeIdentity")(function* () {
  const repo = yield* IdentityPurgeRepo
  return yield* Effect.all({
    access_tokens: purge("tokens", repo.accessTokens),
    family_tokens: purge("tokens", repo.familyTokens),
    family_codes: purge("authorization_codes", repo.familyCodes),
    families: purge("token_families", repo.families),
    unused_codes: purge("authorization_codes", repo.unusedCodes),
    sessions: purge("sessions", repo.sessions),
    devices: purge("login_devices", repo.devices),
    password_resets: purge("password_resets", repo.passwordResets),
    email_changes: purge("email_changes", repo.emailChanges),
    login_failures: purge("login_failures", repo.loginFailures)
  })
}, Effect.provide(IdentityPurgeRepo.layer))
