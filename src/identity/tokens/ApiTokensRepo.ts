import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { limitOf, offsetOf, type PageRequest } from "../../kernel/Envelope.ts"
import { OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { ApiToken } from "./ApiToken.ts"
import { traced } from "../../platform/sql/Traced.ts"

const OrganizationToken = Schema.Struct({ organization_id: OrganizationId, id: TokenId })

const { created_at: _created, id: _id, ...insertable } = ApiToken.fields

export class ApiTokensRepo extends Context.Service<ApiTokensRepo>()("invoicing/identity/tokens/ApiTokensRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal("id, kind, name, user_id, organization_id, scopes, created_at, expires_at")
    const live = sql.literal("revoked_at is null and (expires_at is null or expires_at > now())")

    const insert = SqlSchema.findOne({
      Request: Schema.Struct({ ...insertable, hash: Schema.Uint8Array }),
      Result: ApiToken,
      execute: (row) => sql`insert into tokens ${sql.insert(row)} returning ${columns}`
    })
    /** Finds a session that has not ended. While the caller has locked the user, a new password cannot end it. */
    const findSession = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Schema.Struct({ user_id: UserId }),
      execute: (hash) => sql`
        select user_id from sessions where hash = ${hash} and revoked_at is null and expires_at > clock_timestamp()`
    })
    const listPersonal = SqlSchema.findAll({
      Request: UserId,
      Result: ApiToken,
      execute: (user_id) => sql`
        select ${columns} from tokens where user_id = ${user_id} and kind = 'personal' and ${live} order by id desc`
    })
    const pages = pagesOf(ApiToken.fields)
    const listOrganization = Effect.fn("ApiTokensRepo.listOrganization")(function* (
      organization_id: OrganizationId,
      request: PageRequest
    ) {
      const where = sql`organization_id = ${organization_id} and kind = 'organization' and ${live}`
      return yield* pages(
        request,
        (request) => sql<Listed>`
        select ${columns}, (select count(*)::integer from tokens where ${where}) as list_total
        from tokens where ${where} order by id desc limit ${limitOf(request)} offset ${offsetOf(request)}`
      )
    }, Effect.orDie)
    const findOrganization = SqlSchema.findOneOption({
      Request: OrganizationToken,
      Result: ApiToken,
      execute: ({ id, organization_id }) => sql`
        select ${columns} from tokens
        where organization_id = ${organization_id} and id = ${id} and kind = 'organization' and ${live}`
    })
    const revokePersonal = SqlSchema.findOneOption({
      Request: Schema.Struct({ user_id: UserId, id: TokenId }),
      Result: ApiToken,
      execute: ({ id, user_id }) => sql`
        update tokens set revoked_at = now()
        where user_id = ${user_id} and id = ${id} and kind = 'personal' and revoked_at is null returning ${columns}`
    })
    const revokeOrganization = SqlSchema.findOneOption({
      Request: OrganizationToken,
      Result: ApiToken,
      execute: ({ id, organization_id }) => sql`
        update tokens set revoked_at = now()
        where organization_id = ${organization_id} and id = ${id} and kind = 'organization' and revoked_at is null
        returning ${columns}`
    })

    return {
      ...traced("ApiTokensRepo", {
        insert,
        findSession,
        listPersonal,
        findOrganization,
        revokePersonal,
        revokeOrganization
      }),
      listOrganization
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
