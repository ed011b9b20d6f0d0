import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Day } from "../../kernel/Calendar.ts"
import { compiled } from "../../kernel/Compiled.ts"
import { InvoiceId, OrganizationId, PaymentId, RefundId } from "../../kernel/Ids.ts"
import { type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { uniqueExternalId } from "../../platform/sql/statements/ExternalIds.ts"
import { deletableListingOf, deletedFilter } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { spanned } from "../../platform/observability/Spanned.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { nextIdOf } from "../../platform/sql/statements/NextId.ts"
import { talliedList } from "../../platform/tallies/TalliedList.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
import { endingWith, ofNamed, orNamedOutside, searchedList } from "../search/DocumentSearchRepo.ts"
import { PaymentFacts, type PaymentsQuery, paymentsSorting, type Refund } from "./Payment.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: PaymentId })
type Key = typeof Key.Type

/** A refund that is not reversed, with the ids of the refunded payment and of its invoice. */
const ActiveRefund = Schema.Struct({
  id: RefundId,
  payment_id: PaymentId,
  invoice_id: InvoiceId,
  ...Struct.pick(PaymentFacts.fields, ["amount", "currency"]),
  refunded_on: Day
})
export type ActiveRefund = typeof ActiveRefund.Type

type Moved = Pick<InvoiceFacts, "id" | "amount_paid" | "amount_refunded" | "paid_at" | "updated_at" | "version">

const refunds = `(
  select coalesce(json_agg(json_build_object('id', r.id, 'amount', r.amount::text, 'reason', r.reason,
    'refund_date', r.refund_date, 'created_at', r.created_at) order by r.id), '[]')
  from payment_refunds r where r.organization_id = p.organization_id and r.payment_id = p.id and r.reversed_at is null)`

/** Each booking is one SQL statement, which changes the invoice only if it still has the version that was read. */
export class PaymentsRepo extends Context.Service<PaymentsRepo>()("invoicing/billing/payments/PaymentsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const auditLog = yield* AuditLog
    const uniquely = uniqueExternalId(sql, "payments")

    const columns = sql.literal(columnsOf("p", PaymentFacts.fields, { refunds }))

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: compiled(PaymentFacts),
      execute: ({ id, organization_id }) => read`
        select ${columns} from payments p
        where p.organization_id = ${organization_id} and p.id = ${id} and p.deleted_at is null`
    })

    const invoicesOf = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(PaymentId) }),
      Result: Schema.Struct({ invoice_id: InvoiceId }),
      execute: ({ ids, organization_id }) => sql`
        select distinct invoice_id from payments where organization_id = ${organization_id} and ${sql.in("id", ids)}`
    })

    const ofInvoice = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, invoice_id: InvoiceId }),
      Result: PaymentFacts,
      execute: ({ invoice_id, organization_id }) => sql`
        select ${columns} from payments p
        where p.organization_id = ${organization_id} and p.invoice_id = ${invoice_id} and p.deleted_at is null
        order by p.payment_date, p.id`
    })

    const listing = deletableListingOf(PaymentFacts.fields)
    const statementOf = talliedList(sql, {
      table: "payments",
      day: "payment_date",
      alias: "p",
      columns,
      sorting: paymentsSorting
    })

    const searched = searchedList(sql, {
      table: "payments",
      alias: "p",
      columns,
      source: sql`payments p`,
      sorting: paymentsSorting,
      keys: "payment_date"
    })

    const matching = (organization_id: OrganizationId, search: string | undefined) => {
      const invoices = [...endingWith(sql, ["number"], search), ...ofNamed(sql, organization_id, search)]
      const ofInvoices = invoices.map(
        (found) => sql`invoice_id in (
          select id from invoices where organization_id = ${organization_id} and deleted_at is null and ${found})`
      )
      return orNamedOutside(sql, [...endingWith(sql, ["reference"], search), ...ofInvoices], search)
    }

    const list = Effect.fn("PaymentsRepo.list")(function* (organization_id: OrganizationId, query: PaymentsQuery) {
      const { customer_id, date_from, date_to, external_id, invoice_id, payment_method, status } = query
      const conditions = [
        deletedFilter(sql, query, "p.deleted_at"),
        ...conditionsOf(query, {
          external_id: (id) => sql`p.external_id = ${id}`,
          date_from: (day) => sql`p.payment_date >= ${day}::date`,
          date_to: (day) => sql`p.payment_date <= ${day}::date`,
          invoice_id: (id) => sql`p.invoice_id = ${id}`,
          customer_id: (id) => sql`p.invoice_id in (
            select id from invoices where organization_id = ${organization_id} and customer_id = ${id})`,
          payment_method: (method) => sql`p.payment_method = ${method}`,
          status: (status) => sql`payment_state(p.amount, p.refunded_amount) = ${status}`
        })
      ]
      const filters =
        external_id === undefined && invoice_id === undefined && customer_id === undefined
          ? { kind: payment_method, state: status, date_from, date_to }
          : undefined
      const alternatives = matching(organization_id, query.search)
      const own = [sql`p.organization_id = ${organization_id}`, ...conditions]
      return yield* listing(query, (query) =>
        alternatives.length === 0
          ? read<Listed>`${statementOf(query, { organization_id, conditions, filters })}`
          : read<Listed>`${searched(query, { organization_id, conditions: own, alternatives })}`
      )
    }, Effect.orDie)

    const moveInvoice = (organization_id: OrganizationId, invoice: Moved) => sql`
      moved as (
        update invoices set amount_paid = ${BigDecimal.format(invoice.amount_paid)},
          amount_refunded = ${BigDecimal.format(invoice.amount_refunded)}, paid_at = ${invoice.paid_at},
          updated_at = ${invoice.updated_at}, version = ${invoice.version}
        where organization_id = ${organization_id} and id = ${invoice.id} and version = ${invoice.version - 1}
        returning id)`

    const record = Effect.fnUntraced(function* (
      organization_id: OrganizationId,
      payment: PaymentFacts,
      invoice: Moved,
      entry: Entry
    ) {
      const booked = auditLog.attempt(
        sql`${moveInvoice(organization_id, invoice)},
        written as (
          insert into payments (id, organization_id, invoice_id, amount, currency, payment_date, payment_method,
            reference, notes, bank_transaction_id, is_prepayment, external_id, metadata, created_at, updated_at)
          select ${payment.id}, ${organization_id}, id, ${BigDecimal.format(payment.amount)}::numeric,
            ${payment.currency}, ${payment.payment_date}::date, ${payment.payment_method}, ${payment.reference}::text,
            ${payment.notes}::text, ${payment.bank_transaction_id}::bigint, ${payment.is_prepayment}, ${payment.external_id}::text,
            ${sql.json(payment.metadata)}::jsonb, ${payment.created_at}::timestamptz, ${payment.updated_at}::timestamptz
          from moved returning id)`,
        entry
      )
      return yield* uniquely(payment.external_id, booked)
    }, spanned("PaymentsRepo.record"))

    const findRefund = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, id: RefundId }),
      Result: ActiveRefund,
      execute: ({ id, organization_id }) => sql`
        select r.id, r.payment_id, p.invoice_id, r.amount, p.currency,
          refunded_on(r.refund_date, r.created_at, p.payment_date, c.timezone) as refunded_on
        from payment_refunds r join payments p on p.organization_id = r.organization_id and p.id = r.payment_id
          join clocks c on c.organization_id = r.organization_id
        where r.organization_id = ${organization_id} and r.id = ${id} and r.reversed_at is null`
    })

    /** The SQL statement `change` writes the refund itself. */
    const refunding = (organization_id: OrganizationId, payment: PaymentFacts, invoice: Moved, change: Fragment) =>
      sql`${moveInvoice(organization_id, invoice)},
        written as (
          update payments set refunded_amount = ${BigDecimal.format(payment.refunded_amount)},
            updated_at = ${payment.updated_at}, version = ${payment.version}
          from moved where payments.organization_id = ${organization_id} and payments.id = ${payment.id}
          returning payments.id),
        refunded as (${change})`

    const refund = Effect.fn("PaymentsRepo.refund")(function* (
      organization_id: OrganizationId,
      payment: PaymentFacts,
      { amount, created_at, id, reason, refund_date }: Refund,
      invoice: Moved,
      entry: Entry
    ) {
      const made = sql`
        insert into payment_refunds (id, organization_id, payment_id, amount, reason, refund_date, created_at)
        select ${id}, ${organization_id}, id, ${BigDecimal.format(amount)}::numeric, ${reason}::text,
          ${refund_date}::date, ${created_at}::timestamptz from written`
      yield* auditLog.write(refunding(organization_id, payment, invoice, made), entry)
    }, Effect.orDie)

    const reverse = Effect.fn("PaymentsRepo.reverse")(function* (
      organization_id: OrganizationId,
      payment: PaymentFacts,
      id: RefundId,
      invoice: Moved,
      entry: Entry
    ) {
      const marked = sql`
        update payment_refunds set reversed_at = ${payment.updated_at}::timestamptz
        from written where payment_refunds.organization_id = ${organization_id} and payment_refunds.id = ${id}`
      yield* auditLog.write(refunding(organization_id, payment, invoice, marked), entry)
    }, Effect.orDie)

    const save = Effect.fn("PaymentsRepo.save")(function* (
      organization_id: OrganizationId,
      payment: PaymentFacts,
      entry: Entry
    ) {
      const { bank_transaction_id, external_id, id, notes, payment_date, payment_method, reference } = payment
      const { updated_at, version } = payment
      const described = { external_id, notes, payment_date, payment_method, reference, bank_transaction_id }
      const saved = auditLog.attempt(
        sql`written as (
          update payments set ${sql.update({ ...described, updated_at, version })}, metadata = ${sql.json(payment.metadata)}
          where organization_id = ${organization_id} and id = ${id} returning id)`,
        entry
      )
      yield* uniquely(external_id, saved)
    })

    const remove = Effect.fn("PaymentsRepo.remove")(function* (
      organization_id: OrganizationId,
      id: PaymentId,
      invoice: Moved,
      entry: Entry
    ) {
      yield* auditLog.write(
        sql`${moveInvoice(organization_id, invoice)},
        written as (
          update payments set deleted_at = ${invoice.updated_at}, version = payments.version + 1
          from moved where payments.organization_id = ${organization_id} and payments.id = ${id}
          returning payments.id)`,
        entry
      )
    }, Effect.orDie)

    return {
      find: (key: Key) => find(key).pipe(Effect.orDie),
      invoicesOf: (organization_id: OrganizationId, ids: ReadonlyArray<PaymentId>) =>
        invoicesOf({ organization_id, ids }).pipe(
          Effect.map((rows) => rows.map(({ invoice_id }) => invoice_id)),
          Effect.orDie
        ),
      ofInvoice: (organization_id: OrganizationId, invoice_id: InvoiceId) =>
        ofInvoice({ organization_id, invoice_id }).pipe(Effect.orDie),
      list,
      record,
      ...traced("PaymentsRepo", { findRefund }),
      nextRefundId: nextIdOf(sql, "payment_refunds", RefundId),
      refund,
      reverse,
      save,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
