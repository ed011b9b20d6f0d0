import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { ProviderCode } from "../Network.ts"
import { Connection, ConnectionKey, SealedConnection } from "./Connection.ts"
import { traced } from "../../../platform/sql/Traced.ts"
import { isHere } from "../../../platform/sql/statements/Moved.ts"

export class ConnectionsRepo extends Context.Service<ConnectionsRepo>()(
  "invoicing/einvoicing/providers/connections/ConnectionsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const shown = sql.literal(Struct.keys(Connection.fields).join(", "))
      const all = sql.literal(Struct.keys(SealedConnection.fields).join(", "))

      const is_here = isHere(sql)

      const find = SqlSchema.findOneOption({
        Request: ConnectionKey,
        Result: SealedConnection,
        execute: ({ organization_id, provider }) => sql`
          select ${all} from provider_connections where organization_id = ${organization_id} and provider = ${provider}`
      })

      const ofOrganization = SqlSchema.findAll({
        Request: OrganizationId,
        Result: Connection,
        execute: (organization_id) => sql`
          select ${shown} from provider_connections where organization_id = ${organization_id} order by provider`
      })

      const list = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Connection,
        execute: () => sql`
          select ${shown} from provider_connections where ${is_here} order by organization_id, provider`
      })

      /**
       * Lists the working connections first. Among these, and among the others, the one that was used longest ago comes
       * first, so that periodic work reaches every connection even if each run has time only for some.
       */
      const inTurn = SqlSchema.findAll({
        Request: Schema.Void,
        Result: SealedConnection,
        execute: () => sql`
          select ${all} from provider_connections where ${is_here}
          order by last_error is not null, greatest(last_exchange_at, last_error_at) nulls first, organization_id, provider`
      })

      /** Counts, by provider and across organizations, the connections that fail and had no success for that time. */
      const failing = SqlSchema.findAll({
        Request: Schema.Struct({ hours_min: Schema.Int }),
        Result: Schema.Struct({ provider: ProviderCode, connections: Schema.Int }),
        execute: ({ hours_min }) => sql`
          select provider, count(*)::integer as connections from provider_connections
          where last_error is not null and ${is_here}
            and coalesce(last_exchange_at, connected_at) < now() - make_interval(hours => ${hours_min})
          group by provider`
      })

      /** Saves a connection, unless another organization is connected to the same account. */
      const save = SqlSchema.findOneOption({
        Request: Schema.Struct({
          ...Struct.pick(SealedConnection.fields, [
            "organization_id",
            "provider",
            "adapter",
            "environment",
            "sealed_settings",
            "updated_at"
          ]),
          account: Schema.String
        }),
        Result: Connection,
        execute: ({ account, adapter, environment, organization_id, provider, sealed_settings, updated_at }) => sql`
          insert into provider_connections
            (organization_id, provider, adapter, account, environment, sealed_settings, connected_at, updated_at)
          select ${organization_id}, ${provider}, ${adapter}, ${account}, ${environment}, ${sealed_settings},
            ${updated_at}, ${updated_at}
          where not exists (
            select from provider_connections other
            where other.adapter = ${adapter} and other.account = ${account}
              and other.organization_id <> ${organization_id}
          )
          on conflict (organization_id, provider) do update set adapter = excluded.adapter,
            account = excluded.account, environment = excluded.environment, sealed_settings = excluded.sealed_settings,
            updated_at = excluded.updated_at, last_error = null, last_error_at = null, paused_until = null
          returning ${shown}`
      })

      const remove = SqlSchema.findOneOption({
        Request: ConnectionKey,
        Result: Connection,
        execute: ({ organization_id, provider }) => sql`
          delete from provider_connections where organization_id = ${organization_id} and provider = ${provider}
          returning ${shown}`
      })

      const noteAnswer = SqlSchema.void({
        Request: ConnectionKey,
        execute: ({ organization_id, provider }) => sql`
          update provider_connections set last_exchange_at = now(), last_error = null, last_error_at = null
          where organization_id = ${organization_id} and provider = ${provider}`
      })

      const noteFailure = SqlSchema.void({
        Request: Schema.Struct({
          ...ConnectionKey.fields,
          message: Schema.String,
          pause_seconds: Schema.NullOr(Schema.Finite)
        }),
        execute: ({ message, organization_id, pause_seconds, provider }) => sql`
          update provider_connections set last_error = ${message}, last_error_at = now(),
            paused_until = coalesce(now() + make_interval(secs => ${pause_seconds}), paused_until)
          where organization_id = ${organization_id} and provider = ${provider}`
      })

      return {
        ...traced("ConnectionsRepo", { find, ofOrganization, failing, save, remove, noteAnswer, noteFailure }),
        list: list(undefined).pipe(Effect.orDie, Effect.withSpan("ConnectionsRepo.list")),
        inTurn: inTurn(undefined).pipe(Effect.orDie, Effect.withSpan("ConnectionsRepo.inTurn"))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
