import { Schema } from "effect"

/** `sandbox` marks everything that a simulated e-invoicing network accepted or answered, instead of a real one. */
export const Environment = Schema.Literals(["production", "sandbox"]).annotate({
  identifier: "NetworkEnvironment",
  description:
    "`sandbox` marks everything that a simulated e-invoicing network took or said: no real network or authority did."
})
export type Environment = typeof Environment.Type
