import { expect } from "vitest"
import type { Answer, App } from "../../support/App.ts"

interface SyncedList {
  readonly path: string
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly usual: string
  /** A filter that some of the rows match. */
  readonly filter: string
}

export const lists: ReadonlyArray<SyncedList> = [
  {
    path: "/customers",
    table: "customers",
    columns: ["name", "id", "updated_at"],
    usual: "-id",
    filter: "search=even"
  },
  { path: "/contacts", table: "contacts", columns: ["name", "id", "updated_at"], usual: "-id", filter: "search=even" },
  {
    path: "/invoices",
    table: "invoices",
    columns: [...dated("issue_date"), "due_date"],
    usual: "-issue_date",
    filter: "status=sent"
  },
  {
    path: "/customers/{customer}/invoices",
    table: "invoices",
    columns: [...dated("issue_date"), "due_date"],
    usual: "-issue_date",
    filter: "status=draft"
  },
  { path: "/quotes", table: "quotes", columns: dated("issue_date"), usual: "-issue_date", filter: "status=rejected" },
  {
    path: "/customers/{customer}/quotes",
    table: "quotes",
    columns: dated("issue_date"),
    usual: "-issue_date",
    filter: "status=draft"
  },
  { path: "/credit-notes", table: "credit_notes", columns: dated("issue_date"), usual: "-id", filter: "status=sent" },
  {
    path: "/payments",
    table: "payments",
    columns: dated("payment_date"),
    usual: "-payment_date",
    filter: "payment_method=card"
  },
  {
    path: "/expenses",
    table: "expenses",
    columns: dated("expense_date"),
    usual: "-expense_date",
    filter: "category=travel"
  },
  {
    path: "/bank-transactions",
    table: "bank_transactions",
    columns: dated("booking_date"),
    usual: "-booking_date",
    filter: "status=excluded"
  },
  {
    path: "/einvoicing/invoices",
    table: "einvoices",
    columns: ["id", "updated_at"],
    usual: "-id",
    filter: "status=rejected"
  }
]

function dated(column: string): ReadonlyArray<string> {
  return [column, "id", "updated_at"]
}

/** Days, names and times are shared by several rows; times have microseconds, as `now()` has. */
const day = "(date '2026-01-01' + n % 5)"
const changed = "(timestamptz '2026-01-01 10:00:00.123456Z' + n / 3 * interval '1 minute')"

/** SQL statements that insert `rows` rows of every list for an organization. */
const seeds = (organization: number, rows: number) => {
  const of = `generate_series(1, ${rows}) n`
  const sums = "'[]', '[]', 100, 0, 0, 100"
  const first = (table: string) => `(select min(id) from ${table} where organization_id = ${organization})`
  return [
    `insert into customers (organization_id, name, search, updated_at)
     select ${organization}, 'Name ' || n % 7, 'name ' || n % 7 || case n % 2 when 0 then chr(10) || 'even' else '' end,
       ${changed} from ${of}`,
    `insert into contacts (organization_id, customer_id, name, search, updated_at)
     select ${organization}, ${first("customers")}, 'Name ' || n % 7,
       'name ' || n % 7 || case n % 2 when 0 then chr(10) || 'even' else '' end, ${changed} from ${of}`,
    `insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date, currency, items,
       tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
     select ${organization}, ${first("customers")}, case when n % 2 = 0 then 'INV-' || n end,
       case when n % 2 = 0 then now() end, ${day}, date '2999-01-01' + n % 4, 'EUR', ${sums}, now(), ${changed} from ${of}`,
    `insert into quotes (organization_id, customer_id, status, issue_date, valid_until, currency, items, tax_breakdown,
       subtotal, discount_total, tax_total, total, created_at, updated_at)
     select ${organization}, ${first("customers")}, case n % 2 when 0 then 'draft' else 'rejected' end, ${day},
       date '2999-01-01', 'EUR', ${sums}, now(), ${changed} from ${of}`,
    `insert into credit_notes (organization_id, invoice_id, customer_id, number, sequence, issue_date,
       credit_note_type_code, sent_at, currency, reason, credit_type, items, tax_breakdown, shares, subtotal, tax_total,
       total, created_at, updated_at)
     select ${organization}, i.id, i.customer_id, 'CN-' || n, n, ${day}, '381', case when n % 2 = 0 then now() end, 'EUR',
       'Returned', 'partial', '[]', '[]', '{}', 1, 0, 1, now(), ${changed}
     from ${of} cross join (select * from invoices where organization_id = ${organization} and number is not null
       order by id limit 1) i`,
    `insert into payments (organization_id, invoice_id, amount, currency, payment_date, payment_method, created_at,
       updated_at)
     select ${organization}, ${first("invoices")}, 1, 'EUR', ${day}, case n % 2 when 0 then 'card' else 'cash' end, now(),
       ${changed} from ${of}`,
    `insert into expenses (organization_id, expense_date, category, amount, tax_rates, currency, description,
       is_vat_deductible, is_billable, status, search, created_at, updated_at)
     select ${organization}, ${day}, case n % 2 when 0 then 'travel' else 'office' end, 1, '[]', 'EUR', 'Train', false,
       false, 'pending', 'train', now(), ${changed} from ${of}`,
    `insert into bank_accounts (organization_id, name, currency) values (${organization}, 'Current', 'EUR')`,
    `insert into bank_imports (organization_id, bank_account_id, file_sha256, summary, created_at)
     values (${organization}, ${first("bank_accounts")}, 'x', '{}', now())`,
    `insert into bank_transactions (organization_id, bank_account_id, import_session_id, position, booking_date, amount,
       currency, remittance_text, line_key, status, matched_amount, updated_at)
     select ${organization}, ${first("bank_accounts")}, ${first("bank_imports")}, n, ${day}, 1, 'EUR', '', 'k' || n,
       case n % 2 when 0 then 'unmatched' else 'excluded' end, n % 2, ${changed} from ${of}`,
    `insert into einvoices (organization_id, invoice_id, number, provider, environment, profile, transmission_id, sender_scheme,
       sender_value, recipient, status, xml_sha256, xml, created_at, updated_at)
     select ${organization}, i.id, i.number, 'peppol', 'sandbox', 'peppol-bis-3', gen_random_uuid(), '0208', '1',
       '{"identifier_scheme":"0208","identifier_value":"2","name":"Beta","country_code":"BE"}', case n % 2 when 0 then 'failed' else 'rejected' end, 'x', '<x/>', now(), ${changed}
     from ${of} cross join (select * from invoices where organization_id = ${organization} and number is not null
       order by id limit 1) i`
  ]
}

interface Row {
  readonly id: number
  readonly updated_at: string
  readonly [column: string]: string | number | null
}

export const openLists = async (app: App, rows: number) => {
  const { id, owner } = await app.organization()
  for (const statement of seeds(id, rows)) await app.inDatabase(statement)
  const found: unknown = await app.inDatabase(`select min(id) as id from customers where organization_id = ${id}`)
  const customer = Array.isArray(found) ? String(found[0].id) : ""

  const ask = (path: string, query: string): Promise<Answer> =>
    app.call("GET", `/api/v1${path.replace("{customer}", customer)}?${query}`, { token: owner.token, organization: id })

  const numbered = async (path: string, query: string): Promise<ReadonlyArray<Row>> => {
    const all: Array<Row> = []
    for (let page = 1; ; page++) {
      const { body, status } = await ask(path, `${query}&per_page=100&page=${page}`)
      expect([query, status]).toEqual([query, 200])
      all.push(...body.data)
      if (body.links.next === null) return all
    }
  }

  /** Reads all rows by cursor, following the links; `between` runs after each page. */
  const walked = async (path: string, query: string, per_page = 10, between = async () => {}) => {
    const all: Array<Row> = []
    let { body } = await ask(path, `${query}&per_page=${per_page}&cursor=`)
    for (;;) {
      all.push(...body.data)
      expect(Object.keys(body.meta).toSorted()).toEqual(["next_cursor", "next_updated_since", "path", "per_page"])
      expect([body.links.last, body.links.prev]).toEqual([null, null])
      expect(new URL(body.links.first).searchParams.get("cursor")).toBe("")
      if (body.links.next === null) break
      const next = new URL(body.links.next)
      expect(next.searchParams.get("cursor")).toBe(body.meta.next_cursor)
      await between()
      body = (await app.call("GET", next.pathname + next.search, { token: owner.token, organization: id })).body
    }
    expect(body.meta.next_cursor).toBeNull()
    return { rows: all, next_updated_since: String(body.meta.next_updated_since) }
  }

  return { id, owner, customer, ask, numbered, walked }
}
export type Lists = Awaited<ReturnType<typeof openLists>>

const ranked = (row: Row, column: string): string | number => {
  // A draft has no date yet, so it comes after all rows with a date.
  const value = row[column] ?? "infinity"
  return typeof value === "number" ? value : value.toLowerCase()
}

/** Sorts like the list, with the id as the last criterion. */
export const sortedBy = (rows: ReadonlyArray<Row>, sort: string): ReadonlyArray<Row> => {
  const column = sort.replace("-", "")
  const way = sort.startsWith("-") ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [ranked(a, column), ranked(b, column)]
    return way * (left < right ? -1 : left > right ? 1 : a.id - b.id)
  })
}

export const idsOf = (rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id)
