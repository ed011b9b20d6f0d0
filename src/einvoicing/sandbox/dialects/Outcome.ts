import { easCode } from "../../../customers/identifiers/NetworkIdentifier.ts"
import type { ParticipantIdentifier } from "../../providers/Provider.ts"
import { directory_scheme } from "../../countries/FrenchCodes.ts"

/** The result that the sandbox gives to a document, a lookup or an enrollment. */
export type Outcome =
  | "delivered"
  | "accepted"
  | "paid"
  | "rejected"
  | "under_query"
  | "conditionally_accepted"
  | "silent"
  | "undeliverable"
  | "refused"
  | "unavailable"
  | "unavailable_at_first"
  | "update_refused"
  | "update_unavailable"

/**
 * Magic identifiers: GLNs (scheme 0088) with the GS1 prefix 952, which is reserved for demonstrations. In every network
 * of the sandbox, the identifier of a recipient decides the outcome of a document. If an organization registers such an
 * identifier, `refused` and `unavailable` apply to its registration, and `update_refused` and `update_unavailable` to
 * changes of the registration.
 */
const magic: ReadonlyMap<string, Outcome> = new Map([
  ["9520000000011", "accepted"],
  ["9520000000028", "paid"],
  ["9520000000035", "rejected"],
  ["9520000000042", "under_query"],
  ["9520000000059", "conditionally_accepted"],
  ["9520000000066", "silent"],
  ["9520000000073", "undeliverable"],
  ["9520000000080", "refused"],
  ["9520000000097", "unavailable"],
  ["9520000000103", "unavailable_at_first"],
  ["9520000000110", "update_refused"],
  ["9520000000127", "update_unavailable"]
])

const magic_scheme = "0088"

/** Scheme of Italian VAT numbers. The magic numbers below decide the outcome of a registration; no company has them. */
const italian_scheme = "0211"
const italian: ReadonlyMap<string, Outcome> = new Map([
  ["IT99999980016", "refused"],
  ["IT99999990015", "unavailable"]
])

/** Returns the outcome for a participant. A participant without a magic identifier accepts every document. */
export const outcomeOf = ({ scheme, value }: ParticipantIdentifier): Outcome => {
  const code = easCode(scheme)
  const known = code === italian_scheme ? italian.get(value) : magic.get(glnIn({ scheme: code, value }))
  return known ?? "accepted"
}

/** True for the identifiers that can receive without a registration. */
export const isMagic = (identifier: ParticipantIdentifier): boolean => magic.has(glnIn(identifier))

const glnIn = ({ scheme, value }: ParticipantIdentifier): string => {
  // An address of the French directory ends with the GLN, as in 732829320_9520000000011.
  if (scheme === directory_scheme) return value.split("_").at(-1) ?? ""
  return scheme === magic_scheme ? value : ""
}
