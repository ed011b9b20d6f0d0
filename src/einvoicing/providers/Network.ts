import { Option, Schema } from "effect"
import { CountryCode } from "../../kernel/Country.ts"

/** The providers that carry documents of a country (contract section 11). Switching requires a new registration. */
export const ProviderCode = Schema.Literals([
  "peppol",
  "fr_ctc",
  "it_sdi",
  "es_verifactu",
  "pl_ksef",
  "ro_spv",
  "mx_cfdi"
]).annotate({ identifier: "ProviderCode" })
export type ProviderCode = typeof ProviderCode.Type

/**
 * In a `network`, documents go from access point to access point; with `clearance`, the tax authority approves them
 * first.
 */
export const NetworkModel = Schema.Literals(["network", "clearance"]).annotate({ identifier: "NetworkModel" })

export const DocumentType = Schema.Literals(["invoice", "credit_note"]).annotate({ identifier: "EinvoiceDocumentType" })
export type DocumentType = typeof DocumentType.Type

/** A network with its provider. Each network has one provider, which has the same code. */
export interface NetworkDefinition {
  readonly code: ProviderCode
  readonly name: string
  readonly model: typeof NetworkModel.Type
  readonly provider_name: string
  readonly countries: ReadonlyArray<CountryCode>
  /** The document format of the network. */
  readonly specification: string
  /** The formats that the provider accepts and converts where needed. */
  readonly takes: ReadonlyArray<string>
  /** True when its participants can be looked up. */
  readonly supports_lookup: boolean
}

/** The format that this service writes: EN 16931 in UBL. */
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
    // The taxpayer signs a CFDI before the provider stamps it, so no provider can convert another format.
    takes: ["cfdi-4.0"],
    supports_lookup: false
  }
}

/** True when the provider accepts the format that this service writes. */
export const takesOurs = ({ takes }: NetworkDefinition): boolean => takes.includes(peppol_bis)

/** Finds the network of a country; None where e-invoicing is not supported. */
export const networkOf = (country: CountryCode): Option.Option<NetworkDefinition> =>
  Option.fromUndefinedOr(Object.values(networks).find((network) => network.countries.includes(country)))
