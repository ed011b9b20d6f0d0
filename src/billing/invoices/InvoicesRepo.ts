import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { compiled } from "../../kernel/Compiled.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { InvoiceId, OrganizationId, PaymentId, UserId } from "../../kernel/Ids.ts"
import { LineItemId } from "../lines/LineItem.ts"
import { auditedTable } from "../../platform/events/AuditedTable.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { customerOn } from "../correspondence/CustomerName.ts"
import { InvoiceFacts, InvoiceSummaryFacts } from "./Invoice.ts"
import type { Entry } from "../../platform/events/AuditLog.ts"

/** The number that an invoice takes from its series when it is inserted. */
export interface Taking {
  readonly number: string
  readonly sequence: number
  readonly series: string
}

const Key = Schema.Struct({ organization_id: OrganizationId, id: InvoiceId })
type Key = typeof Key.Type

const computed = { customer: customerOn("invoice", "i") }
export const summaryColumns = columnsOf("i", InvoiceSummaryFacts.fields, computed)
export const columns = columnsOf("i", InvoiceFacts.fields, computed)
export const source = `invoices i join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id`

const Row = Schema.Struct(Struct.omit(InvoiceFacts.fields, ["customer"]))

export class InvoicesRepo extends Context.Service<InvoicesRepo>()("invoicing/billing/invoices/InvoicesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const table = yield* auditedTable("invoices", Row)

    /** `statement` is `sql` in a transaction that has locked the invoice, and `read` otherwise. */
    const select = <Fields extends Schema.Struct.Fields>(
      statement: typeof read | typeof sql,
      { column, fields }: { readonly column: string; readonly fields: Fields }
    ) =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: compiled(Schema.Struct({ ...InvoiceFacts.fields, ...fields })),
        execute: ({ id, organization_id }) => statement`
          select ${sql.literal(columns)}, ${sql.literal(column)} from ${sql.literal(source)}
          where i.organization_id = ${organization_id} and i.id = ${id} and i.deleted_at is null`
      })
    const withAuthor = { column: "i.created_by", fields: { created_by: Schema.NullOr(UserId) } }
    /** Reserves the id of the payment about to be recorded, which saves the write a round trip. */
    const withPaymentId = {
      column: "nextval('payments_id_seq') as payment_id",
      fields: { payment_id: PaymentId }
    }
    const find = select(read, withAuthor)
    const findLocked = select(sql, withAuthor)
    const findForPayment = select(read, withPaymentId)
    const findLockedForPayment = select(sql, withPaymentId)

    /**
     * Locks the row in a statement of its own. A statement that also read the customer would wait for the lock, and
     * then read the customer from an outdated snapshot.
     */
    const lockRow = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        select id from invoices where organization_id = ${organization_id} and id = ${id} for update`
    })

    /** The lines that bill expenses, each with the currency of its expense. */
    const billedLines = SqlSchema.findAll({
      Request: Key,
      Result: Schema.Struct({ id: LineItemId, currency: CurrencyCode }),
      execute: ({ id, organization_id }) => sql`
        select id, currency from billed_lines where organization_id = ${organization_id} and invoice_id = ${id}`
    })

    const take = (organization_id: OrganizationId, { number, sequence, series }: Taking) => sql`
      update document_counters set next = next + 1
      where organization_id = ${organization_id} and document = 'invoice' and series = ${series} and next = ${sequence}
        and not exists (select from invoices where organization_id = ${organization_id} and number = ${number})
      returning 1`

    /** Returns false, without any change, if `taking` is no longer the next number of its series. */
    const insert = (
      organization_id: OrganizationId,
      facts: InvoiceFacts,
      created_by: UserId | null,
      entry: Entry,
      taking?: Taking
    ) =>
      table.insert(
        organization_id,
        facts,
        created_by,
        entry,
        taking === undefined ? undefined : take(organization_id, taking)
      )

    return {
      find: (key: Key) => find(key).pipe(Effect.orDie),
      lock: (key: Key) => Effect.andThen(lockRow(key), findLocked(key)).pipe(Effect.orDie),
      findForPayment: (key: Key) => findForPayment(key).pipe(Effect.orDie),
      lockForPayment: (key: Key) => Effect.andThen(lockRow(key), findLockedForPayment(key)).pipe(Effect.orDie),
      billedLines: (key: Key) => billedLines(key).pipe(Effect.orDie),
      ...table,
      insert
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
