import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId, UserId } from "../../kernel/Ids.ts"
import { Client } from "./Client.ts"
import { traced } from "../../platform/sql/Traced.ts"

const SecretHash = Schema.NullOr(Schema.Uint8Array)

const { confidential: _, ...stored } = Client.fields

export class ClientsRepo extends Context.Service<ClientsRepo>()("invoicing/identity/clients/ClientsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      "id, name, first_party, secret_hash is not null as confidential, password_grant, redirect_uris, scopes"
    )

    const insert = SqlSchema.findOne({
      Request: Schema.Struct({ ...stored, secret_hash: SecretHash }),
      Result: Client,
      execute: (row) => sql`insert into clients ${sql.insert(row)} returning ${columns}`
    })
    const find = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Client,
      execute: (id) => sql`select ${columns} from clients where id = ${id} and removed_at is null`
    })
    const lock = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Client,
      execute: (id) => sql`select ${columns} from clients where id = ${id} and removed_at is null for no key update`
    })
    const save = SqlSchema.findOne({
      Request: Schema.Struct(Struct.pick(Client.fields, ["id", "name", "redirect_uris", "scopes"])),
      Result: Client,
      execute: ({ id, ...changed }) =>
        sql`update clients set ${sql.update(changed)} where id = ${id} returning ${columns}`
    })
    const findWithSecret = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Schema.Struct({ ...Client.fields, secret_hash: SecretHash }),
      execute: (id) => sql`select ${columns}, secret_hash from clients where id = ${id} and removed_at is null`
    })
    const setSecret = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: ClientId, secret_hash: Schema.Uint8Array }),
      Result: Client,
      execute: ({ id, secret_hash }) => sql`
        update clients set secret_hash = ${secret_hash} where id = ${id} and secret_hash is not null and removed_at is null
        returning ${columns}`
    })

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ limit: Schema.Int, offset: Schema.Int }),
      Result: Client,
      execute: ({ limit, offset }) => sql`
        select ${columns} from clients where removed_at is null order by created_at desc, id limit ${limit} offset ${offset}`
    })
    const count = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ total: Schema.Int }),
      execute: () => sql`select count(*) as total from clients where removed_at is null`
    })

    /**
     * Locks the users of a client in the order of their ids, so that two changes of clients cannot deadlock. A user with
     * an unused code is about to get the first tokens.
     */
    const lockUsers = SqlSchema.findAll({
      Request: ClientId,
      Result: Schema.Struct({ id: UserId }),
      execute: (id) => sql`
        select id from users where id in (
          select user_id from token_families where client_id = ${id} and revoked_at is null
          union select user_id from authorization_codes where client_id = ${id} and used_at is null)
        order by id for no key update`
    })
    const remove = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Client,
      execute: (id) => sql`
        update clients set removed_at = now() where id = ${id} and removed_at is null returning ${columns}`
    })
    /**
     * Makes the access tokens expire that have other scopes than these. They are not revoked, because a revoked token
     * also ends the operations that were requested with it. Transactions compare the time of the expiry with their own
     * start, so this time is before the start of every transaction that uses the token.
     */
    const expireAccess = SqlSchema.void({
      Request: Schema.Struct(Struct.pick(Client.fields, ["id", "scopes"])),
      execute: ({ id, scopes }) => sql`
        update tokens set expires_at = created_at
        where client_id = ${id} and kind = 'access' and revoked_at is null and expires_at > now()
          and not scopes <@ ${scopes}::text[]`
    })
    const revokeAll = SqlSchema.void({
      Request: ClientId,
      execute: (id) => sql`
        with families as (
          update token_families set revoked_at = clock_timestamp() where client_id = ${id} and revoked_at is null),
        codes as (
          update authorization_codes set used_at = clock_timestamp() where client_id = ${id} and used_at is null)
        update tokens set revoked_at = clock_timestamp() where client_id = ${id} and revoked_at is null`
    })

    return traced("ClientsRepo", {
      insert,
      find,
      lock,
      save,
      findWithSecret,
      list,
      count,
      setSecret,
      lockUsers,
      remove,
      expireAccess,
      revokeAll
    })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
