import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"

const hint_characters = 4

/** An encrypted secret that was rotated, and that signs deliveries until it expires. */
export const PreviousSecret = Schema.Struct({ secret: Schema.String, until: Timestamp })
export type PreviousSecret = typeof PreviousSecret.Type

/** Selects the secrets that have not expired; the text order of timestamps is their time order. */
export const stillSigning = (secrets: ReadonlyArray<PreviousSecret>, at: Timestamp): ReadonlyArray<PreviousSecret> =>
  secrets.filter(({ until }) => until > at)

/** Binds an encrypted secret to its webhook, so that it cannot be decrypted anywhere else. */
export const secretContext = (organization_id: number, webhook_id: number): string =>
  `webhook:${organization_id}:${webhook_id}`

/** Lets a person identify a secret without revealing enough to sign with it. */
export const secretHint = (secret: string): string => `...${secret.slice(-hint_characters)}`
