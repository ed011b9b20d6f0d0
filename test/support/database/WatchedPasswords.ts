import { Effect, Layer } from "effect"
import { Passwords } from "../../../src/platform/crypto/Passwords.ts"
import type { App } from "../App.ts"

/** The service of passwords, which appends the number of open transactions to `open` whenever it hashes a password. */
export const watchedPasswords = (app: App, open: Array<number>) =>
  Layer.effect(
    Passwords,
    Effect.map(Passwords, (passwords) =>
      Passwords.of({
        ...passwords,
        hash: (password) =>
          Effect.andThen(
            Effect.promise(async () => {
              const found = await app.inDatabase(
                `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
              )
              open.push(found.length)
            }),
            passwords.hash(password)
          )
      })
    )
  )
