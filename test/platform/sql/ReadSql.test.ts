import { assert, layer } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { Amount } from "../../../src/kernel/Money.ts"
import { bigints } from "../../../src/platform/sql/statements/Columns.ts"
import { Database, ReadSql } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/database/Postgres.ts"

const users = Effect.gen(function* () {
  const read = yield* ReadSql
  return (yield* read`select name from users where email = ${email} order by name`).length
})
const email = "reader@example.com"

layer(testDatabase, { excludeTestServices: true })("ReadSql", (it) => {
  it.effect("reads what its own transaction has written, and outside of it only what is committed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { apart, transaction } = yield* Database
      const inside = Effect.gen(function* () {
        yield* sql`insert into users (name, email) values ('Reader', ${email})`
        return [yield* users, yield* apart(users)]
      })
      assert.deepStrictEqual(yield* transaction(inside), [1, 0])
      assert.strictEqual(yield* users, 1)
    })
  )

  it.effect("waits neither for a lock on what it reads nor for a connection of the pool", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { transaction } = yield* Database
      const read = yield* ReadSql
      yield* sql`insert into users (name, email) values ('Locked', 'locked@example.com')`
      const found = yield* transaction(
        Effect.gen(function* () {
          const { apart } = yield* Database
          yield* sql`update users set name = 'Changed' where email = 'locked@example.com'`
          const name = read`select name from users where email = 'locked@example.com'`
          return yield* apart(
            Effect.all(
              Array.from({ length: reads }, () => name),
              { concurrency: "unbounded" }
            )
          )
        })
      )
      assert.deepStrictEqual(
        found,
        Array.from({ length: reads }, () => [{ name: "Locked" }])
      )
    })
  )

  it.effect("runs many at the same time, each with its own answer", () =>
    Effect.gen(function* () {
      const read = yield* ReadSql
      const numbers = Array.from({ length: reads }, (_, number) => number)
      const answers = yield* Effect.forEach(numbers, (number) => read`select ${number}::integer as number`, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers,
        numbers.map((number) => [{ number }])
      )
    })
  )

  it.effect("writes and reads 64-bit integers as numbers, and refuses those that a number does not hold exactly", () =>
    Effect.gen(function* () {
      const read = yield* ReadSql
      const ids = [1, 2 ** 31, 2 ** 53 - 1, -1, -(2 ** 31) - 1, -(2 ** 53) + 1, 0, 2 ** 32 - 1]
      for (const id of ids) {
        assert.deepStrictEqual(yield* read`select ${id}::bigint as id, ${id}::text as text`, [{ id, text: String(id) }])
      }
      assert.deepStrictEqual(yield* read`select ${bigints(ids)}::bigint[] as ids`, [{ ids }])
      for (const text of ["9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808"]) {
        const refused = yield* Effect.flip(read`select ${text}::bigint as id`)
        assert.include(String(refused.reason.cause), "not an integer that a number represents exactly")
      }
    })
  )

  it.effect("reads every decimal exactly, and returns other values as texts", () =>
    Effect.gen(function* () {
      const read = yield* ReadSql
      const decode = Schema.decodeUnknownEffect(Schema.Array(Amount))
      const texts = [...decimals(300), "0", "0.000000", "-0.0001", "10000", "99990000", "123456789012.345678", "1e30"]
      const list = `{${texts.join()}}`
      const [columns] = yield* read<{ all: unknown }>`select ${list}::numeric[] as all`
      const [scaled] = yield* read<{ all: unknown }>`select ${list}::numeric(50, 9)[] as all`
      for (const found of [columns?.all, scaled?.all]) {
        const amounts = (yield* decode(found)).map(BigDecimal.normalize)
        assert.deepStrictEqual(
          amounts,
          texts.map((text) => BigDecimal.normalize(BigDecimal.fromStringUnsafe(text)))
        )
      }
      const odd = yield* read`select 'NaN'::numeric as nan, '-Infinity'::numeric as infinity`
      assert.deepStrictEqual(odd, [{ nan: "NaN", infinity: "-Infinity" }])
    })
  )

  it.effect("reports an error to the failed statement only", () =>
    Effect.gen(function* () {
      const read = yield* ReadSql
      const [failed, fine] = yield* Effect.all([Effect.result(read`select 1 / 0`), read`select 1 as one`], {
        concurrency: "unbounded"
      })
      assert.strictEqual(failed._tag, "Failure")
      assert.deepStrictEqual(fine, [{ one: 1 }])
    })
  )
})

/** Decimals of every length and sign, some of them integers and some beyond what a number holds exactly. */
const decimals = (count: number) =>
  fc
    .sample(fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(20), fc.nat(9)), {
      numRuns: count,
      seed
    })
    .map(([value, shortened, scale]) => BigDecimal.format(BigDecimal.make(value / 10n ** BigInt(shortened), scale)))
const seed = 1

/** Number of simultaneous queries. The connections to the database cannot run all of them at the same time. */
const reads = 50
