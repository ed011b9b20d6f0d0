import { Effect, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { ReadSql } from "../Database.ts"

/** Reserves the id of a new record, so that the statement that inserts the record can write its events as well. */
export const nextIdOf = <Id>(sql: ReadSql["Service"], table: string, id: Schema.Codec<Id, number>) => {
  const next = SqlSchema.findOne({
    Request: Schema.Void,
    Result: Schema.Struct({ id }),
    execute: () => sql`select nextval(${`${table}_id_seq`}) as id`
  })
  return Effect.orDie(Effect.map(next(), ({ id }) => id))
}
