import { Schema } from "effect"
import { Timestamp } from "../kernel/Calendar.ts"

const hint_characters = 4

/** One that was rotated away, sealed. It signs, too, until its time is over. */
export const PreviousSecret = Schema.Struct({ secret: Schema.String, until: Timestamp })
export type PreviousSecret = typeof PreviousSecret.Type

/** Those that still sign. Text order of timestamps is time order. */
export const stillSigning = (secrets: ReadonlyArray<PreviousSecret>, at: Timestamp): ReadonlyArray<PreviousSecret> =>
  secrets.filter(({ until }) => until > at)

/** What a sealed secret belongs to: it opens nowhere else. */
export const secretContext = (organization_id: number, webhook_id: number): string =>
  `webhook:${organization_id}:${webhook_id}`

/** Enough to tell two secrets apart, and to sign nothing. */
export const secretHint = (secret: string): string => `...${secret.slice(-hint_characters)}`
