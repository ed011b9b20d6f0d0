import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { argon2Sync, randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { Database } from "../../src/platform/sql/Database.ts"
import { useApp } from "../support/App.ts"
import { browser, password, person } from "./Visitor.ts"

const app = useApp()

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "")

/** A hash with the parameters of an earlier version, which the next login replaces. */
const oldHash = (secret: string) => {
  const nonce = randomBytes(16)
  const parameters = { message: secret, nonce, memory: 64, passes: 1, parallelism: 1, tagLength: 32 }
  return `$argon2id$v=19$m=64,t=1,p=1$${base64(nonce)}$${base64(argon2Sync("argon2id", parameters))}`
}

const logIn = async (email: string, secret: string) => (await browser(app).logIn(email, "/login", secret)).status

it("A login that stores the hash of an old password anew leaves a password that was changed meanwhile", async () => {
  const { email, id } = await person(app)
  await app.inDatabase(`update users set password_hash = '${oldHash(password)}' where id = ${id}`)
  const changed = oldHash("another horse, entirely")
  const logins: Array<Promise<number>> = []
  const change = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`update users set password_hash = ${changed} where id = ${id}`
    logins.push(logIn(email, password))
    const waiting = sql`select from pg_locks where not granted`
    yield* Effect.repeat(waiting, { until: ({ length }) => length > 0, schedule: Schedule.spaced("5 millis") })
  })
  await app.run(Effect.orDie(Effect.flatMap(Database, ({ transaction }) => transaction(change))))
  expect(await Promise.all(logins)).toEqual([422])
  expect(await logIn(email, "another horse, entirely")).toBe(303)
  expect(await logIn(email, password)).toBe(422)
})
