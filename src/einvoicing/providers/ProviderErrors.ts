import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import type { NetworkRefused } from "./Provider.ts"
import { type NetworkDefinition, ProviderCode } from "./Network.ts"
import { described } from "../../kernel/Described.ts"

export class ProviderNotConfigured extends Schema.Error<ProviderNotConfigured>("ProviderNotConfigured")(
  {
    ...refusal("ProviderNotConfigured", "provider_not_configured"),
    details: described(Schema.Struct({ provider: ProviderCode }), "The missing provider.")
  },
  {
    httpApiStatus: 422,
    description: "The organization is not connected to a provider for the network; only an operator can connect it."
  }
) {
  static of({ code, name }: NetworkDefinition) {
    return new ProviderNotConfigured({
      message:
        `The organization is not connected to a provider for ${name}. ` +
        "Its operator can connect the organization with `npm run admin -- einvoicing connect`, or set " +
        "EINVOICING_SANDBOX=true to try e-invoicing with a simulated network.",
      details: { provider: code }
    })
  }

  /** The organization can send, but the installation cannot look up participants. */
  static directory({ code, name }: NetworkDefinition) {
    return new ProviderNotConfigured({
      message:
        `This installation cannot look up participants of ${name}. Its operator has to name the certificates of the ` +
        "network's authorities in PEPPOL_TRUSTED_CERTIFICATES.",
      details: { provider: code }
    })
  }
}

/** The settings are not stored: the provider refuses them, or another organization uses the account. */
export class ConnectionRefused extends Schema.Error<ConnectionRefused>("ConnectionRefused")(
  refusal("ConnectionRefused", "connection_refused")
) {
  static of({ message }: NetworkRefused) {
    return new ConnectionRefused({ message: `The provider refuses the connection: ${message}` })
  }

  static taken() {
    return new ConnectionRefused({ message: "Another organization is connected to this account of the provider." })
  }
}
