import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { UserId } from "../../kernel/Ids.ts"

export const SessionId = Schema.Int.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** A browser that is logged in. Its cookie holds the token; this record holds the token's hash. */
export const Session = Schema.Struct({
  id: SessionId,
  hash: Schema.Uint8Array,
  user_id: UserId,
  user_agent: Schema.NullOr(Schema.String),
  /** Network of the browser, e.g. 203.0.113.0/24. */
  network: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: Timestamp,
  /** True between the password and the second step of a login, whose page is then the only accessible one. */
  second_step_due: Schema.Boolean,
  /** True if the user proved their identity within the last minutes, so that important changes need no password. */
  is_fresh: Schema.Boolean
})
export type Session = typeof Session.Type

const browsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS)\//, "Chrome"],
  [/Safari\//, "Safari"]
]
const systems: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"]
]

/** Returns a readable name of the browser, e.g. "Firefox, Windows", or the header itself if the browser is unknown. */
export const browserName = (user_agent: string): string => {
  const named = [browsers, systems].flatMap((kinds) => kinds.find(([pattern]) => pattern.test(user_agent))?.[1] ?? [])
  return named.length === 0 ? user_agent : named.join(", ")
}
