import { Schema } from "effect"

export const Environment = Schema.Literals(["production", "sandbox"]).annotate({
  identifier: "NetworkEnvironment",
  description: "`sandbox` marks everything that only a simulated e-invoicing network received or reported."
})
export type Environment = typeof Environment.Type
