import { Effect } from "effect"
import { timed } from "../platform/jobs/Timed.ts"
import { purgeIdentity } from "./IdentityPurge.ts"

export const IdentityPurgeWorker = timed({
  name: "identity.purge",
  every: "1 hour",
  run: Effect.suspend(purgeIdentity)
})
