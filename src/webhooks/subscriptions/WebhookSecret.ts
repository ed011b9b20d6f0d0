import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"

const hint_characters = 4

/** An encrypted secret that was rotated, and that signs deliveries until it expires. */
export const PreviousSecret = Schema.Struct({ secret: Schema.String, until: Timestamp })
export type PreviousSecret = typeof PreviousSecret.Type

/** Selects the secrets that have not expired. Timestamps are compared as texts, whose order is the order of time. */
export const stillSigning = (secrets: ReadonlyArray<PreviousSecret>, at: Timestamp): ReadonlyArray<PreviousSecret> =>
  secrets.filter(({ until }) => until > at)

/** Encryption context of a webhook's secret: the secret cannot be decrypted for another webhook. */
export const secretContext = (organization_id: number, webhook_id: number): string =>
  `webhook:${organization_id}:${webhook_id}`

/** Returns the end of a secret, which identifies it for a person but does not suffice to sign with it. */
export const secretHint = (secret: string): string => `...${secret.slice(-hint_characters)}`
