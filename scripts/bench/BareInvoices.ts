import { gate, journal, journalValues, pool, type Row } from "./BareStatements.ts"

const invoiceColumns = `i.id, i.number, i.customer_id, d.name as customer_name, i.issue_date::text, i.due_date::text,
  i.currency, i.exchange_rate, i.subtotal, i.discount_total, i.tax_total, i.rounding_adjustment, i.total, i.amount_paid,
  i.amount_credited, i.amount_refunded, i.payment_reference, i.notes, i.terms, i.issued_at, i.sent_at, i.sent_method,
  i.paid_at, i.quote_id, i.created_at, i.updated_at, i.version`

const source = `invoices i join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id`

const amounts = ["subtotal", "discount_total", "tax_total", "rounding_adjustment", "total", "amount_paid"]
const sums = [...amounts, "amount_credited", "amount_refunded"]
const itemAmounts = [
  "quantity",
  "unit_price",
  "discount",
  "line_subtotal",
  "discount_amount",
  "line_total",
  "tax_amount"
]

const numbers = (row: Row, keys: ReadonlyArray<string>) => {
  const copy = { ...row }
  for (const key of keys) copy[key] = Number(copy[key])
  return copy
}

const present = ({ customer_name, items, tax_breakdown, ...row }: Row) => {
  const invoice = numbers(row, sums)
  const net = Number(invoice.total) - Number(invoice.amount_credited) - Number(invoice.amount_paid)
  const today = new Date().toISOString().slice(0, 10)
  const overdue = invoice.issued_at !== null && net > 0 && String(invoice.due_date) < today
  const status = invoice.issued_at === null ? "draft" : net <= 0 ? "paid" : overdue ? "overdue" : "sent"
  return {
    ...invoice,
    customer: { id: row.customer_id, name: customer_name },
    ...(items === undefined ? {} : { items: (items as Array<Row>).map((item) => numbers(item, itemAmounts)) }),
    ...(tax_breakdown === undefined
      ? {}
      : { tax_breakdown: (tax_breakdown as Array<Row>).map((tax) => numbers(tax, ["taxable_amount", "tax_amount"])) }),
    status,
    payment_status: net <= 0 ? "paid" : Number(invoice.amount_paid) > 0 ? "partially_paid" : "unpaid",
    is_overdue: overdue,
    balance_due: Math.max(0, net)
  }
}

export const get = async (hash: Buffer, organization: number, id: number) => {
  const { rows } = await pool.query({
    name: "get",
    text: `${gate} select e.used, ${invoiceColumns}, i.items, i.tax_breakdown from entry e join ${source}
      on i.organization_id = e.organization_id and i.id = $3 and i.deleted_at is null`,
    values: [hash, organization, id]
  })
  return { success: true, data: present(rows[0]) }
}

export const list = async (hash: Buffer, organization: number) => {
  const { rows } = await pool.query({
    name: "list",
    text: `${gate} select (select used from entry), (select count(*)::integer from invoices i
        where i.organization_id = $2 and i.deleted_at is null) as list_total, ${invoiceColumns}
      from ${source} where i.organization_id = $2 and i.deleted_at is null
        and exists (select 1 from entry where organization_id = $2)
      order by i.issue_date desc, i.id desc limit 25`,
    values: [hash, organization]
  })
  return { success: true, data: rows.map(present), meta: { total: rows[0]?.list_total ?? 0 } }
}

interface Line {
  readonly description: string
  readonly quantity: number
  readonly unit_price: number
}

export const create = async (hash: Buffer, organization: number, body: Row) => {
  const lines = body.items as ReadonlyArray<Line>
  const prefetch = await pool.query({
    name: "prefetch",
    text: `${gate} select e.used, nextval('invoices_id_seq')::integer as id,
        array(select nextval('invoice_item_ids')::integer from generate_series(1, $3)) as item_ids,
        (select name from debtors where organization_id = e.organization_id and id = $4 and active) as customer,
        (select json_agg(json_build_object('id', id, 'name', name, 'rate', rate, 'category', category)) from tax_rates
          where organization_id = e.organization_id and archived_at is null and is_default) as rates from entry e`,
    values: [hash, organization, lines.length, body.customer_id]
  })
  const { customer, id, item_ids, rates } = prefetch.rows[0]
  const [rate] = rates
  let subtotal = 0
  const items = lines.map((line, index) => {
    const cents = Math.round(line.quantity * line.unit_price * 100)
    subtotal += cents
    return {
      id: item_ids[index],
      position: index + 1,
      unit: "C62",
      discount: 0,
      ...line,
      line_total: cents / 100,
      rate
    }
  })
  const tax = Math.round((subtotal * Number(rate.rate)) / 100)
  const tax_breakdown = [{ tax_rate_id: rate.id, ...rate, taxable_amount: subtotal / 100, tax_amount: tax / 100 }]
  const total = (subtotal + tax) / 100
  const invoice = { id, ...body, items, tax_breakdown, subtotal: subtotal / 100, total, customer, status: "draft" }
  const event = { object: "invoice", id, attributes: invoice }
  await pool.query({
    name: "create",
    text: `with written as (
        insert into invoices (id, organization_id, customer_id, issue_date, due_date, currency, items, tax_breakdown,
          subtotal, discount_total, tax_total, total, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, 1, now(), now()) returning id),
      ${journal("written", 12)} select id from written`,
    values: [
      id,
      organization,
      body.customer_id,
      body.issue_date,
      body.due_date,
      body.currency,
      JSON.stringify(items),
      JSON.stringify(tax_breakdown),
      subtotal / 100,
      tax / 100,
      total,
      ...journalValues(organization, "invoice.created", { invoice_id: id }, [["invoice.created", event]])
    ]
  })
  return { success: true, data: invoice }
}

export const pay = async (hash: Buffer, organization: number, body: Row) => {
  const found = await pool.query({
    name: "payable",
    text: `${gate} select e.used, nextval('payments_id_seq')::integer as payment_id, ${invoiceColumns}, i.items,
      i.tax_breakdown from entry e join ${source}
      on i.organization_id = e.organization_id and i.id = $3 and i.deleted_at is null`,
    values: [hash, organization, body.invoice_id]
  })
  const { payment_id, ...row } = found.rows[0]
  const invoice = present(row) as Row
  const paid = (Math.round(Number(row.amount_paid) * 100) + Math.round(Number(body.amount) * 100)) / 100
  const payment = { id: payment_id, ...body, refunds: [], status: "completed" }
  const events: ReadonlyArray<[string, unknown]> = [
    ["payment.created", { object: "payment", id: payment_id, attributes: payment }],
    ["invoice.partially_paid", { object: "invoice", id: invoice.id, attributes: { ...invoice, amount_paid: paid } }]
  ]
  await pool.query({
    name: "pay",
    text: `with moved as (
        update invoices set amount_paid = $1, updated_at = now(), version = version + 1
        where organization_id = $2 and id = $3 and version = $4 and deleted_at is null returning id),
      written as (
        insert into payments (id, organization_id, invoice_id, amount, currency, payment_date, payment_method,
          created_at, updated_at)
        select $5::integer, $2::integer, id, $6::numeric, 'EUR', $7::date, $8, now(), now() from moved returning id),
      ${journal("written", 9)} select id from written`,
    values: [
      paid,
      organization,
      body.invoice_id,
      row.version,
      payment_id,
      body.amount,
      body.payment_date,
      body.payment_method,
      ...journalValues(organization, "payment.created", { payment_id, invoice_id: body.invoice_id }, events)
    ]
  })
  return { success: true, data: payment }
}
