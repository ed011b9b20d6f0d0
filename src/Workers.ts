import { Layer } from "effect"
import { WebhooksWorkers } from "./webhooks/WebhooksLayer.ts"

/** Everything that is done outside a request: jobs, deliveries, timed work. */
export const Workers = Layer.mergeAll(WebhooksWorkers)
