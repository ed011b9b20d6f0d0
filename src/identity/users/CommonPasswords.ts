import { Effect } from "effect"

/** The list is loaded with the first new password, because loading takes 50 ms and most processes never need it. */
const load = Effect.promise(() => import("@zxcvbn-ts/language-common"))

/**
 * Checks whether a password is one of the 49,233 most common ones of past breaches (OWASP ASVS 5.0, 6.2.4). Upper and
 * lower case count as the same.
 */
export const commonPasswords = Effect.map(
  Effect.cached(Effect.map(load, ({ dictionary }) => new Set(dictionary["passwords-common"]))),
  (list) => (password: string) => Effect.map(list, (common) => common.has(password.toLowerCase()))
)
