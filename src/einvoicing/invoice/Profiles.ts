/** A specification that a document states to follow (BT-24), with its business process (BT-23). */
export interface Profile {
  readonly customization: string
  readonly process: string | null
}

/** EN 16931 itself, which asks for no electronic address and has no national rules. */
export const en16931: Profile = { customization: "urn:cen.eu:en16931:2017", process: null }

/** What the API calls `peppol-bis-billing-3`. */
export const peppolBilling: Profile = {
  customization: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
  process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
}
