import { Schema } from "effect"
import { UserId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { Notice } from "./Notice.ts"

/**
 * The attempts take nearly one day, so that notices outlast outages of the mail server. A link that has expired meanwhile
 * (after 30 minutes) is not mailed any more; the user can request another one.
 */
export const AccountMailQueue = job({
  // Stored jobs have this name, which the queue got when it mailed only links for new passwords.
  name: "identity.password_mail",
  payload: Schema.Struct({
    user_id: UserId,
    /** Random part of the Message-ID, which is the same in every attempt. */
    key: Schema.String,
    /** BCP 47 language of the browser that sent the request. */
    language: Schema.String,
    /** Encrypted token of a link that sets a password or confirms an address; null for a notice. */
    sealed_token: Schema.NullOr(Schema.String),
    /** The default is the notice that the password was changed. */
    notice: Schema.optionalKey(Notice),
    /** Fills the placeholder in the text of the notice. */
    detail: Schema.optionalKey(Schema.String),
    /** Address other than that of the user: the new one that a link confirms, or the former one for a notice. */
    to: Schema.optionalKey(Schema.String)
  }),
  attempts_max: 30,
  back_off: backOff("5 seconds", "1 hour"),
  concurrency: 4,
  time_limit: "1 minute"
})
export type AccountMailJob = (typeof AccountMailQueue)["payload"]["Type"]
