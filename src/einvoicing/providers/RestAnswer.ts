import { Data, Effect, Option } from "effect"
import type { WholeAnswer } from "../../platform/outbound/Outbound.ts"
import { NetworkUnavailable } from "./Provider.ts"

export const json_type = "application/json"

const retry_after_seconds_default = 60
const retry_after_seconds_max = 3_600

export class Unexpected extends Data.TaggedError("Unexpected")<{
  readonly status: number
  readonly message: string
  /** The names of the fields, rules or errors that the provider reports. */
  readonly fields: ReadonlyArray<string>
  readonly answer: WholeAnswer
}> {}

export class Unanswered extends Data.TaggedError("Unanswered")<{
  readonly message: string
  /** False if the request was certainly never sent. */
  readonly left: boolean
}> {}

/** Returns the error for an answer with status 429. The pause is the one that the provider requested, within limits. */
export const busy = ({ retry_after }: WholeAnswer) => {
  const asked = Option.match(retry_after, { onNone: () => Number.NaN, onSome: Number })
  const seconds = Number.isFinite(asked) && asked > 0 ? asked : retry_after_seconds_default
  return new NetworkUnavailable({
    message: "The provider asks to wait before the next request.",
    retry_after_seconds: Math.min(seconds, retry_after_seconds_max)
  })
}

/** Turns every failure of a call that may be repeated into a temporary one. */
export const temporary = <A>(asked: Effect.Effect<A, Unanswered | Unexpected | NetworkUnavailable>) =>
  Effect.mapError(asked, (error) =>
    error._tag === "NetworkUnavailable" ? error : new NetworkUnavailable({ message: error.message })
  )
