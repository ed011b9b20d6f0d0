import { Effect, Option } from "effect"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { france } from "../countries/France.ts"
import {
  type Answer,
  type Enrollment,
  NetworkRefused,
  NetworkUnavailable,
  type Participant,
  type ParticipantIdentifier
} from "../providers/Provider.ts"
import { temporary } from "../providers/RestAnswer.ts"
import { DirectoryLineAnswer, DirectoryLinesAnswer } from "./PlatformApi.ts"
import type { PlatformClient } from "./PlatformClient.ts"
import { directory_scheme } from "../countries/FrenchCodes.ts"

interface Line {
  readonly name: string | null
  /** True for a public body. Invoices to it are business to government. */
  readonly isPublic: boolean
}

type DirectoryLine = typeof DirectoryLineAnswer.Type

const isInForce = ({ directoryLineStatus: status }: DirectoryLine): boolean =>
  status === undefined || status === null || status === "Enabled"

/** True for a line that starts on a later day. Platforms do not tell the day. */
const isUpcoming = ({ directoryLineStatus: status }: DirectoryLine): boolean => status === "Upcoming"

const country_code = CountryCode.make(france.code)

/** Reads the French directory of recipients (annuaire) through a platform. */
export const annuaireOf = ({ ask, call, read }: PlatformClient, directory_url: string) => {
  const base = `${directory_url.replace(/\/+$/, "")}/v1`

  /** Finds the entry of the directory that is in force for an address, which may be a SIREN or a SIRET. */
  const find = Effect.fn("Annuaire.find")(function* (identifier: ParticipantIdentifier) {
    const { scheme, value } = france.routed(identifier)
    if (easCode(scheme) !== directory_scheme) return Option.none<Line>()
    const url = `${base}/directory-line/code:${encodeURIComponent(value)}?include=siren`
    const answer = yield* call(DirectoryLineAnswer, { method: "GET", url }).pipe(
      Effect.map(({ value: line }) => Option.some(line)),
      Effect.catchTag("Unexpected", (error) =>
        error.status === 404 ? Effect.succeedNone : Effect.fail(new NetworkUnavailable({ message: error.message }))
      ),
      temporary
    )
    return Option.map(Option.filter(answer, isInForce), ({ legalUnit }): Line => ({
      name: legalUnit?.businessName ?? null,
      isPublic: legalUnit?.entityType === "Public"
    }))
  })

  const lookup = (identifier: ParticipantIdentifier) =>
    Effect.map(
      find(identifier),
      Option.map(({ name }): Participant => ({
        ...identifier,
        name,
        country_code,
        document_types: ["invoice", "credit_note"]
      }))
    )

  const linesOf = (value: string) => {
    const filters = { addressingIdentifier: { op: "strict", value } }
    const request = { method: "POST", url: `${base}/directory-line/search`, body: JSON.stringify({ filters }) } as const
    return Effect.map(ask(DirectoryLinesAnswer, request), ({ results }) => results ?? [])
  }

  /** Returns whether an address without an entry in force gets one on a later day. */
  const isExpected = Effect.fn("Annuaire.isExpected")(function* (identifier: ParticipantIdentifier) {
    return (yield* linesOf(france.routed(identifier).value)).some(isUpcoming)
  })

  /**
   * Checks that the directory lists the addresses of a receiver, now or from a later day. XP Z12-013 has no request
   * that adds an address to the directory, so the operator arranges that with the platform.
   */
  const requireLines = Effect.fn("Annuaire.requireLines")(function* ({ identifiers, roles }: Enrollment) {
    if (!roles.acts_as_receiver) return
    for (const identifier of identifiers) {
      const { scheme, value } = france.routed(identifier)
      if (easCode(scheme) !== directory_scheme) continue
      if ((yield* linesOf(value)).some((line) => isInForce(line) || isUpcoming(line))) continue
      return yield* new NetworkRefused({
        code: "refused",
        message: `The French directory has no line ${value}. The platform has to enter it before the registration.`
      })
    }
  }) satisfies (enrollment: Enrollment) => Answer<void>

  return {
    find,
    isExpected,
    lookup,
    requireLines,
    health: temporary(Effect.asVoid(read({ method: "GET", url: `${base}/healthcheck` })))
  }
}
export type Annuaire = ReturnType<typeof annuaireOf>
