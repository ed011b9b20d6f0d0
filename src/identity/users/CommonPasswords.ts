import { Effect } from "effect"

/** The list is loaded with the first new password, because loading takes 50 ms and most processes never need it. */
const load = Effect.promise(() => import("@zxcvbn-ts/language-common"))

/** The 49,233 most common passwords of past breaches (OWASP ASVS 5.0, 6.2.4). Letter case does not matter. */
export const commonPasswords = Effect.map(
  Effect.cached(Effect.map(load, ({ dictionary }) => new Set(dictionary["passwords-common"]))),
  (list) => (password: string) => Effect.map(list, (common) => common.has(password.toLowerCase()))
)
