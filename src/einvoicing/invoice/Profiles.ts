/** A specification that a document states to follow (BT-24), with its business process (BT-23). */
export interface Profile {
  readonly customization: string
  readonly process: string | null
  /** The rules beyond those of EN 16931 itself. */
  readonly rules: "none" | "peppol" | "france"
}

/** EN 16931 itself, which asks for no electronic address and has no national rules. */
export const en16931: Profile = { customization: "urn:cen.eu:en16931:2017", process: null, rules: "none" }

/** What the API calls `peppol-bis-billing-3`. */
export const peppolBilling: Profile = {
  customization: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
  process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
  rules: "peppol"
}

/**
 * EN 16931 with the rules of the French reform (XP Z12-012, BR-FR), for documents between two businesses of the French
 * directory. Its process says whether goods or services are invoiced; the document has that from `operation_nature`.
 */
export const frenchBilling: Profile = { ...en16931, rules: "france" }
