import { Data, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import type { Resolver } from "node:dns/promises"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { NetworkUnavailable, type ParticipantIdentifier } from "../providers/Provider.ts"

const meta_scheme = "iso6523-actorid-upis"
const base32_digits = "abcdefghijklmnopqrstuvwxyz234567"

/** Identifiers of participants do not distinguish upper and lower case. */
const spelled = ({ scheme, value }: ParticipantIdentifier) => `${easCode(scheme)}:${value}`.toLowerCase()

/** The identifier as it stands in a document of an SMP and in its addresses. */
export const participantText = (identifier: ParticipantIdentifier): string => `${meta_scheme}::${spelled(identifier)}`

/** The name whose NAPTR record names the SMP of a participant (Peppol Policy for use of Identifiers 4, SML 1.3). */
export const participantName = (identifier: ParticipantIdentifier, zone: string): string =>
  `${base32(createHash("sha256").update(spelled(identifier)).digest())}.${meta_scheme}.${zone}`

/** Base32 of RFC 4648 in lower case, without padding. */
const base32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? []).map((group) => base32_digits[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** Codes of an answer that says that the name does not exist, or has no such record. */
const absent = ["ENOTFOUND", "ENODATA"]

class LookupFailed extends Data.TaggedError("LookupFailed")<{ readonly code: string }> {}

/** Finds the address of the participant's SMP. None if no SMP is registered for the participant. */
export const locate = (resolver: Resolver, name: string) =>
  Effect.tryPromise({
    try: () => resolver.resolveNaptr(name),
    catch: (error) => new LookupFailed({ code: error instanceof Error && "code" in error ? String(error.code) : "" })
  }).pipe(
    Effect.flatMap((records) => {
      const [first] = records
        .filter(({ flags, service }) => flags.toUpperCase() === "U" && service === "Meta:SMP")
        .toSorted((a, b) => a.order - b.order || a.preference - b.preference)
      const address = first === undefined ? undefined : addressIn(first.regexp)
      return address === undefined
        ? Effect.fail(new NetworkUnavailable({ message: "The Peppol directory names no SMP for the participant." }))
        : Effect.succeedSome(address)
    }),
    Effect.catchTag("LookupFailed", ({ code }) =>
      absent.includes(code)
        ? Effect.succeedNone
        : Effect.fail(new NetworkUnavailable({ message: "The Peppol directory did not answer." }))
    ),
    Effect.withSpan("ServiceLocator.locate", { attributes: { "dns.question.name": name } })
  )

/** Reads the address in a substitution such as `!.*!https://smp.example.com!`, which replaces the whole name. */
const addressIn = (substitution: string): string | undefined => {
  const [, , address] = /^(.)\^?\.\*\$?\1(.*)\1i?$/.exec(substitution) ?? []
  return Option.getOrUndefined(Option.filter(Option.fromUndefinedOr(address), (text) => !text.includes("\\")))
}
