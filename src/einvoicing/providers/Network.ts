import { Schema } from "effect"

/** The e-invoicing providers (rules/e-invoicing.md, Networks). Switching to another requires a new registration. */
export const ProviderCode = Schema.Literals([
  "peppol",
  "fr_ctc",
  "it_sdi",
  "es_verifactu",
  "pl_ksef",
  "ro_spv",
  "mx_cfdi"
]).annotate({
  identifier: "ProviderCode",
  description:
    "Provider that carries the documents of a country. Each network has one provider, which has the same code."
})
export type ProviderCode = typeof ProviderCode.Type

export const NetworkModel = Schema.Literals(["network", "clearance"]).annotate({
  identifier: "NetworkModel",
  description:
    "`network`: documents go from access point to access point; `clearance`: the tax authority approves them first."
})

export const DocumentType = Schema.Literals(["invoice", "credit_note"]).annotate({
  identifier: "EinvoiceDocumentType",
  description: "Type of a document on an e-invoicing network."
})
export type DocumentType = typeof DocumentType.Type

/** Each network has one provider, which has the same code. */
export interface NetworkDefinition {
  readonly code: ProviderCode
  readonly name: string
  readonly model: typeof NetworkModel.Type
  readonly supports_lookup: boolean
  /** True for an authority that must get every document, however late, and does not pass documents on to recipients. */
  readonly registers?: boolean
}

export const networks: Readonly<Record<ProviderCode, NetworkDefinition>> = {
  peppol: {
    code: "peppol",
    name: "Peppol",
    model: "network",
    supports_lookup: true
  },
  fr_ctc: {
    code: "fr_ctc",
    name: "French e-invoicing",
    model: "network",
    supports_lookup: true
  },
  it_sdi: {
    code: "it_sdi",
    name: "Sistema di Interscambio",
    model: "clearance",
    supports_lookup: false
  },
  es_verifactu: {
    code: "es_verifactu",
    name: "VERI*FACTU",
    model: "network",
    supports_lookup: false,
    registers: true
  },
  pl_ksef: {
    code: "pl_ksef",
    name: "KSeF",
    model: "clearance",
    supports_lookup: false
  },
  ro_spv: {
    code: "ro_spv",
    name: "RO e-Factura",
    model: "clearance",
    supports_lookup: false
  },
  mx_cfdi: {
    code: "mx_cfdi",
    name: "CFDI",
    model: "clearance",
    supports_lookup: false
  }
}
