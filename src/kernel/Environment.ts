import { Schema } from "effect"

/** `sandbox` marks everything that a simulated e-invoicing network accepted or answered, instead of a real one. */
export const Environment = Schema.Literals(["production", "sandbox"]).annotate({
  identifier: "NetworkEnvironment",
  description: "`sandbox` marks everything that only a simulated e-invoicing network received or reported."
})
export type Environment = typeof Environment.Type
