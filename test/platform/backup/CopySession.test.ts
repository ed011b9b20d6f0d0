import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { copySession } from "../../../src/platform/backup/CopySession.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { here } from "../../support/service/Service.ts"

const Setting = Schema.Struct({ name: Schema.String, setting: Schema.String })
const read =
  "select name, setting from pg_settings where name in ('extra_float_digits', 'IntervalStyle') order by lower(name)"

layer(testDatabase, { excludeTestServices: true })("the session of a backup", (it) => {
  it.effect("has its settings in a transaction only, so that a pooler passes none on to others", () =>
    Effect.gen(function* () {
      const session = yield* copySession(yield* here)
      const before = yield* session.rows(Setting, read)
      yield* session.begin("isolation level repeatable read, read only")
      const within = yield* session.rows(Setting, read)
      yield* session.run("commit")
      expect(within.map(({ setting }) => setting)).toEqual(["3", "iso_8601"])
      expect(before.map(({ setting }) => setting)).toEqual(["1", "postgres"])
      expect(yield* session.rows(Setting, read)).toEqual(before)
    }).pipe(Effect.scoped)
  )
})
