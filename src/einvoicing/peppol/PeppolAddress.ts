import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import type { ParticipantIdentifier } from "../providers/Provider.ts"

export const peppolAddress = ({ scheme, value }: ParticipantIdentifier): string => `${easCode(scheme)}:${value}`

/** Reads an address in the spelling of Peppol, such as `0208:0202239951`. */
export const peppolIdentifier = (address: string): ParticipantIdentifier => {
  const at = address.indexOf(":")
  return { scheme: address.slice(0, at), value: address.slice(at + 1) }
}
