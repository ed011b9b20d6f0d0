import { Effect, Option } from "effect"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import type { naptrRecords } from "../../platform/outbound/NaptrRecords.ts"
import { NetworkUnavailable, type ParticipantIdentifier } from "../providers/Provider.ts"

const meta_scheme = "iso6523-actorid-upis"
const base32_digits = "abcdefghijklmnopqrstuvwxyz234567"

/** Writes an identifier in lower case, because identifiers of participants are not case-sensitive. */
const spelled = ({ scheme, value }: ParticipantIdentifier) => `${easCode(scheme)}:${value}`.toLowerCase()

export const participantText = (identifier: ParticipantIdentifier): string => `${meta_scheme}::${spelled(identifier)}`

/** DNS name whose NAPTR record has the address of the SMP (Peppol Policy for use of Identifiers 4, SML 1.3). */
export const participantName = (identifier: ParticipantIdentifier, zone: string): string =>
  `${base32(sha256Hex(spelled(identifier)))}.${meta_scheme}.${zone}`

/** Base32 of RFC 4648 in lower case, without padding. */
const base32 = (hexadecimal: string): string => {
  const bits = Array.from(hexadecimal, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? []).map((group) => base32_digits[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** Finds the address of the participant's SMP. None if no SMP is registered for the participant. */
export const locate = Effect.fnUntraced(function* (
  resolve: Effect.Success<ReturnType<typeof naptrRecords>>,
  name: string
) {
  const records = yield* resolve(name).pipe(
    Effect.mapError(() => new NetworkUnavailable({ message: "The Peppol directory did not answer." }))
  )
  if (records.length === 0) return Option.none<string>()
  const [first] = records
    .filter(({ flags, service }) => flags.toUpperCase() === "U" && service === "Meta:SMP")
    .toSorted((a, b) => a.order - b.order || a.preference - b.preference)
  const address = first === undefined ? undefined : addressIn(first.regexp)
  if (address !== undefined) return Option.some(address)
  return yield* new NetworkUnavailable({ message: "The Peppol directory names no SMP for the participant." })
})

/** Reads the SMP's address in the substitution of a NAPTR record, such as `!.*!https://smp.example.com!`. */
const addressIn = (substitution: string): string | undefined => {
  const [, , address] = /^(.)\^?\.\*\$?\1(.*)\1i?$/.exec(substitution) ?? []
  // A backslash refers to a part of the matched DNS name, so the text is not a complete address.
  return address?.includes("\\") === true ? undefined : address
}
