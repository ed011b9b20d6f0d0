import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { compiled } from "../../kernel/Compiled.ts"
import { InvoiceId, OrganizationId, PaymentId, UserId } from "../../kernel/Ids.ts"
import { type Entry, Journal } from "../../platform/events/Journal.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { InvoiceFacts } from "./Invoice.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: InvoiceId })
type Key = typeof Key.Type

/** An invoice as lists show it, with its customer's name. */
export const summaryColumns = `i.id, i.number, i.customer_id,
  json_build_object('id', d.id, 'name', d.name) as customer, i.issue_date, i.due_date, i.currency, i.exchange_rate,
  i.subtotal, i.discount_total, i.tax_total, i.rounding_adjustment, i.total, i.amount_paid, i.amount_credited,
  i.amount_refunded, i.payment_reference, i.notes, i.terms, i.issued_at, i.sent_at, i.sent_method, i.paid_at,
  i.quote_id, i.created_at, i.updated_at, i.version`
export const source = `invoices i join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id`

/** The row as it is written: decimals as text, instants in RFC 3339, lines as JSON; derived from the record itself. */
const Row = Schema.toCodecJson(compiled(Schema.toType(Schema.Struct(Struct.omit(InvoiceFacts.fields, ["customer"])))))
/** The JSON codec of a struct gives an object of its columns, which its type does not say. */
interface Row {
  readonly [column: string]: string | number | null
}
interface Documents {
  readonly items: ReadonlyArray<unknown>
  readonly tax_breakdown: ReadonlyArray<unknown>
}

/** Every statement names the organization, so none can read or write across tenants. */
export class InvoicesRepo extends Context.Service<InvoicesRepo>()("invoicing/billing/invoices/InvoicesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const journal = yield* Journal

    const select = <Fields extends Schema.Struct.Fields>(locking: boolean, further: string, furtherFields: Fields) =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: compiled(Schema.Struct({ ...InvoiceFacts.fields, ...furtherFields })),
        execute: ({ id, organization_id }) => (locking ? sql : read)`
          select ${sql.literal(summaryColumns)}, i.items, i.tax_breakdown, ${sql.literal(further)} from ${sql.literal(source)}
          where i.organization_id = ${organization_id} and i.id = ${id} and i.deleted_at is null
          ${sql.literal(locking ? "for update of i" : "")}`
      })
    const author = { created_by: Schema.NullOr(UserId) }
    const find = select(false, "i.created_by", author)
    const lock = select(true, "i.created_by", author)
    // In the order of ids, so that two transactions with the same two invoices never wait for each other.
    const hold = SqlSchema.void({
      Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(InvoiceId) }),
      execute: ({ ids, organization_id }) => sql`
        select id from invoices where organization_id = ${organization_id} and ${sql.in("id", ids)} order by id for update`
    })
    /** With the id of the payment about to be recorded, so that the write needs no further round trip. */
    const paymentId = "nextval('payments_id_seq')::integer as payment_id"
    const findForPayment = select(false, paymentId, { payment_id: PaymentId })
    const lockForPayment = select(true, paymentId, { payment_id: PaymentId })

    const encode = Schema.encodeEffect(Row)
    const rowOf = Effect.fnUntraced(function* ({ customer: _customer, ...facts }: InvoiceFacts) {
      const { items, tax_breakdown, ...row } = (yield* encode(facts)) as Documents & Row
      return { ...row, items: sql.json(items), tax_breakdown: sql.json(tax_breakdown) }
    })

    const insert = Effect.fn("InvoicesRepo.insert")(function* (
      organization_id: OrganizationId,
      facts: InvoiceFacts,
      created_by: UserId | null,
      entry: Entry
    ) {
      const row = { ...(yield* rowOf(facts)), organization_id, created_by }
      yield* journal.write(sql`written as (insert into invoices ${sql.insert(row)} returning id)`, entry)
    }, Effect.orDie)

    /** Writes only over the version before the facts' own; false when somebody else was faster. */
    const save = Effect.fn("InvoicesRepo.save")(function* (
      organization_id: OrganizationId,
      facts: InvoiceFacts,
      entry: Entry
    ) {
      return yield* journal.write(
        sql`written as (
          update invoices set ${sql.update(yield* rowOf(facts))}
          where organization_id = ${organization_id} and id = ${facts.id} and version = ${facts.version - 1}
            and deleted_at is null
          returning id)`,
        entry
      )
    }, Effect.orDie)

    const hasNumber = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, number: Schema.String }),
      Result: Schema.Struct({ taken: Schema.Boolean }),
      execute: ({ number, organization_id }) => sql`
        select exists (
          select 1 from invoices where organization_id = ${organization_id} and number = ${number}) as taken`
    })

    const remove = Effect.fn("InvoicesRepo.remove")(function* ({ id, organization_id }: Key, entry: Entry) {
      yield* journal.write(
        sql`written as (
          update invoices set deleted_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${id} and deleted_at is null returning id)`,
        entry
      )
    }, Effect.orDie)

    return {
      find: (key: Key) => find(key).pipe(Effect.orDie),
      lock: (key: Key) => lock(key).pipe(Effect.orDie),
      hold: (organization_id: OrganizationId, ids: ReadonlyArray<InvoiceId>) =>
        hold({ organization_id, ids }).pipe(Effect.orDie),
      forPayment: (key: Key, locking: boolean) => (locking ? lockForPayment : findForPayment)(key).pipe(Effect.orDie),
      hasNumber: (organization_id: OrganizationId, number: string) =>
        hasNumber({ organization_id, number }).pipe(
          Effect.map(({ taken }) => taken),
          Effect.orDie
        ),
      insert,
      save,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
