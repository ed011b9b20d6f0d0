import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { limitOf, offsetOf, type PageRequest } from "../../kernel/Envelope.ts"
import type { EventName } from "../../kernel/EventName.ts"
import { ClientId, OrganizationId, TokenId, UserId, WebhookId } from "../../kernel/Ids.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { nextIdOf } from "../../platform/sql/statements/NextId.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { DisabledReason, every_event, Webhook } from "./Webhook.ts"
import { PreviousSecret } from "./WebhookSecret.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: WebhookId })

export const StoredWebhook = Schema.Struct({
  ...Webhook.fields,
  secret: Schema.String,
  previous_secrets: Schema.Array(PreviousSecret)
})
export type StoredWebhook = typeof StoredWebhook.Type

export interface WebhooksRequest extends PageRequest {
  readonly event?: EventName
  readonly active?: boolean
}

const Draft = Schema.Struct({
  ...Key.fields,
  url: Schema.String,
  events: Webhook.fields.events,
  description: Schema.NullOr(Schema.String),
  is_active: Schema.Boolean,
  secret: Schema.String,
  secret_hint: Schema.String,
  created_by: Schema.NullOr(UserId),
  client_id: Schema.NullOr(ClientId)
})

const Disabled = Schema.Struct({ ...Key.fields, version: Schema.Int, created_by: Schema.NullOr(UserId) })

/** The names of the user and the application that created a webhook, next to their ids. */
const creation = {
  created_by: `(select jsonb_build_object('user_id', p.id, 'name', p.name) from people p
    where p.id = webhooks.created_by)`,
  client: `(select jsonb_build_object('client_id', a.id, 'name', a.name) from applications a
    where a.id = webhooks.client_id)`
}

/** Formats an array parameter; event names contain no characters that need escaping. */
const textArray = (names: ReadonlyArray<string>) => `{${names.map((name) => `"${name}"`).join(",")}}`

/** Ignores deleted webhooks. */
export class WebhooksRepo extends Context.Service<WebhooksRepo>()("invoicing/webhooks/subscriptions/WebhooksRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = yield* ReadSql

    const columns = sql.literal(columnsOf("webhooks", StoredWebhook.fields, creation))

    const live = (organization_id: number) => sql`organization_id = ${organization_id} and deleted_at is null`

    // `for update` would block inserting deliveries that refer to the webhook.
    const select = (locking: "" | "for no key update") =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: StoredWebhook,
        execute: ({ id, organization_id }) => sql`
          select ${columns} from webhooks where ${live(organization_id)} and id = ${id} ${sql.literal(locking)}`
      })

    const lockAll = SqlSchema.void({
      Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(WebhookId) }),
      execute: ({ ids, organization_id }) => sql`
        select id from webhooks where ${live(organization_id)} and ${sql.in("id", ids)}
        order by id for no key update`
    })

    const pages = pagesOf(Webhook.fields)
    const list = Effect.fn("WebhooksRepo.list")(function* (organization_id: OrganizationId, query: WebhooksRequest) {
      const where = sql.and([
        live(organization_id),
        ...conditionsOf(query, {
          event: (event) => sql`events && ${textArray([event, every_event])}::text[]`,
          active: (active) => sql`is_active = ${active}`
        })
      ])
      return yield* pages(
        query,
        (request) => read<Listed>`
        select ${columns}, (select count(*)::integer from webhooks where ${where}) as list_total
        from webhooks where ${where} order by id desc limit ${limitOf(request)} offset ${offsetOf(request)}`
      )
    }, Effect.orDie)

    // The lock makes concurrent requests count an organization's webhooks one after the other.
    const lockCreation = SqlSchema.void({
      Request: OrganizationId,
      execute: (organization_id) =>
        sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${organization_id}`}, 0))`
    })

    const countAll = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ total: Schema.Int }),
      execute: (organization_id) => sql`select count(*) as total from webhooks where ${live(organization_id)}`
    })

    const findTwin = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...Key.fields, url: Schema.String, events: Webhook.fields.events }),
      Result: Schema.Struct({ id: WebhookId }),
      execute: ({ events, id, organization_id, url }) => sql`
        select id from webhooks where ${live(organization_id)} and id <> ${id} and url = ${url}
          and events @> ${textArray(events)}::text[] and events <@ ${textArray(events)}::text[] limit 1`
    })

    const insert = SqlSchema.findOne({
      Request: Draft,
      Result: Webhook,
      execute: ({ client_id, created_by, description, events, id, is_active, organization_id, url, ...signing }) => sql`
        with made as (
          insert into webhooks (id, organization_id, url, events, description, is_active, secret, secret_hint, created_by,
            client_id, after_sequence)
          values (${id}, ${organization_id}, ${url}, ${textArray(events)}::text[], ${description}, ${is_active},
            ${signing.secret}, ${signing.secret_hint}, ${created_by}, ${client_id},
            coalesce((select max(sequence) from outbox where organization_id = ${organization_id}), 0))
          returning *),
        lane as (
          insert into webhook_lanes (webhook_id, organization_id) select id, ${organization_id} from made)
        select ${columns} from made as webhooks`
    })

    const save = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, ...Webhook.fields }),
      Result: Webhook,
      execute: ({ description, disabled_reason, events, id, is_active, organization_id, url }) => sql`
        update webhooks set url = ${url}, events = ${textArray(events)}::text[], description = ${description},
          is_active = ${is_active}, disabled_reason = ${disabled_reason},
          failing_since = case when is_active and url = ${url} then failing_since end, updated_at = now(), version = version + 1
        where ${live(organization_id)} and id = ${id} returning ${columns}`
    })

    const saveSecret = SqlSchema.findOne({
      Request: Schema.Struct({
        ...Key.fields,
        ...Struct.pick(StoredWebhook.fields, ["secret", "secret_hint", "previous_secrets"])
      }),
      Result: Webhook,
      execute: ({ id, organization_id, previous_secrets, secret, secret_hint }) => sql`
        update webhooks set secret = ${secret}, secret_hint = ${secret_hint},
          previous_secrets = ${JSON.stringify(previous_secrets)}::jsonb, updated_at = now(), version = version + 1
        where ${live(organization_id)} and id = ${id} returning ${columns}`
    })

    const deactivate = SqlSchema.findOneOption({
      Request: Schema.Struct({
        ...Key.fields,
        url: Schema.String,
        reason: DisabledReason,
        failing_ms_max: Schema.Finite
      }),
      Result: Schema.Struct(Struct.pick(Disabled.fields, ["version", "created_by"])),
      // Since the failure, the webhook may have got another address or delivered an event, so this is checked again.
      execute: ({ failing_ms_max, id, organization_id, reason, url }) => sql`
        update webhooks set is_active = false, disabled_reason = ${reason}, updated_at = now(), version = version + 1
        where ${live(organization_id)} and id = ${id} and is_active and url = ${url}
          and (${reason} = 'gone' or failing_since <= now() - ${failing_ms_max} * interval '1 millisecond')
        returning version, created_by`
    })

    /**
     * Locks the credential until the transaction ends, so that the access of an application does not end before. Returns
     * no row if it has ended. A credential may be valid for several organizations.
     */
    const holdAccess = SqlSchema.findOneOption({
      Request: TokenId,
      Result: Schema.Struct({ token_id: TokenId }),
      execute: (id) => sql`select token_id from credentials where token_id = ${id} for share`
    })

    /** Makes a third-party application the creator of a webhook; ignores any other one. */
    const assign = SqlSchema.void({
      Request: Schema.Struct({ ...Key.fields, ...Struct.pick(Draft.fields, ["created_by", "client_id"]) }),
      execute: ({ client_id, created_by, id, organization_id }) => sql`
        update webhooks set created_by = ${created_by}, client_id = applications.id
        from applications
        where ${live(organization_id)} and webhooks.id = ${id}
          and applications.id = ${client_id} and not applications.first_party`
    })

    // Workers send deliveries only for webhooks that have a row in `webhook_lanes`, so this row is deleted, too.
    const remove = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        with removed as (
          update webhooks set deleted_at = now(), updated_at = now(), version = version + 1
          where ${live(organization_id)} and id = ${id} returning id)
        delete from webhook_lanes using removed
        where webhook_lanes.organization_id = ${organization_id} and webhook_lanes.webhook_id = removed.id`
    })

    return {
      ...traced("WebhooksRepo", {
        find: select(""),
        lock: select("for no key update"),
        lockAll,
        findTwin,
        insert,
        save,
        saveSecret,
        deactivate,
        holdAccess,
        assign,
        remove
      }),
      nextId: nextIdOf(sql, "webhooks", WebhookId),
      list,
      countBeforeInsert: Effect.fn("WebhooksRepo.countBeforeInsert")(function* (organization_id: OrganizationId) {
        yield* lockCreation(organization_id)
        return (yield* countAll(organization_id)).total
      }, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
