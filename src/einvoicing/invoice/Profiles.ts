/** The specification (BT-24) and the business process (BT-23) that a document states. */
export interface Profile {
  readonly customization: string
  readonly process: string | null
  /** The rules that apply in addition to EN 16931 or, in Italy and Spain, in place of it. */
  readonly rules: "none" | "peppol" | "france" | "italy" | "spain"
}

/** EN 16931 alone, which requires no electronic address and has no national rules. */
export const en16931: Profile = { customization: "urn:cen.eu:en16931:2017", process: null, rules: "none" }

/** Peppol BIS Billing 3, which the API names `peppol-bis-billing-3`. */
export const peppolBilling: Profile = {
  customization: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
  process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
  rules: "peppol"
}

/**
 * EN 16931 with the rules of the French reform (XP Z12-012, BR-FR), for two businesses of the French directory.
 * `withFrenchProcess` sets the business process from `operation_nature`.
 */
export const frenchBilling: Profile = { ...en16931, rules: "france" }

/** FatturaPA 1.2, the format of the Sistema di Interscambio, which has its own rules in place of EN 16931. */
export const fatturaPa: Profile = { customization: "fatturapa-1.2", process: null, rules: "italy" }

/** VERI*FACTU: a record for the Spanish tax agency (AEAT), which has its own rules in place of EN 16931. */
export const verifactu: Profile = { customization: "verifactu-1.0", process: null, rules: "spain" }
