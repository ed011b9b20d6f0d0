import { Schema } from "effect"
import { User } from "../users/User.ts"

export const PasswordLink = Schema.Struct({
  user: User,
  /** The link works once. */
  link: Schema.RedactedFromValue(Schema.String),
  valid_minutes: Schema.Int
})
export type PasswordLink = typeof PasswordLink.Type
