import { Layer } from "effect"
import { BillingWorkers } from "./billing/BillingLayer.ts"
import { IdentityWorkers } from "./identity/IdentityLayer.ts"
import { EdgePurgeWorker } from "./platform/http/EdgePurge.ts"
import { JobGauges } from "./platform/jobs/JobGauges.ts"

/** Everything that is done outside a request: jobs, deliveries, timed work. */
export const Workers = Layer.mergeAll(BillingWorkers, IdentityWorkers, EdgePurgeWorker, JobGauges)
