/** EAS code of the SIREN, which identifies a business. */
export const siren_scheme = "0002"
/** EAS code of the SIRET, which identifies an establishment of a business. */
export const siret_scheme = "0009"
/** EAS code of addresses in the French directory. */
export const directory_scheme = "0225"

/** Types of documents that reduce an earlier invoice (BR-FR-04). */
export const french_credit_notes: ReadonlySet<string> = new Set(["261", "262", "381", "396", "502", "503"])
