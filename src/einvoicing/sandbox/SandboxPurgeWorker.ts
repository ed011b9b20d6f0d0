import { Effect } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { purgeSandbox } from "./SandboxPurge.ts"

export const SandboxPurgeWorker = timed({
  name: "sandbox_network.purge",
  every: "1 day",
  run: Effect.suspend(purgeSandbox)
})
