import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { CreditNoteId, InvoiceId, OrganizationId, type UserId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { auditedTable } from "../../platform/events/AuditedTable.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { deletableListingOf, sortedBy, deletedFilter } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { customerOn } from "../correspondence/CustomerName.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
import { LineItemId } from "../lines/LineItem.ts"
import type { Allocation } from "./Allocation.ts"
import { documentSearch, searchedList } from "../search/DocumentSearchRepo.ts"
import { credited_items_max } from "./CreditNoteItem.ts"
import { CreditNoteFacts, type CreditNotesQuery, creditNotesSorting, CreditNoteSummaryFacts } from "./CreditNote.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: CreditNoteId })
type Key = typeof Key.Type

/** `without` is the id of a note whose amounts are left out of the sums. */
const CreditedKey = Schema.Struct({
  organization_id: OrganizationId,
  invoice_id: InvoiceId,
  without: Schema.NullOr(CreditNoteId)
})

/** Sums over all notes of an invoice, including drafts. `shares` is empty when there is no note. */
const Credited = Schema.Struct({ total: Amount, shares: Schema.Array(Amount) })

type Moved = Pick<InvoiceFacts, "id" | "amount_credited" | "paid_at" | "updated_at" | "version">

const DescribedRow = Schema.Struct(Struct.omit(CreditNoteFacts.fields, ["customer", "original_invoice"]))

/** `shares` is a PostgreSQL array literal of numerics. */
const Row = Schema.Struct({ ...DescribedRow.fields, shares: Schema.String })

const literalOf = (shares: Allocation["shares"]) => `{${shares.map((share) => BigDecimal.format(share)).join(",")}}`

const computed = {
  customer: customerOn("credit_note", "n"),
  original_invoice: `json_build_object('id', i.id, 'number', i.number, 'issue_date', i.issue_date,
    'due_date', i.due_date, 'currency', i.currency, 'total', i.total::text)`
}

// The number of a draft is hidden until the draft is sent.
const searched_codes = ["case when sent_at is not null then number end", "details ->> 'purchase_order'"]

export class CreditNotesRepo extends Context.Service<CreditNotesRepo>()(
  "invoicing/billing/credit-notes/CreditNotesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const auditLog = yield* AuditLog
      const table = yield* auditedTable("credit_notes", Row)
      const describedTable = yield* auditedTable("credit_notes", DescribedRow)

      const columns = sql.literal(columnsOf("n", CreditNoteFacts.fields, computed))
      const summaryColumns = sql.literal(columnsOf("n", CreditNoteSummaryFacts.fields, computed))
      const source = sql.literal(`credit_notes n
        join invoices i on i.organization_id = n.organization_id and i.id = n.invoice_id
        join debtors d on d.organization_id = n.organization_id and d.id = n.customer_id`)

      const select = (locking: "" | "for update of n") =>
        SqlSchema.findOneOption({
          Request: Key,
          Result: CreditNoteFacts,
          execute: ({ id, organization_id }) => sql`
            select ${columns} from ${source}
            where n.organization_id = ${organization_id} and n.id = ${id} and n.deleted_at is null
            ${sql.literal(locking)}`
        })
      const find = select("")
      const lock = select("for update of n")

      const credited = SqlSchema.findOne({
        Request: CreditedKey,
        Result: Credited,
        execute: ({ invoice_id, organization_id, without }) => sql`
          with notes as (
            select total, shares from credit_notes
            where organization_id = ${organization_id} and invoice_id = ${invoice_id} and deleted_at is null
              and id is distinct from ${without})
          select (select coalesce(sum(total), 0) from notes) as total,
            (select coalesce(json_agg(sum::text order by place), '[]') from (
              select place, sum(share) from notes, unnest(shares) with ordinality as s(share, place)
              group by place) sums) as shares`
      })

      // The end of `generate_series` is a literal: with a parameter, the planner would expect 1000 rows and plan every
      // call again.
      const ids = SqlSchema.findOne({
        Request: Schema.Struct({ items: Schema.Int }),
        Result: Schema.Struct({ id: CreditNoteId, item_ids: Schema.Array(LineItemId) }),
        execute: ({ items }) => sql`
          select nextval('credit_notes_id_seq') as id,
            array(select nextval('invoice_item_ids')
              from generate_series(1, ${sql.literal(String(credited_items_max))}) limit ${items}) as item_ids`
      })

      const insert = (
        organization_id: OrganizationId,
        facts: CreditNoteFacts,
        shares: Allocation["shares"],
        created_by: UserId | null,
        entry: Entry
      ) => table.insert(organization_id, { ...facts, shares: literalOf(shares) }, created_by, entry)

      /** Without `shares`, the amounts that the note takes from its invoice stay unchanged. */
      const change = (
        organization_id: OrganizationId,
        facts: CreditNoteFacts,
        shares: Allocation["shares"] | null,
        entry: Entry
      ) =>
        shares === null
          ? describedTable.change(organization_id, facts, entry)
          : table.change(organization_id, { ...facts, shares: literalOf(shares) }, entry)

      /** Saves or clears the number of a draft. The version stays, because clients do not see this number yet. */
      const saveNumber = Effect.fn("CreditNotesRepo.saveNumber")(function* (
        organization_id: OrganizationId,
        { id, issue_date, number, sequence }: Pick<CreditNoteFacts, "id" | "issue_date" | "number" | "sequence">,
        entry: Entry
      ) {
        yield* auditLog.write(
          sql`written as (
            update credit_notes set ${sql.update({ issue_date, number, sequence })}
            where organization_id = ${organization_id} and id = ${id} and sent_at is null returning id)`,
          entry
        )
      }, Effect.orDie)

      const send = Effect.fn("CreditNotesRepo.send")(function* (
        organization_id: OrganizationId,
        note: CreditNoteFacts,
        invoice: Moved,
        entry: Entry
      ) {
        yield* auditLog.write(
          sql`moved as (
            update invoices set amount_credited = ${BigDecimal.format(invoice.amount_credited)},
              paid_at = ${invoice.paid_at}, updated_at = ${invoice.updated_at}, version = ${invoice.version}
            where organization_id = ${organization_id} and id = ${invoice.id} and version = ${invoice.version - 1}
            returning id),
          written as (
            update credit_notes set credit_note_type_code = ${note.credit_note_type_code},
              issue_date = ${note.issue_date}::date, refundable_amount = ${BigDecimal.format(note.refundable_amount)},
              sent_at = ${note.sent_at}, updated_at = ${note.updated_at}, version = ${note.version}
            from moved where credit_notes.organization_id = ${organization_id} and credit_notes.id = ${note.id}
            returning credit_notes.id)`,
          entry
        )
      }, Effect.orDie)

      const remove = Effect.fn("CreditNotesRepo.remove")(function* ({ id, organization_id }: Key, entry: Entry) {
        yield* auditLog.write(
          sql`written as (
            update credit_notes set deleted_at = now(), version = version + 1, number = null, sequence = null,
              issue_date = null
            where organization_id = ${organization_id} and id = ${id} and deleted_at is null returning id)`,
          entry
        )
      }, Effect.orDie)

      const listing = deletableListingOf(CreditNoteSummaryFacts.fields)
      // A draft sorts after all dates, because its issue date counts only once the note is sent.
      const dated = "(case when n.sent_at is null then 'infinity'::date else n.issue_date end)"
      const expression = (column: string) => (column === "issue_date" ? dated : `n.${column}`)
      const termsOf = sortedBy(sql, creditNotesSorting, expression)
      const searched = searchedList(sql, {
        table: "credit_notes",
        alias: "n",
        columns: summaryColumns,
        source,
        sorting: creditNotesSorting,
        keys: "sent_at, issue_date",
        expression
      })

      const list = Effect.fn("CreditNotesRepo.list")(function* (
        organization_id: OrganizationId,
        query: CreditNotesQuery
      ) {
        const asked = [
          sql`n.organization_id = ${organization_id}`,
          deletedFilter(sql, query, "n.deleted_at"),
          ...conditionsOf(query, {
            external_id: (id) => sql`n.external_id = ${id}`,
            // A draft may already have the number and date of a send in progress; they do not count yet.
            date_from: (day) => sql`n.sent_at is not null and n.issue_date >= ${day}::date`,
            date_to: (day) => sql`n.sent_at is not null and n.issue_date <= ${day}::date`,
            status: (status) => sql.literal(`n.sent_at is ${status === "sent" ? "not " : ""}null`),
            customer_id: (id) => sql`n.customer_id = ${id}`,
            invoice_id: (id) => sql`n.invoice_id = ${id}`
          })
        ]
        const alternatives = documentSearch(sql, searched_codes, organization_id, query.search)
        return yield* listing(query, (query) => {
          if (alternatives.length > 0) return searched(query, { organization_id, conditions: asked, alternatives })
          const { facts, limited, matching, sorted, where } = termsOf(query, asked)
          return sql<Listed>`
            select ${summaryColumns}, ${facts(sql`select count(*)::integer from credit_notes n where ${matching}`)}
            from ${source} where ${where} ${sorted} ${limited}`
        })
      }, Effect.orDie)

      return {
        find: (key: Key) => find(key).pipe(Effect.orDie),
        lock: (key: Key) => lock(key).pipe(Effect.orDie),
        credited: (organization_id: OrganizationId, invoice_id: InvoiceId, without: CreditNoteId | null) =>
          credited({ organization_id, invoice_id, without }).pipe(Effect.orDie),
        ids: (items: number) => ids({ items }).pipe(Effect.orDie),
        insert,
        change,
        saveNumber,
        send,
        remove,
        list
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
