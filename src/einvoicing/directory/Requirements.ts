import { Option, Schema } from "effect"
import { easCode, identifierScheme, type SchemeName } from "../../customers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { type EinvoicingCountry, Nature } from "../countries/EinvoicingCountry.ts"
import { NetworkModel, networks, ProviderCode } from "../providers/Network.ts"

/** The data that a registration in a country needs (contract section 11). */
export const Requirements = Schema.Struct({
  country_code: CountryCode,
  nature: Nature,
  provider: ProviderCode,
  network: ProviderCode,
  schemes: Schema.Array(
    Schema.Struct({
      scheme: Schema.String,
      label: Schema.String,
      /** True for the scheme that others use for lookups; the network accepts every scheme of the list. */
      required: Schema.Boolean,
      /** The regular expression of a valid identifier. */
      pattern: Schema.String,
      /** True when the check digits are verified. */
      checksum: Schema.Boolean,
      example: Schema.String
    })
  ),
  registration_fields: Schema.Struct({
    required: Schema.Array(Schema.String),
    optional: Schema.Array(Schema.String)
  }),
  supports_lookup: Schema.Boolean,
  model: NetworkModel,
  /** False when documents cannot be sent, and then with the reason. */
  supported: Schema.Boolean,
  unsupported_reason: Schema.NullOr(Schema.String),
  /** The obligations of the country's businesses. */
  law: Schema.String
}).annotate({ identifier: "EinvoicingRequirements" })
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
