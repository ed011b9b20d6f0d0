import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId, OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { StoredScopes } from "../Scope.ts"
import { ConnectedApp } from "./ConnectedApp.ts"
import { traced } from "../../platform/sql/Traced.ts"

const access_seconds = 3600
const refresh_days = 30
const family_days_max = 180
const clients_listed_max = 1000

export const FamilyId = Schema.Int.pipe(Schema.brand("FamilyId"))
export type FamilyId = typeof FamilyId.Type

/** All tokens of one login of a user at a client. */
const Family = Schema.Struct({ user_id: UserId, client_id: ClientId, family_id: FamilyId })
export type Family = typeof Family.Type

const Pair = Schema.Struct({
  ...Family.fields,
  organization_id: Schema.NullOr(OrganizationId),
  access_hash: Schema.Uint8Array,
  access_scopes: Schema.Array(Schema.String),
  refresh_hash: Schema.Uint8Array,
  refresh_scopes: Schema.Array(Schema.String)
})

const Stored = Schema.Struct({
  id: TokenId,
  kind: Schema.Literals(["access", "refresh"]),
  ...Family.fields,
  /** Null for a first-party client. */
  organization_id: Schema.NullOr(OrganizationId),
  /** The primary organization at the login; null for a first-party client, and for a login of an earlier version. */
  primary_organization_id: Schema.NullOr(OrganizationId),
  scopes: Schema.Array(Schema.String),
  live: Schema.Boolean,
  family_live: Schema.Boolean,
  /** Seconds since a refresh token was exchanged; null if it was not. */
  rotated_seconds: Schema.NullOr(Schema.Finite)
})
export type StoredToken = typeof Stored.Type

/** All processes use the database's clock, mostly `clock_timestamp()`, because `now()` is the transaction's start. */
export class TokensRepo extends Context.Service<TokensRepo>()("invoicing/identity/tokens/TokensRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Stored,
      execute: (hash) => sql`
        select t.id, t.kind, t.user_id, t.client_id, t.family_id, t.organization_id, t.scopes,
          f.primary_organization_id,
          t.revoked_at is null and t.expires_at > clock_timestamp() as live,
          f.revoked_at is null and f.expires_at > clock_timestamp() as family_live,
          extract(epoch from clock_timestamp() - t.rotated_at)::float8 as rotated_seconds
        from tokens t join token_families f on f.id = t.family_id
        where t.hash = ${hash}`
    })
    /** Returns no row for a personal token, which belongs to no family. */
    const familyOf = SqlSchema.findOneOption({
      Request: TokenId,
      Result: Family,
      execute: (id) => sql`select user_id, client_id, family_id from tokens where id = ${id} and family_id is not null`
    })
    /** A login has one refresh token that was not rotated. The login ends when this token is revoked or expires. */
    const hasLogin = SqlSchema.findOne({
      Request: Schema.Struct({ user_id: UserId, client_id: ClientId }),
      Result: Schema.Struct({ found: Schema.Boolean }),
      execute: ({ client_id, user_id }) => sql`
        select exists (select from tokens
          where user_id = ${user_id} and client_id = ${client_id} and kind = 'refresh'
            and revoked_at is null and rotated_at is null and expires_at > clock_timestamp()) as found`
    })
    /**
     * Returns the present scopes of the client, or no row if the client was removed. The statement locks the client's
     * row, so that new tokens wait for a change or removal of the client.
     */
    const holdClient = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Schema.Struct({ scopes: StoredScopes }),
      execute: (id) => sql`select scopes from clients where id = ${id} and removed_at is null for share`
    })
    const insertFamily = SqlSchema.findOne({
      Request: Schema.Struct({
        user_id: UserId,
        client_id: ClientId,
        primary_organization_id: Schema.NullOr(OrganizationId)
      }),
      Result: Schema.Struct({ id: FamilyId }),
      execute: ({ client_id, primary_organization_id, user_id }) => sql`
        insert into token_families (user_id, client_id, primary_organization_id, expires_at)
        values (${user_id}, ${client_id}, ${primary_organization_id},
          now() + make_interval(days => ${family_days_max}))
        returning id`
    })
    const insertPair = SqlSchema.findOne({
      Request: Pair,
      Result: Schema.Struct({ expires_in: Schema.Int }),
      // No token expires later than its family, which is all tokens of one login.
      execute: ({ client_id, family_id, organization_id, user_id, ...pair }) => sql`
        with family as (select expires_at from token_families where id = ${family_id}),
        refresh as (
          insert into tokens (kind, hash, user_id, client_id, family_id, organization_id, scopes, expires_at)
          select 'refresh', ${pair.refresh_hash}, ${user_id}, ${client_id}, ${family_id}, ${organization_id},
            ${pair.refresh_scopes}, least(clock_timestamp() + make_interval(days => ${refresh_days}), expires_at)
          from family)
        insert into tokens (kind, hash, user_id, client_id, family_id, organization_id, scopes, expires_at)
        select 'access', ${pair.access_hash}, ${user_id}, ${client_id}, ${family_id}, ${organization_id},
          ${pair.access_scopes}, least(clock_timestamp() + make_interval(secs => ${access_seconds}), expires_at)
        from family
        returning round(extract(epoch from expires_at - clock_timestamp()))::integer as expires_in`
    })
    const rotate = SqlSchema.void({
      Request: TokenId,
      execute: (id) => sql`update tokens set rotated_at = clock_timestamp() where id = ${id} and rotated_at is null`
    })
    const revoke = SqlSchema.findAll({
      Request: TokenId,
      Result: Schema.Struct({ id: TokenId }),
      execute: (id) =>
        sql`update tokens set revoked_at = clock_timestamp() where id = ${id} and revoked_at is null returning id`
    })
    const revokeFamily = SqlSchema.findAll({
      Request: FamilyId,
      Result: Schema.Struct({ id: TokenId }),
      execute: (family_id) => sql`
        with family as (
          update token_families set revoked_at = clock_timestamp() where id = ${family_id} and revoked_at is null)
        update tokens set revoked_at = clock_timestamp()
        where family_id = ${family_id} and revoked_at is null returning id`
    })
    /** A null as `client_id` stands for every client. Personal tokens have no client, so they stay valid. */
    const revokeClients = SqlSchema.void({
      Request: Schema.Struct({ user_id: UserId, client_id: Schema.NullOr(ClientId) }),
      execute: ({ client_id, user_id }) => {
        const of_client = sql`user_id = ${user_id} and client_id = coalesce(${client_id}::uuid, client_id)`
        return sql`
          with families as (
            update token_families set revoked_at = clock_timestamp() where ${of_client} and revoked_at is null),
          codes as (
            update authorization_codes set used_at = clock_timestamp() where ${of_client} and used_at is null)
          update tokens set revoked_at = clock_timestamp() where ${of_client} and revoked_at is null`
      }
    })
    const listClients = SqlSchema.findAll({
      Request: UserId,
      Result: ConnectedApp,
      execute: (user_id) => sql`
        select c.id as client_id, c.name, min(f.created_at) as connected_at
        from token_families f join clients c on c.id = f.client_id
        where f.user_id = ${user_id} and f.revoked_at is null and f.expires_at > now()
        group by c.id, c.name order by c.name, c.id limit ${clients_listed_max}`
    })
    const revokeUser = SqlSchema.findAll({
      Request: UserId,
      Result: Schema.Struct({ id: TokenId }),
      execute: (user_id) => sql`
        with families as (
          update token_families set revoked_at = clock_timestamp() where user_id = ${user_id} and revoked_at is null),
        codes as (
          update authorization_codes set used_at = clock_timestamp() where user_id = ${user_id} and used_at is null),
        ended as (
          update sessions set revoked_at = clock_timestamp() where user_id = ${user_id} and revoked_at is null)
        update tokens set revoked_at = clock_timestamp()
        where user_id = ${user_id} and revoked_at is null returning id`
    })

    return traced("TokensRepo", {
      find,
      familyOf,
      hasLogin,
      holdClient,
      insertFamily,
      insertPair,
      rotate,
      revoke,
      revokeFamily,
      revokeClients,
      listClients,
      revokeUser
    })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
