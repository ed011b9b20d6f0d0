import { Data, type Redacted } from "effect"

/** A mail server of an organization, with the organization's login. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** `tls` encrypts from the first byte, `starttls` before the login, and `none` never. */
  readonly security: "tls" | "starttls" | "none"
  readonly user: string
  readonly password: Redacted.Redacted
}

export class MailServerDown extends Data.TaggedError("MailServerDown")<{
  readonly message: string
  /** True if the server refuses the user name or the password. */
  readonly isLogin: boolean
}> {}

export const connect_timeout_ms = 10_000
export const silence_timeout_ms = 30_000
