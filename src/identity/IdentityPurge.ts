import { Effect } from "effect"
import { purge } from "../platform/sql/Purge.ts"
import { IdentityPurgeRepo } from "./IdentityPurgeRepo.ts"

/** Returns how many rows of each kind were removed. Families come after the rows that refer to them. */
export const purgeIdentity = Effect.fn("purgeIdentity")(function* () {
  const repo = yield* IdentityPurgeRepo
  return yield* Effect.all({
    access_tokens: purge(repo.accessTokens),
    family_tokens: purge(repo.familyTokens),
    family_codes: purge(repo.familyCodes),
    families: purge(repo.families),
    unused_codes: purge(repo.unusedCodes),
    sessions: purge(repo.sessions),
    devices: purge(repo.devices),
    password_resets: purge(repo.passwordResets),
    login_failures: purge(repo.loginFailures)
  })
}, Effect.provide(IdentityPurgeRepo.layer))
