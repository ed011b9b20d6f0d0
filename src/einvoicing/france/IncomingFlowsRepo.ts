import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { mayBeAbout } from "../documents/LateStatusesRepo.ts"
import { DocumentType } from "../providers/Network.ts"
import { LifecycleStatus } from "./lifecycle/LifecycleReader.ts"
import { ReceivedParties } from "../invoice/ReceivedParties.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Pause after the first failed download of a flow. It doubles with each further failure, up to the maximum. */
const retry_seconds_first = 30
const retry_seconds_max = 6 * 60 * 60

const FlowKey = Schema.Struct({ organization_id: OrganizationId, flow_id: Schema.String })
type FlowKey = typeof FlowKey.Type

const FlowKind = Schema.Literals(["document", "status"])

const IncomingFlow = Schema.Struct({ flow_id: Schema.String, kind: FlowKind, submitted_at: Timestamp })
export type IncomingFlow = typeof IncomingFlow.Type

const Waiting = Schema.Struct({ organization_id: OrganizationId, kind: FlowKind, limit: Schema.Int })

/** The document whose statuses are searched, and the time of its submission. */
const About = Schema.Struct({
  organization_id: OrganizationId,
  number: Schema.String,
  document_type: DocumentType,
  since: Timestamp
})

const KeptStatus = Schema.Struct({
  ...LifecycleStatus.fields,
  flow_id: Schema.String,
  position: Schema.Int,
  submitted_at: Timestamp
})

const CursorKey = Schema.Struct({ organization_id: OrganizationId, platform: Schema.String })

const Cursor = Schema.Struct({
  updated_after: Schema.NullOr(Timestamp),
  seen_until: Schema.NullOr(Timestamp),
  page_cursor: Schema.NullOr(Schema.String)
})
export type Cursor = typeof Cursor.Type

export class IncomingFlowsRepo extends Context.Service<IncomingFlowsRepo>()(
  "invoicing/einvoicing/france/IncomingFlowsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const cursor = SqlSchema.findOneOption({
        Request: CursorKey,
        Result: Cursor,
        execute: ({ organization_id, platform }) => sql`
          select updated_after, seen_until, page_cursor from flow_cursors
          where organization_id = ${organization_id} and platform = ${platform}`
      })

      const saveCursor = SqlSchema.void({
        Request: Schema.Struct({ ...CursorKey.fields, ...Cursor.fields }),
        execute: (row) => sql`
          insert into flow_cursors ${sql.insert(row)}
          on conflict (organization_id, platform) do update set updated_after = excluded.updated_after,
            seen_until = excluded.seen_until, page_cursor = excluded.page_cursor`
      })

      const add = Effect.fn("IncomingFlowsRepo.add")(function* (
        organization_id: OrganizationId,
        flows: ReadonlyArray<IncomingFlow>
      ) {
        yield* sql`
          insert into incoming_flows (organization_id, flow_id, kind, submitted_at)
          select ${organization_id}, flow_id, kind, submitted_at
          from jsonb_to_recordset(${sql.json(flows)}) as listed (flow_id text, kind text, submitted_at timestamptz)
          on conflict do nothing`
      }, Effect.orDie)

      const waiting = SqlSchema.findAll({
        Request: Waiting,
        Result: IncomingFlow,
        execute: ({ kind, limit, organization_id }) => sql`
          select flow_id, kind, submitted_at from incoming_flows f
          where organization_id = ${organization_id} and kind = ${kind} and taken_at is null
            and coalesce(retry_at <= clock_timestamp(), true)
            and not exists (select from unread_arrivals u where u.organization_id = f.organization_id
              and u.provider = 'fr_ctc' and u.transmission_id = f.flow_id and u.retry_at > clock_timestamp())
          order by attempts, submitted_at limit ${limit}`
      })

      const postpone = SqlSchema.void({
        Request: FlowKey,
        execute: ({ flow_id, organization_id }) => sql`
          update incoming_flows set attempts = attempts + 1, retry_at = clock_timestamp()
            + make_interval(secs => least(${retry_seconds_first} * 2 ^ least(attempts, 20), ${retry_seconds_max}))
          where organization_id = ${organization_id} and flow_id = ${flow_id}`
      })

      const take = SqlSchema.void({
        Request: FlowKey,
        execute: ({ flow_id, organization_id }) => sql`
          update incoming_flows set taken_at = now()
          where organization_id = ${organization_id} and flow_id = ${flow_id}`
      })

      /**
       * The last SQL statement marks the flow as processed. If the process crashes before, the flow is processed again.
       */
      const keepStatuses = Effect.fn("IncomingFlowsRepo.keepStatuses")(function* (
        { flow_id, organization_id }: FlowKey,
        content: Uint8Array,
        statuses: ReadonlyArray<LifecycleStatus>
      ) {
        const rows = statuses.map((status, position) => ({ position, ...status }))
        yield* sql`
          insert into lifecycle_statuses
            (organization_id, flow_id, position, number, document_type, code, source, reason, stated_at)
          select ${organization_id}, ${flow_id}, position, number, document_type, code, source, reason, stated_at
          from jsonb_to_recordset(${sql.json(rows)}) as told (position integer, number text, document_type text,
            code text, source text, reason text, stated_at timestamptz)
          on conflict do nothing`
        yield* sql`update incoming_flows set content = ${content}, taken_at = now()
          where organization_id = ${organization_id} and flow_id = ${flow_id}`
      }, Effect.orDie)

      /**
       * Finds the statuses of a document since it was submitted, the oldest first. A status names only the document. If
       * the document was submitted more than once, a late status of an earlier submission is left out, if it states a
       * time more than a day before this one.
       */
      const stated = SqlSchema.findAll({
        Request: About,
        Result: KeptStatus,
        execute: ({ document_type, number, organization_id, since }) => sql`
          select s.number, s.document_type, s.code, s.source, s.reason, s.stated_at, s.flow_id, s.position,
            f.submitted_at
          from lifecycle_statuses s join incoming_flows f using (organization_id, flow_id)
          where organization_id = ${organization_id} and s.number = ${number} and s.document_type = ${document_type}
            and f.submitted_at >= ${since} and f.content is not null
            and ${mayBeAbout(sql, "fr_ctc", since)}
          order by f.submitted_at, s.code, s.flow_id, s.position`
      })

      const contents = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId, flow_ids: Schema.Array(Schema.String) }),
        Result: Schema.Struct({ flow_id: Schema.String, content: Schema.Uint8Array }),
        execute: ({ flow_ids, organization_id }) => sql`
          select flow_id, content from incoming_flows
          where organization_id = ${organization_id} and flow_id = any(${flow_ids}) and content is not null`
      })

      /** Each file is read once, however many statuses it states. */
      const statuses = Effect.fn("IncomingFlowsRepo.statuses")(function* (about: typeof About.Type) {
        const found = yield* stated(about)
        const flow_ids = [...new Set(found.map(({ flow_id }) => flow_id))]
        const kept = yield* contents({ organization_id: about.organization_id, flow_ids })
        const content_of = new Map(kept.map(({ content, flow_id }) => [flow_id, content]))
        return found.flatMap((status) => {
          const content = content_of.get(status.flow_id)
          return content === undefined ? [] : [{ ...status, content }]
        })
      }, Effect.orDie)

      const saveParties = Effect.fn("IncomingFlowsRepo.saveParties")(function* (
        { flow_id, organization_id }: FlowKey,
        parties: ReceivedParties
      ) {
        yield* sql`update incoming_flows set document = ${sql.json(parties)}
          where organization_id = ${organization_id} and flow_id = ${flow_id}`
      }, Effect.orDie)

      const parties = SqlSchema.findOneOption({
        Request: FlowKey,
        Result: Schema.Struct({ document: ReceivedParties, submitted_at: Timestamp }),
        execute: ({ flow_id, organization_id }) => sql`
          select document, submitted_at from incoming_flows
          where organization_id = ${organization_id} and flow_id = ${flow_id} and document is not null`
      })

      return {
        ...traced("IncomingFlowsRepo", {
          cursor,
          saveCursor,
          waiting,
          /** Lets a flow that cannot be downloaded wait. */
          postpone,
          take,
          parties
        }),
        statuses,
        add,
        keepStatuses,
        saveParties
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
