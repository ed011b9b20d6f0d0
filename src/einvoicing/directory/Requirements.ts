import { Option, Schema } from "effect"
import { easCode, identifierScheme } from "../../customers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { type NetworkDefinition, NetworkModel, ProviderCode } from "../providers/Network.ts"

/** The nature of a legal entity, which decides its scheme. */
export const Nature = Schema.Literals(["company", "individual", "government"]).annotate({
  identifier: "CounterpartyNature"
})
export type Nature = typeof Nature.Type

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
  model: NetworkModel
}).annotate({ identifier: "EinvoicingRequirements" })
export type Requirements = typeof Requirements.Type

interface CountryRules {
  /** The schemes of a company; the first one is required. Other natures have their own list where it differs. */
  readonly company: ReadonlyArray<string>
  readonly individual?: ReadonlyArray<string>
  readonly government?: ReadonlyArray<string>
  /** The scheme of the VAT number, which a registration may add as a second address. */
  readonly vat?: string
}

const rules: Readonly<Record<string, CountryRules>> = {
  BE: { company: ["0208"], vat: "9925" },
  NL: { company: ["0106"], government: ["0190"], vat: "9944" },
  LU: { company: ["9938"], vat: "9938" },
  DE: { company: ["9930"], government: ["0204"], vat: "9930" },
  SE: { company: ["0007"] },
  NO: { company: ["0192"] },
  DK: { company: ["0184"] },
  FI: { company: ["0216"] },
  IE: { company: ["9935"], vat: "9935" },
  AT: { company: ["9914"], vat: "9914" },
  FR: { company: ["FR:SIREN", "FR:SIRET", "FR:CTC"], vat: "9957" },
  IT: { company: ["0211"], individual: ["0210"], government: ["0201"], vat: "0211" },
  ES: { company: ["9920"], vat: "9920" },
  PL: { company: ["9945"], vat: "9945" },
  RO: { company: ["9947"], vat: "9947" },
  MX: { company: ["MX:RFC"] }
}

/** The scheme of a GLN, which Peppol accepts in every country. */
const international = "0088"

/** The scheme under which a VAT number of the country is an address; none where there is no such scheme. */
export const vatScheme = (country: CountryCode): Option.Option<string> => Option.fromUndefinedOr(rules[country]?.vat)

/** True when a registration in the country may use the scheme as its main address. */
export const isSchemeOf = (network: NetworkDefinition, country: CountryCode, scheme: string): boolean =>
  Nature.literals.some((nature) => schemesOf(network, country, nature).some((own) => easCode(own) === easCode(scheme)))

const schemesOf = (network: NetworkDefinition, country: CountryCode, nature: Nature): ReadonlyArray<string> => {
  const { company, vat, ...others }: CountryRules = rules[country] ?? { company: [] }
  const own = nature === "company" ? company : (others[nature] ?? company)
  const all = [...own, ...(vat === undefined ? [] : [vat]), ...(network.code === "peppol" ? [international] : [])]
  return [...new Set(all)]
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

/** Further fields that some countries require. */
const national_fields: Readonly<Record<string, typeof Requirements.fields.registration_fields.Type>> = {
  FR: { required: [], optional: ["annuaire_start_date", "routing_code_label", "routing_code_address"] },
  ES: { required: ["es_sii_registered"], optional: ["es_foral_territory"] }
}

export const requirementsOf = (network: NetworkDefinition, country: CountryCode, nature: Nature): Requirements => {
  const schemes = schemesOf(network, country, nature)
  const national = national_fields[country]
  return {
    country_code: country,
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
      required: [...required_fields, ...(national?.required ?? [])],
      optional: [...optional_fields, ...(national?.optional ?? [])]
    },
    supports_lookup: network.supports_lookup,
    model: network.model
  }
}
