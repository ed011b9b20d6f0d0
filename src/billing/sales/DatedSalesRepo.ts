import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { DatedReceipt, DatedSale, Days } from "./DatedSale.ts"

const Asked = Schema.Struct({ organization_id: OrganizationId, ...Days.fields })

/** The fields of a sale that are read in the same way for invoices and credit notes. */
const common = (alias: string) => `
  'id', ${alias}.id, 'number', ${alias}.number, 'issue_date', ${alias}.issue_date, 'currency', ${alias}.currency,
  'exchange_rate', ${alias}.exchange_rate::text, 'operation_nature', ${alias}.details ->> 'operation_nature',
  'tax_breakdown', ${alias}.tax_breakdown, 'customer', coalesce(k.customer, d.printed),
  'identifiers', json_build_object('tax_number', c.tax_number, 'scheme', c.scheme, 'value', c.value)`

const parties = (alias: string, document: string) => `
  join debtors d on d.organization_id = ${alias}.organization_id and d.id = ${alias}.customer_id
  join customer_identifiers c on c.organization_id = ${alias}.organization_id and c.id = ${alias}.customer_id
  left join document_correspondents k on k.organization_id = ${alias}.organization_id and k.document = '${document}'
    and k.document_id = ${alias}.id`

const invoice = `json_build_object('kind', 'invoice', 'due_date', i.due_date, 'type_code', null, 'original', null,
  ${common("i")})`

const credit_note = `json_build_object('kind', 'credit_note', 'due_date', null, 'type_code', n.credit_note_type_code,
  'original', json_build_object('number', i.number, 'issue_date', i.issue_date), ${common("n")})`

export class DatedSalesRepo extends Context.Service<DatedSalesRepo>()("invoicing/billing/sales/DatedSalesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const invoiceParties = sql.literal(parties("i", "invoice"))

    const sales = SqlSchema.findAll({
      Request: Asked,
      Result: Schema.Struct({ sale: DatedSale }),
      execute: ({ end, organization_id, start }) => sql`
        select sale from (
          select ${sql.literal(invoice)} as sale, i.issue_date, 0 as place, i.id
          from invoices i ${invoiceParties}
          where i.organization_id = ${organization_id} and i.issue_date between ${start}::date and ${end}::date
            and i.issued_at is not null and i.deleted_at is null
          union all
          select ${sql.literal(credit_note)}, n.issue_date, 1, n.id
          from credit_notes n join invoices i on i.organization_id = n.organization_id and i.id = n.invoice_id
          ${sql.literal(parties("n", "credit_note"))}
          where n.organization_id = ${organization_id} and n.issue_date between ${start}::date and ${end}::date
            and n.sent_at is not null
        ) dated order by issue_date, place, id`
    })

    const receipts = SqlSchema.findAll({
      Request: Asked,
      Result: DatedReceipt,
      execute: ({ end, organization_id, start }) => sql`
        select received_on::text, received, sale from (
          select p.payment_date as received_on, p.amount - p.refunded_amount as received, 1 as place, p.id,
            ${sql.literal(invoice)} as sale
          from payments p join invoices i on i.organization_id = p.organization_id and i.id = p.invoice_id
          ${invoiceParties}
          where p.organization_id = ${organization_id} and p.payment_date between ${start}::date and ${end}::date
            and p.deleted_at is null and p.refunded_amount < p.amount and i.issued_at is not null
          union all
          select i.issue_date, i.prepaid_amount, 0, i.id, ${sql.literal(invoice)}
          from invoices i ${invoiceParties}
          where i.organization_id = ${organization_id} and i.issue_date between ${start}::date and ${end}::date
            and i.issued_at is not null and i.deleted_at is null and i.prepaid_amount > 0
            and not exists (select from payments p
              where p.organization_id = ${organization_id} and p.invoice_id = i.id and p.is_prepayment)
        ) dated order by received_on, place, id`
    })

    const decodeDigests = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ fingerprint: Schema.String })))

    const fingerprints = Effect.fn("DatedSalesRepo.fingerprints")(function* (
      organization_id: OrganizationId,
      ranges: ReadonlyArray<Days>,
      omitted: ReadonlyArray<Pick<DatedSale, "kind" | "id">>
    ) {
      const omittedIds = (kind: DatedSale["kind"]) =>
        sql`(select id from jsonb_to_recordset(${sql.json(omitted)}) as o (kind text, id bigint) where kind = ${kind})`
      const rows = yield* sql`
        select concat_ws('/',
          (select md5(string_agg(concat_ws('.', id, version), ' ' order by id)) from invoices
            where organization_id = ${organization_id} and issue_date between first and last
              and issued_at is not null and deleted_at is null),
          (select md5(string_agg(concat_ws('.', id, version), ' ' order by id)) from credit_notes
            where organization_id = ${organization_id} and issue_date between first and last and sent_at is not null),
          (select md5(string_agg(concat_ws('.', id, version), ' ' order by id)) from payments
            where organization_id = ${organization_id} and payment_date between first and last
              and deleted_at is null),
          (select md5(string_agg(id::text, ' ' order by id)) from invoices
            where organization_id = ${organization_id} and issue_date between first and last
              and id in ${omittedIds("invoice")}),
          (select md5(string_agg(id::text, ' ' order by id)) from credit_notes
            where organization_id = ${organization_id} and issue_date between first and last
              and id in ${omittedIds("credit_note")})) as fingerprint
        from rows from (jsonb_to_recordset(${sql.json(ranges.map(({ end, start }) => ({ first: start, last: end })))})
          as (first date, last date)) with ordinality as ranges (first, last, place)
        order by place`
      return (yield* decodeDigests(rows)).map(({ fingerprint }) => fingerprint)
    }, Effect.orDie)

    return {
      sales: Effect.fn("DatedSalesRepo.sales")(function* (asked: typeof Asked.Type) {
        return (yield* sales(asked)).map(({ sale }) => sale)
      }, Effect.orDie),
      ...traced("DatedSalesRepo", { receipts }),
      fingerprints
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
