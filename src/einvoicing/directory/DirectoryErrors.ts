import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { type NetworkDefinition, ProviderCode } from "../providers/Network.ts"
import type { NetworkUnavailable } from "../providers/Provider.ts"
import { described } from "../../kernel/Described.ts"

/** Networks in which an authority clears documents have no directory of participants. */
export class LookupUnsupported extends Schema.Error<LookupUnsupported>("LookupUnsupported")(
  {
    ...refusal("LookupUnsupported", "lookup_unsupported"),
    details: described(Schema.Struct({ provider: ProviderCode }), "The provider without a directory.")
  },
  { httpApiStatus: 422, description: "The network has no directory, so its participants cannot be looked up." }
) {
  static of({ code, name }: NetworkDefinition) {
    return new LookupUnsupported({
      message: `Participants of ${name} cannot be looked up.`,
      details: { provider: code }
    })
  }
}

export class CountryUnsupported extends Schema.Error<CountryUnsupported>("CountryUnsupported")(
  refusal("CountryUnsupported", "country_unsupported"),
  { httpApiStatus: 422, description: "E-invoicing is not supported in the country of the customer." }
) {
  static of(country: string) {
    return new CountryUnsupported({ message: `E-invoicing is not supported in ${country}.` })
  }
}

export class IdentifierMissing extends Schema.Error<IdentifierMissing>("IdentifierMissing")(
  refusal("IdentifierMissing", "identifier_missing"),
  { httpApiStatus: 422, description: "The customer has no e-invoicing identifier; set its scheme and its value first." }
) {
  static of() {
    return new IdentifierMissing({ message: "The customer has no e-invoicing identifier." })
  }
}

export class CountryUnresolved extends Schema.Error<CountryUnresolved>("CountryUnresolved")(
  refusal("CountryUnresolved", "country_unresolved"),
  {
    httpApiStatus: 422,
    description:
      "Neither the address of the customer nor the scheme of its identifier names a country; set the country."
  }
) {
  static of() {
    return new CountryUnresolved({
      message: "The customer has no country, and the identifier's scheme does not determine one."
    })
  }
}

export class NetworkDown extends Schema.Error<NetworkDown>("NetworkDown")(
  refusal("NetworkDown", "network_unavailable"),
  { httpApiStatus: 503, description: "The network did not answer; try again later." }
) {
  static of({ message }: NetworkUnavailable) {
    return new NetworkDown({ message })
  }
  static late() {
    return new NetworkDown({ message: "The network did not answer in time." })
  }
}
