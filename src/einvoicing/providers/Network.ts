import { Option, Schema } from "effect"
import { CountryCode } from "../../kernel/Country.ts"

/** Whoever carries documents for a country, contract section 11; switching means to register anew. */
export const ProviderCode = Schema.Literals([
  "peppol",
  "fr_ctc",
  "it_sdi",
  "es_verifactu",
  "pl_ksef",
  "ro_spv",
  "mx_cfdi"
])
export type ProviderCode = typeof ProviderCode.Type

/** A document goes from one access point to another, or first to the tax authority, which clears it. */
export const NetworkModel = Schema.Literals(["network", "clearance"])

export const DocumentType = Schema.Literals(["invoice", "credit_note"])
export type DocumentType = typeof DocumentType.Type

/** A network and who connects to it: here each has one provider, of the same code. */
export interface NetworkDefinition {
  readonly code: ProviderCode
  readonly name: string
  readonly model: typeof NetworkModel.Type
  readonly provider_name: string
  readonly countries: ReadonlyArray<CountryCode>
  /** What a document on it looks like. */
  readonly specification: string
  /** What the provider can be given: the network's own form, or what it makes that of. */
  readonly takes: ReadonlyArray<string>
  /** Whether its participants can be looked up. */
  readonly supports_lookup: boolean
}

/** EN 16931 in UBL, which is the form that this service writes. */
export const peppol_bis = "peppol-bis-billing-3"

const countries = (codes: string) => codes.split(" ").map((code) => CountryCode.make(code))

export const networks: Readonly<Record<ProviderCode, NetworkDefinition>> = {
  peppol: {
    code: "peppol",
    name: "Peppol",
    model: "network",
    provider_name: "Peppol access point",
    countries: countries("BE NL LU DE SE NO DK FI IE AT"),
    specification: peppol_bis,
    takes: [peppol_bis],
    supports_lookup: true
  },
  fr_ctc: {
    code: "fr_ctc",
    name: "French e-invoicing",
    model: "network",
    provider_name: "Plateforme agréée",
    countries: countries("FR"),
    specification: "fr-ctc-ubl",
    takes: [peppol_bis],
    supports_lookup: true
  },
  it_sdi: {
    code: "it_sdi",
    name: "Sistema di Interscambio",
    model: "clearance",
    provider_name: "SdI channel",
    countries: countries("IT"),
    specification: "fatturapa-1.2",
    takes: [peppol_bis],
    supports_lookup: false
  },
  es_verifactu: {
    code: "es_verifactu",
    name: "VERI*FACTU",
    model: "network",
    provider_name: "VERI*FACTU connector",
    countries: countries("ES"),
    specification: "verifactu-1.0",
    takes: [peppol_bis],
    supports_lookup: false
  },
  pl_ksef: {
    code: "pl_ksef",
    name: "KSeF",
    model: "clearance",
    provider_name: "KSeF connector",
    countries: countries("PL"),
    specification: "ksef-fa-3",
    takes: [peppol_bis],
    supports_lookup: false
  },
  ro_spv: {
    code: "ro_spv",
    name: "RO e-Factura",
    model: "clearance",
    provider_name: "SPV connector",
    countries: countries("RO"),
    specification: "ro-cius-ubl",
    takes: [peppol_bis],
    supports_lookup: false
  },
  mx_cfdi: {
    code: "mx_cfdi",
    name: "CFDI",
    model: "clearance",
    provider_name: "PAC connector",
    countries: countries("MX"),
    specification: "cfdi-4.0",
    // Signed by the taxpayer before the provider stamps it: nobody can make one of another form.
    takes: ["cfdi-4.0"],
    supports_lookup: false
  }
}

/** Whether documents of ours can go there at all. */
export const takesOurs = ({ takes }: NetworkDefinition): boolean => takes.includes(peppol_bis)

/** None: e-invoicing is not supported in the country. */
export const networkOf = (country: CountryCode): Option.Option<NetworkDefinition> =>
  Option.fromUndefinedOr(Object.values(networks).find((network) => network.countries.includes(country)))
