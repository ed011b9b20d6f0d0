import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { type NetworkDefinition, ProviderCode } from "./Network.ts"
import { described } from "../../kernel/Described.ts"

export class ProviderNotConfigured extends Schema.Error<ProviderNotConfigured>("ProviderNotConfigured")(
  {
    ...refusal("ProviderNotConfigured", "provider_not_configured"),
    details: described(Schema.Struct({ provider: ProviderCode }), "The missing provider.")
  },
  {
    httpApiStatus: 422,
    description: "This installation has no provider for the network; only its operator can set one up."
  }
) {
  static of({ code, name }: NetworkDefinition) {
    return new ProviderNotConfigured({
      message:
        `This installation has no provider for ${name}. ` +
        "Its operator can set EINVOICING_SANDBOX=true to try e-invoicing with a simulated network.",
      details: { provider: code }
    })
  }
}
