import { Layer } from "effect"

/** Everything that is done outside a request: jobs, deliveries, timed work. */
export const Workers = Layer.empty
