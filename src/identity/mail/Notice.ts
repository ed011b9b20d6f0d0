import { Schema } from "effect"

/** Changes of an account about which its user is notified by mail (OWASP ASVS 5.0, 6.3.5 and 6.3.7). */
export const Notice = Schema.Literals([
  "password_changed",
  "email_changed",
  "new_login",
  "new_token",
  "factor_on",
  "factor_off",
  "recovery_used",
  "recovery_renewed"
])
export type Notice = typeof Notice.Type
