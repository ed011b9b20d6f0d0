import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { type NetworkDefinition, ProviderCode } from "./Network.ts"

export class ProviderNotConfigured extends Schema.Error<ProviderNotConfigured>("ProviderNotConfigured")(
  {
    ...refusal("ProviderNotConfigured", "provider_not_configured"),
    details: Schema.Struct({ provider: ProviderCode })
  },
  { httpApiStatus: 422 }
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
