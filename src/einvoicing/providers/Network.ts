import { Schema } from "effect"

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
