import { Option, Schema } from "effect"
import { easCode, identifierScheme, type SchemeName } from "../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { type EinvoicingCountry, Nature } from "../countries/EinvoicingCountry.ts"
import { NetworkModel, networks, ProviderCode } from "../providers/Network.ts"
import { described } from "../../kernel/Described.ts"

export const Requirements = Schema.Struct({
  country_code: described(CountryCode, "ISO 3166-1 code of the country."),
  nature: Nature,
  provider: ProviderCode,
  network: ProviderCode,
  schemes: described(
    Schema.Array(
      Schema.Struct({
        scheme: described(Schema.String, "Code of the scheme.", "0208"),
        label: described(Schema.String, "Name of the identifier."),
        required: described(
          Schema.Boolean,
          "True for the scheme that others use for lookups; the network accepts every scheme of the list."
        ),
        pattern: described(Schema.String, "Regular expression of a valid identifier."),
        checksum: described(Schema.Boolean, "True if the check digits are verified."),
        example: described(Schema.String, "A valid identifier.")
      })
    ),
    "Identifier schemes of the country."
  ),
  registration_fields: described(
    Schema.Struct({
      required: described(Schema.Array(Schema.String), "Names of the required fields."),
      optional: described(Schema.Array(Schema.String), "Names of the optional fields.")
    }),
    "Fields of the body of a registration."
  ),
  supports_lookup: described(Schema.Boolean, "True if the participants of the network can be looked up."),
  model: NetworkModel,
  supported: described(Schema.Boolean, "True if documents can be sent from the country."),
  unsupported_reason: described(Schema.NullOr(Schema.String), "Why documents cannot be sent; null if they can."),
  law: described(Schema.String, "The obligations of the businesses of the country, in English.")
}).annotate({ identifier: "EinvoicingRequirements", description: "The data that a registration in a country needs." })
export type Requirements = typeof Requirements.Type

/** The scheme of a GLN, which Peppol accepts in every country. */
const international: SchemeName = "0088"

/** True when a registration in the country may use the scheme as its main address. */
export const isSchemeOf = (country: EinvoicingCountry, scheme: string): boolean =>
  Nature.literals.some((nature) => schemesOf(country, nature).some((own) => easCode(own) === easCode(scheme)))

const schemesOf = ({ network, schemes, vat_scheme }: EinvoicingCountry, nature: Nature): ReadonlyArray<SchemeName> => {
  const vat = vat_scheme === null ? [] : [vat_scheme]
  return [...new Set([...schemes[nature], ...vat, ...(network === "peppol" ? [international] : [])])]
}

const required_fields = [
  "organization_id",
  "legal_name",
  "country_code",
  "city",
  "postal_code",
  "address_line1",
  "identifier_scheme",
  "identifier_value"
]

const optional_fields = [
  "address_line2",
  "state",
  "vat_number",
  "tax_reference_id",
  "acts_as_sender",
  "acts_as_receiver",
  "tax_registered",
  "document_types",
  "provider"
]

export const requirementsOf = (
  country: EinvoicingCountry,
  nature: Nature,
  unsupported_reason: string | null
): Requirements => {
  const network = networks[country.network]
  const schemes = schemesOf(country, nature)
  return {
    country_code: CountryCode.make(country.code),
    nature,
    provider: network.code,
    network: network.code,
    schemes: schemes.flatMap((scheme) =>
      Option.match(identifierScheme(scheme), {
        onNone: () => [],
        onSome: ({ example, hasValidCheckDigits, label, pattern }) => [
          {
            scheme,
            label,
            required: scheme === schemes[0],
            pattern: pattern.source,
            checksum: hasValidCheckDigits !== undefined,
            example
          }
        ]
      })
    ),
    registration_fields: {
      required: [...required_fields, ...country.registration.required],
      optional: [...optional_fields, ...country.registration.optional]
    },
    supports_lookup: network.supports_lookup,
    model: network.model,
    supported: unsupported_reason === null,
    unsupported_reason,
    law: country.law
  }
}
