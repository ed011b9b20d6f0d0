import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { traced } from "../platform/sql/Traced.ts"

export const setup_hours = 24

const Hash = Schema.Struct({ hash: Schema.Uint8Array })

/** Stores setup links by the hashes of their tokens. The SQL statements name no organization, as none exists yet. */
export class SetupLinksRepo extends Context.Service<SetupLinksRepo>()("invoicing/administration/SetupLinksRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const insert = SqlSchema.void({
      Request: Schema.Uint8Array,
      execute: (hash) => sql`
        insert into setup_links (hash, expires_at)
        values (${hash}, now() + make_interval(hours => ${setup_hours}))`
    })
    const find = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Hash,
      execute: (hash) => sql`select hash from setup_links where hash = ${hash} and expires_at > now()`
    })
    /**
     * Deletes and returns all links. Only one of several concurrent requests gets them and creates the organization.
     */
    const endAll = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Hash,
      execute: () => sql`delete from setup_links returning hash`
    })

    return traced("SetupLinksRepo", { insert, find, endAll })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
