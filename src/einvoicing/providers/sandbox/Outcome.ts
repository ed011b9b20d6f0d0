import { easCode } from "../../../customers/NetworkIdentifier.ts"
import type { ParticipantIdentifier } from "../Provider.ts"

/** What the sandbox makes of a document, a question or an enrollment. */
export type Outcome =
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
 * Magic identifiers, for integrators' tests: GLNs (scheme 0088) of the GS1 prefix 952, which is for demonstrations only.
 * Every network of the sandbox knows them. As recipient, they decide what becomes of a document; as an organization's own
 * identifier, the last four decide what becomes of its registration.
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

export const magic_scheme = "0088"

/** The Italian authority is asked when an organization registers; these VAT numbers are no company's. */
const italian_scheme = "0211"
const italian: ReadonlyMap<string, Outcome> = new Map([
  ["IT99999980016", "refused"],
  ["IT99999990015", "unavailable"]
])

/** Everybody else accepts what they get. */
export const outcomeOf = ({ scheme, value }: ParticipantIdentifier): Outcome => {
  const code = easCode(scheme)
  const known = code === magic_scheme ? magic : code === italian_scheme ? italian : undefined
  return known?.get(value) ?? "accepted"
}

/** Those who can be written to without having registered. */
export const magicValues: ReadonlyArray<string> = [...magic.keys()]
