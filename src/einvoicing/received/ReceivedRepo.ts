import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Record, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { ExpenseId, OrganizationId, ReceivedId } from "../../kernel/Ids.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { Amount } from "../../kernel/Money.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { listingOf, sortedBy } from "../../platform/sql/statements/Listing.ts"
import { nextIdOf } from "../../platform/sql/statements/NextId.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { tax_rates_max, text_characters_max } from "./reading/Reading.ts"
import { ReceivedFacts, type ReceivedQuery, receivedSorting } from "./Received.ts"
import { traced } from "../../platform/sql/Traced.ts"

const problem_characters_max = 500

/** SQL that cuts each text of a JSON object, because earlier versions kept texts of suppliers in full. */
const shortTexts = (column: string) => `(select jsonb_object_agg(key, left(value, ${text_characters_max}))
    from jsonb_each_text(${column})) as ${column}`

/** SQL for the transmission of a document's file: `Inbox` numbers the further documents of one file, such as `T-1#2`. */
const fileOf = (table: string) => `regexp_replace(${table}.transmission_id, '#[0-9]+$', '')`

/**
 * The id of the expense that was made from the document is null if the expense was deleted. The first document with the
 * same content is the one of which the others are duplicates. Documents that cannot be read are compared by their files.
 */
const columnsIn = (table: "received_documents" | "r") => `
  ${table}.id, ${table}.organization_id, provider, environment, transmission_id, status, document_type, is_self_billed,
  syntax, number, issue_date::text, due_date::text, currency, total, tax_total, description, payment_method,
  ${shortTexts("supplier")}, ${shortTexts("signature")}, left(problem, ${problem_characters_max}) as problem,
  case when jsonb_array_length(tax_rates) > ${tax_rates_max} then '[]' else tax_rates end as tax_rates,
  refusal_reason, object_id::text, json_object_id::text, document_reference, content_type, size_bytes, sha256,
  received_at, answered_at, updated_at,
  (select e.id from quotable_expenses e
    where e.organization_id = ${table}.organization_id and e.id = ${table}.expense_id) as expense_id,
  (select min(d.id) from received_documents d
    where d.organization_id = ${table}.organization_id and d.environment = ${table}.environment and d.id < ${table}.id
      and (d.number = ${table}.number
          and (d.document_type, d.issue_date, d.total, d.currency)
            = (${table}.document_type, ${table}.issue_date, ${table}.total, ${table}.currency)
          and (d.supplier ->> 'tax_number' = ${table}.supplier ->> 'tax_number'
            or d.supplier ->> 'name' = ${table}.supplier ->> 'name')
        or d.number is null and ${table}.number is null and d.sha256 = ${table}.sha256
          and ${fileOf("d")} <> ${fileOf(table)})) as duplicate_of`

const Key = Schema.Struct({ organization_id: OrganizationId, id: ReceivedId })
type Key = typeof Key.Type

const Answered = Schema.Literals(["accepted", "refused"])

/** A document with the amount of the paid expense that was made from it. */
const PaidDocument = Schema.Struct({ ...ReceivedFacts.fields, paid_amount: Amount, paid_currency: CurrencyCode })
export type PaidDocument = typeof PaidDocument.Type

const columnsOf = jsonRecord(Schema.toType(ReceivedFacts))

const connection = ["organization_id", "provider", "environment"] as const
const json_columns = ["supplier", "tax_rates", "signature", "document_reference"] as const
const changing = ["status", "refusal_reason", "expense_id", "answered_at", "updated_at"] as const

export class ReceivedRepo extends Context.Service<ReceivedRepo>()("invoicing/einvoicing/received/ReceivedRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const all = sql.literal(columnsIn("received_documents"))
    const paidColumns = sql.literal(columnsIn("r"))
    const listing = listingOf(ReceivedFacts.fields)
    const termsOf = sortedBy(sql, receivedSorting, (column) => column)

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: ReceivedFacts,
      execute: ({ id, organization_id }) => read`
        select ${all} from received_documents where organization_id = ${organization_id} and id = ${id}`
    })

    const hold = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        select id from received_documents where organization_id = ${organization_id} and id = ${id} for update`
    })

    const current = SqlSchema.findOneOption({
      Request: Key,
      Result: ReceivedFacts,
      execute: ({ id, organization_id }) => sql`
        select ${all} from received_documents where organization_id = ${organization_id} and id = ${id}`
    })

    /**
     * Locks a document, then reads it in a second SQL statement, which sees what the previous holder of the lock wrote.
     */
    const lock = (key: Key) => Effect.andThen(hold(key), current(key))

    const findArrived = SqlSchema.findOneOption({
      Request: Schema.Struct(Struct.pick(ReceivedFacts.fields, ["organization_id", "provider", "transmission_id"])),
      Result: ReceivedFacts,
      execute: ({ organization_id, provider, transmission_id }) => sql`
        select ${all} from received_documents where organization_id = ${organization_id}
          and provider = ${provider} and transmission_id = ${transmission_id}`
    })

    /** Locks the documents from which the expenses were made. */
    const holdExpensed = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, expense_ids: Schema.Array(ExpenseId) }),
      Result: Schema.Struct({ id: ReceivedId }),
      execute: ({ expense_ids, organization_id }) => sql`
        select id from received_documents
        where organization_id = ${organization_id} and ${sql.in("expense_id", expense_ids)} order by id for update`
    })

    /** Inserts a document, and returns it as stored; none when an earlier delivery of its transmission is stored. */
    const insert = Effect.fn("ReceivedRepo.insert")(function* (facts: ReceivedFacts) {
      const columns = Struct.omit(yield* columnsOf(facts), ["duplicate_of"])
      const json = Record.map(Struct.pick(columns, json_columns), (value) => (value === null ? null : sql.json(value)))
      const added = yield* sql`insert into received_documents ${sql.insert({ ...columns, ...json })}
        on conflict (organization_id, provider, transmission_id) do nothing returning id`
      return added.length === 1
        ? yield* current({ organization_id: facts.organization_id, id: facts.id })
        : Option.none()
    }, Effect.orDie)

    const claim = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...Key.fields, answer: Answered, claim_seconds: Schema.Finite }),
      Result: Schema.Struct({ is_first: Schema.Boolean, claimed_until: Schema.String }),
      execute: ({ answer, id, claim_seconds, organization_id }) => sql`
        update received_documents d set answering = ${answer},
          claimed_until = clock_timestamp() + make_interval(secs => ${claim_seconds})
        from (select organization_id, id, answering is null as is_first from received_documents
          where organization_id = ${organization_id} and id = ${id} and status = 'received'
            and coalesce(claimed_until < clock_timestamp(), true) and coalesce(answering = ${answer}, true)
          for update) free
        where d.organization_id = free.organization_id and d.id = free.id
        returning is_first, claimed_until::text`
    })

    const withdraw = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        update received_documents set answering = null where organization_id = ${organization_id} and id = ${id}`
    })

    const release = SqlSchema.void({
      Request: Schema.Struct({ ...Key.fields, claimed_until: Schema.String }),
      execute: ({ claimed_until, id, organization_id }) => sql`
        update received_documents set claimed_until = null
        where organization_id = ${organization_id} and id = ${id} and claimed_until = ${claimed_until}::timestamptz`
    })

    const save = Effect.fn("ReceivedRepo.save")(function* (facts: ReceivedFacts) {
      const row = Struct.pick(yield* columnsOf(facts), changing)
      yield* sql`update received_documents set ${sql.update(row)}
        where organization_id = ${facts.organization_id} and id = ${facts.id}`
    }, Effect.orDie)

    const list = Effect.fn("ReceivedRepo.list")(function* (organization_id: OrganizationId, query: ReceivedQuery) {
      const asked = [
        sql`organization_id = ${organization_id}`,
        ...conditionsOf(query, {
          status: (status) => sql`status = ${status}`,
          document_type: (type) => sql`document_type = ${type}`
        })
      ]
      return yield* listing(query, (query) => {
        const { facts, limited, matching, sorted, where } = termsOf(query, asked)
        const counted = facts(sql`select count(*)::integer from received_documents where ${matching}`)
        return read<Listed>`select ${all}, ${counted} from received_documents where ${where} ${sorted} ${limited}`
      })
    }, Effect.orDie)

    /**
     * Claims an invoice whose expense is paid and whose supplier has not been notified of the payment. An invoice whose
     * notice failed comes after all others.
     */
    const claimPaid = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...Struct.pick(ReceivedFacts.fields, connection), claim_seconds: Schema.Finite }),
      Result: PaidDocument,
      execute: ({ environment, claim_seconds, organization_id, provider }) => sql`
        with next as (
          select r.organization_id, r.id, paid_amount, paid_currency from received_documents r
          join lateral (select e.amount as paid_amount, e.currency as paid_currency from paid_expenses e
            where e.organization_id = r.organization_id and e.id = r.expense_id and e.amount > 0) paid on true
          where organization_id = ${organization_id} and provider = ${provider} and environment = ${environment}
            and expense_id is not null and payment_told_at is null and document_type = 'invoice' and status <> 'refused'
            and coalesce(payment_tried_at < clock_timestamp() - make_interval(secs => ${claim_seconds}), true)
          order by payment_tried_at nulls first, id limit 1 for update of r skip locked)
        update received_documents r set payment_tried_at = clock_timestamp() from next
        where r.organization_id = next.organization_id and r.id = next.id
        returning ${paidColumns}, paid_amount, paid_currency`
    })

    const markPaymentTold = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        update received_documents set payment_told_at = now() where organization_id = ${organization_id} and id = ${id}`
    })

    return {
      ...traced("ReceivedRepo", {
        claimPaid,
        markPaymentTold,
        find,
        lock,
        holdExpensed,
        findArrived,
        /**
         * None if another request is answering the document, has answered it, or may have given it another answer.
         * `is_first` is true if no earlier request may have given this answer.
         */
        claim,
        /** Notes that the supplier certainly has no answer. */
        withdraw,
        /** Ends a claim, unless it expired and another request has claimed the document. */
        release
      }),
      nextId: nextIdOf(sql, "received_documents", ReceivedId),
      insert,
      save,
      list
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
