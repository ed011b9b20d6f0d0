import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId, OrganizationId, UserId, WebhookId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Ended = Schema.Struct({
  user_id: Schema.NullOr(UserId),
  client_id: Schema.NullOr(ClientId),
  organization_id: Schema.NullOr(OrganizationId)
})

const Disconnected = Schema.Struct({
  id: WebhookId,
  version: Schema.Int,
  created_by: Schema.NullOr(UserId),
  client_id: ClientId
})

export class DisconnectionsRepo extends Context.Service<DisconnectionsRepo>()(
  "invoicing/webhooks/disconnections/DisconnectionsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // Without an organization, the statement reads the webhooks of all organizations, because the access of an
      // application may end in all of them. The locks are taken in the order of the ids.
      const disconnect = SqlSchema.findOne({
        Request: Ended,
        Result: Schema.Struct({ found: Schema.Boolean }),
        execute: ({ client_id, organization_id, user_id }) => sql`
          with held as (
            select id from webhooks
            where client_id in (select id from applications where not first_party) and is_active and deleted_at is null
              and ${organization_id === null ? sql`true` : sql`organization_id = ${organization_id}`}
              and ${client_id === null ? sql`true` : sql`client_id = ${client_id}`}
              and ${user_id === null ? sql`true` : sql`created_by = ${user_id}`}
            order by id for no key update),
          disconnected as (
            update webhooks set is_active = false, disabled_reason = 'disconnected', disconnection_unrecorded = true,
              updated_at = now(), version = version + 1
            from held where webhooks.id = held.id returning 1)
          select exists (select from disconnected) as found`
      })

      // Finds the next organization, so it can name none.
      const after = SqlSchema.findOneOption({
        Request: Schema.Int,
        Result: Schema.Struct({ organization_id: OrganizationId }),
        execute: (organization_id) => sql`
          select organization_id from webhooks where disconnection_unrecorded and organization_id > ${organization_id}
          order by organization_id limit 1`
      })

      /** Returns each disconnected webhook to one caller only. */
      const take = SqlSchema.findAll({
        Request: OrganizationId,
        Result: Disconnected,
        execute: (organization_id) => sql`
          with unrecorded as (
            select id from webhooks where organization_id = ${organization_id} and disconnection_unrecorded
            order by id for no key update),
          taken as (
            update webhooks set disconnection_unrecorded = false from unrecorded
            where webhooks.organization_id = ${organization_id} and webhooks.id = unrecorded.id
            returning webhooks.id, version, created_by, client_id)
          select id, version, created_by, client_id from taken order by id`
      })

      return {
        ...traced("DisconnectionsRepo", { after, take }),
        disconnect: Effect.fn("DisconnectionsRepo.disconnect")(
          (ended: typeof Ended.Type) => Effect.map(disconnect(ended), ({ found }) => found),
          Effect.orDie
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
