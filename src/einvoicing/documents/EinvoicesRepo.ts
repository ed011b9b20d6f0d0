import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ArchiveObjectId, EinvoiceId, OrganizationId, PaymentId } from "../../kernel/Ids.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { DocumentType } from "../providers/Network.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { listingOf, sortedBy } from "../../platform/sql/statements/Listing.ts"
import { nextIdOf } from "../../platform/sql/statements/NextId.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { EinvoiceFacts, EinvoiceKey, type EinvoicesQuery, einvoicesSorting, Message } from "./Einvoice.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { isHere } from "../../platform/sql/statements/Moved.ts"

/** All columns except the XML. */
const columns = `id, organization_id, invoice_id, credit_note_id, number, provider, environment, profile, transmission_id::text,
  sender_scheme, sender_value, recipient, status, network_status, network_reference, reason, retryable, xml_sha256,
  xml_object_id::text, next_poll_at, polls, created_at, updated_at`

const listing = listingOf(EinvoiceFacts.fields)
const columnsOf = jsonRecord(Schema.toType(EinvoiceFacts))

const changing = [
  "status",
  "network_status",
  "network_reference",
  "reason",
  "retryable",
  "next_poll_at",
  "polls",
  "updated_at"
] as const

const messageColumns = "message_id, at, status, code, source, receipt_type, receipt_sha256, archive_object_id::text"

/** Maximum number of overdue polls that one query returns. */
export const overdue_max = 1_000
/** Maximum number of unreported payments that one query returns. */
const unreported_max = 1_000

/** The id of the message that reports a payment begins with this text and ends with the id of the payment. */
export const payment_message = "payment:"

export class EinvoicesRepo extends Context.Service<EinvoicesRepo>()("invoicing/einvoicing/documents/EinvoicesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const all = sql.literal(`${columns}, xml`)
    const termsOf = sortedBy(sql, einvoicesSorting, (column) => column)

    const find = SqlSchema.findOneOption({
      Request: EinvoiceKey,
      Result: EinvoiceFacts,
      execute: ({ id, organization_id }) => read`
        select ${all} from einvoices where organization_id = ${organization_id} and id = ${id}`
    })

    /** Submissions are never removed, so a missing one is a bug. */
    const lock = SqlSchema.findOne({
      Request: EinvoiceKey,
      Result: EinvoiceFacts,
      execute: ({ id, organization_id }) => sql`
        select ${all} from einvoices where organization_id = ${organization_id} and id = ${id} for update`
    })

    const findLive = SqlSchema.findOneOption({
      Request: Schema.Struct(Struct.pick(EinvoiceFacts.fields, ["organization_id", "invoice_id", "credit_note_id"])),
      Result: Schema.Struct(Struct.pick(EinvoiceFacts.fields, ["id", "status"])),
      execute: ({ credit_note_id, invoice_id, organization_id }) => sql`
        select id, status from einvoices
        where organization_id = ${organization_id}
          and (invoice_id = ${invoice_id} or credit_note_id = ${credit_note_id})
          and status not in ('rejected', 'failed')`
    })

    /** Finds the submission of a document that an operation made, in any state. */
    const findMade = SqlSchema.findOneOption({
      Request: Schema.Struct({
        ...Struct.pick(EinvoiceFacts.fields, ["organization_id", "invoice_id", "credit_note_id"]),
        operation: Schema.String
      }),
      Result: EinvoiceFacts,
      execute: ({ credit_note_id, invoice_id, operation, organization_id }) => sql`
        select ${all} from einvoices
        where organization_id = ${organization_id}
          and (invoice_id = ${invoice_id} or credit_note_id = ${credit_note_id})
          and operation = ${operation}
        order by id desc limit 1`
    })

    const isKnown = Effect.fnUntraced(function* ({
      credit_note_id,
      invoice_id,
      organization_id
    }: Pick<EinvoiceFacts, "organization_id" | "invoice_id" | "credit_note_id">) {
      const known = yield* sql`
        select id from einvoices
        where organization_id = ${organization_id}
          and (invoice_id = ${invoice_id} or credit_note_id = ${credit_note_id})
        limit 1`
      return known.length > 0
    })

    const insert = Effect.fnUntraced(function* (facts: EinvoiceFacts, operation: string | null) {
      const { recipient, ...row } = yield* columnsOf(facts)
      yield* sql`insert into einvoices ${sql.insert({ ...row, operation, recipient: sql.json(recipient) })}`
    })

    const save = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
      const row = Struct.pick(yield* columnsOf(facts), changing)
      yield* sql`update einvoices set ${sql.update(row)}
        where organization_id = ${facts.organization_id} and id = ${facts.id}`
    })

    const markArchived = SqlSchema.void({
      Request: Schema.Struct({ ...EinvoiceKey.fields, xml_object_id: ArchiveObjectId }),
      execute: ({ id, organization_id, xml_object_id }) => sql`
        update einvoices set xml = null, xml_object_id = ${xml_object_id}
        where organization_id = ${organization_id} and id = ${id}`
    })

    const replace = SqlSchema.void({
      Request: Schema.Struct({ ...EinvoiceKey.fields, xml_object_id: ArchiveObjectId, xml_sha256: Schema.String }),
      execute: ({ id, organization_id, xml_object_id, xml_sha256 }) => sql`
        update einvoices set xml_object_id = ${xml_object_id}, xml_sha256 = ${xml_sha256}
        where organization_id = ${organization_id} and id = ${id}`
    })

    const list = Effect.fnUntraced(function* (organization_id: OrganizationId, query: EinvoicesQuery) {
      const asked = [
        sql`organization_id = ${organization_id}`,
        ...conditionsOf(query, {
          status: (status) => sql`status = ${status}`,
          provider: (provider) => sql`provider = ${provider}`
        })
      ]
      return yield* listing(query, (query) => {
        const { facts, limited, matching, sorted, where } = termsOf(query, asked)
        const counted = facts(sql`select count(*)::integer from einvoices where ${matching}`)
        return read<Listed>`
          select ${sql.literal(columns)}, null as xml, ${counted}
          from einvoices where ${where} ${sorted} ${limited}`
      })
    })

    /** Inserts a message; false when it is already known. */
    const addMessage = Effect.fnUntraced(function* ({ id, organization_id }: EinvoiceKey, message: Message) {
      const row = { organization_id, einvoice_id: id, ...message }
      const added = yield* sql`insert into einvoice_messages ${sql.insert(row)}
        on conflict do nothing returning message_id`
      return added.length === 1
    })

    const messages = SqlSchema.findAll({
      Request: EinvoiceKey,
      Result: Message,
      execute: ({ id, organization_id }) => read`
        select ${sql.literal(messageColumns)} from einvoice_messages
        where organization_id = ${organization_id} and einvoice_id = ${id} order by position`
    })

    /** Finds a document's latest submission that reached the network, with the time at which it counted as sent. */
    const findRecord = SqlSchema.findOneOption({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        invoice_id: Schema.NullOr(Schema.Int),
        credit_note_id: Schema.NullOr(Schema.Int)
      }),
      Result: Schema.Struct({
        ...Struct.pick(EinvoiceFacts.fields, ["provider", "environment", "status", "network_reference"]),
        sent_at: Schema.NullOr(Timestamp)
      }),
      execute: ({ credit_note_id, invoice_id, organization_id }) => read`
        select provider, environment, status, network_reference,
          (select min(at) from einvoice_messages m where m.organization_id = e.organization_id
            and m.einvoice_id = e.id and m.status in ('sent', 'delivered', 'accepted')) as sent_at
        from einvoices e
        where organization_id = ${organization_id} and status not in ('pending', 'failed')
          and (invoice_id = ${invoice_id} or credit_note_id = ${credit_note_id})
        order by id desc limit 1`
    })

    /** Finds the latest submission that a message of the network is about, which names only the document. */
    const findNamed = SqlSchema.findOneOption({
      Request: Schema.Struct({
        ...Struct.pick(EinvoiceFacts.fields, ["organization_id", "provider", "number"]),
        document_type: DocumentType
      }),
      Result: EinvoiceKey,
      execute: ({ document_type, number, organization_id, provider }) => sql`
        select organization_id, id from einvoices
        where organization_id = ${organization_id} and provider = ${provider} and number = ${number}
          and (credit_note_id is not null) = ${document_type === "credit_note"}
        order by id desc limit 1`
    })

    /** Finds unreported payments that changed since a time, and whose submission has no planned poll. */
    const unreportedPayments = SqlSchema.findAll({
      Request: Schema.Struct({
        ...Struct.pick(EinvoiceFacts.fields, ["organization_id", "provider", "environment"]),
        since: Timestamp
      }),
      Result: Schema.Struct({ ...EinvoiceKey.fields, payment_id: PaymentId }),
      execute: ({ environment, organization_id, provider, since }) => sql`
        select e.organization_id, e.id, p.id as payment_id
        from received_payments p
        join einvoices e on e.organization_id = p.organization_id and e.invoice_id = p.invoice_id
        where p.organization_id = ${organization_id} and p.updated_at >= ${since} and e.provider = ${provider}
          and e.environment = ${environment} and e.next_poll_at is null and e.status in ('delivered', 'accepted')
          and not exists (select from einvoice_messages m where m.organization_id = e.organization_id
            and m.einvoice_id = e.id and m.message_id = ${payment_message} || p.id)
        order by p.updated_at desc, p.id limit ${unreported_max}`
    })

    /** Finds submissions of all organizations whose poll is late by more than `seconds`. */
    const overdue = SqlSchema.findAll({
      Request: Schema.Struct({ seconds: Schema.Int }),
      Result: Schema.Struct(Struct.pick(EinvoiceFacts.fields, ["organization_id", "id", "polls"])),
      execute: ({ seconds }) => sql`
        update einvoices set next_poll_at = now() where (organization_id, id) in (
          select organization_id, id from einvoices where next_poll_at < now() - make_interval(secs => ${seconds})
            and ${isHere(sql)}
          order by next_poll_at limit ${overdue_max} for update skip locked)
        returning organization_id, id, polls`
    })

    return {
      ...traced("EinvoicesRepo", {
        find,
        lock,
        findLive,
        findMade,
        findNamed,
        markArchived,
        replace,
        messages,
        findRecord,
        unreportedPayments,
        /** Finds lost polls of all organizations, and makes them due now, so that the next call finds other ones. */
        overdue,
        isKnown,
        insert,
        save,
        list,
        addMessage
      }),
      nextId: nextIdOf(sql, "einvoices", EinvoiceId)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
