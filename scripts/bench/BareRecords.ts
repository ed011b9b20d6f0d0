import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { argon2, createHash, randomBytes, randomUUID } from "node:crypto"
import { open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { parsePhc } from "../../src/platform/crypto/Phc.ts"
import { gate, journal, journalValues, pool, type Row } from "./BareStatements.ts"

/** Columns that a list does not read. */
const unlisted = new Set(["items", "tax_breakdown", "search", "secret", "previous_secrets"])
const columns = new Map<string, string>()

const columnsOf = async (table: string) => {
  const known = columns.get(table)
  if (known !== undefined) return known
  const { rows } = await pool.query("select column_name from information_schema.columns where table_name = $1", [table])
  const names: ReadonlyArray<string> = rows.map(({ column_name }) => column_name)
  const listed = names.filter((name) => !unlisted.has(name)).map((name) => `t.${name}`)
  columns.set(table, listed.join(", "))
  return listed.join(", ")
}

/** A document shows facts of its customer, as in the service. */
const debtor = `, (select json_build_object('id', d.id, 'name', d.name) from debtors d
  where d.organization_id = t.organization_id and d.id = t.customer_id) as customer`
const shown: Readonly<Record<string, string>> = {
  quotes: debtor,
  credit_notes: `${debtor}, (select json_build_object('id', i.id, 'number', i.number, 'issue_date', i.issue_date,
      'due_date', i.due_date, 'currency', i.currency, 'total', i.total) from invoices i
    where i.organization_id = t.organization_id and i.id = t.invoice_id) as original_invoice`
}

/** Reads one page of any kind of record. */
export const listOf = async (table: string, hash: Buffer, organization: number) => {
  const { rows } = await pool.query({
    name: `list ${table}`,
    text: `${gate} select (select used from entry), (select count(*)::integer from ${table} t
        where t.organization_id = $2 and t.deleted_at is null) as list_total, ${await columnsOf(table)}
        ${shown[table] ?? ""}
      from ${table} t where t.organization_id = $2 and t.deleted_at is null
        and exists (select 1 from entry where organization_id = $2) order by t.id desc limit 25`,
    values: [hash, organization]
  })
  return { success: true, data: rows, meta: { total: rows[0]?.list_total ?? 0 } }
}

const inserts: Readonly<Record<string, string>> = {
  customers: `insert into customers (organization_id, name, email, search) select organization_id, $1, $2, lower($1) from entry`,
  expenses: `insert into expenses (organization_id, category, description, expense_date, amount, tax_rates, currency,
      is_vat_deductible, is_billable, status, search, created_at, updated_at)
    select organization_id, $1, $2, '2026-07-01', 121, '[]', 'EUR', true, false, 'pending', lower($2), now(), now() from entry`
}

/** Creates a record that needs nothing else from the database, with one statement. */
export const createOf = async (table: string, values: ReadonlyArray<unknown>, hash: Buffer, organization: number) => {
  const event = { object: table, attributes: values }
  const { rows } = await pool.query({
    name: `create ${table}`,
    text: `${gate.replaceAll("$2", "$4").replaceAll("$1", "$3")},
      written as (${inserts[table] ?? ""} returning *), ${journal("written", 5)} select written.* from written`,
    values: [
      ...values,
      hash,
      organization,
      ...journalValues(organization, `${table}.created`, {}, [[`${table}.created`, event]])
    ]
  })
  return { success: true, data: rows[0] as Row }
}

const deriveKey = promisify(argon2)

/** Verifies the password at the cost of the service, but stores no session. */
export const logIn = async (email: string, password: string) => {
  const { rows } = await pool.query("select id, password_hash from users where lower(email) = $1", [email])
  const known = parsePhc(rows[0].password_hash)
  if (known._tag === "None") throw new Error("no hash")
  const { memory_kib, parallelism, passes, salt, tag } = known.value
  const cost = { memory: memory_kib, passes, parallelism, tagLength: tag.length }
  const derived = await deriveKey("argon2id", { message: password, nonce: salt, ...cost })
  return { success: derived.equals(tag), session: randomBytes(32).toString("base64url") }
}

/** Stores a file safely against a power cut, and returns a reference to it. */
export const upload = async (folder: string, body: Buffer, hash: Buffer, organization: number) => {
  const { rows } = await pool.query({
    name: "enter",
    text: `${gate} select * from entry`,
    values: [hash, organization]
  })
  const reference = randomUUID()
  const sha256 = createHash("sha256").update(body).digest("hex")
  await writeFile(join(folder, reference), body, { flush: true })
  const directory = await open(folder)
  await directory.sync()
  await directory.close()
  await pool.query({
    name: "receipt",
    text: `insert into receipts (organization_id, receipt_ref, receipt_path, status, file_name, file_size, mime_type, sha256,
        object_key) values ($1, $2, $3, 'processing', 'receipt.png', $4, 'image/png', $5, $3)`,
    values: [rows[0].organization_id, reference, `bare/${reference}`, body.length, sha256]
  })
  return { success: true, data: { receipt_ref: reference } }
}

const compiler = NodeCompiler.create()
const cached_documents_max = 5

export interface Printable {
  readonly number: string
  readonly total: number
  readonly items: ReadonlyArray<{
    readonly description: string
    readonly quantity: number
    readonly line_total: number
  }>
}

/** Uses the same library on the thread of the server, with a page as plain as an invoice can be. */
export const pdf = ({ items, number, total }: Printable): Buffer => {
  const rows = items.map((item) => `[${item.description}], [${item.quantity}], [${item.line_total}]`)
  const content = `= Invoice ${number}\n#table(columns: 3, ${rows.join(", ")})\nTotal: ${total}`
  const made = compiler.pdf({ mainFileContent: content }, { pdfStandard: "a-3b" })
  compiler.evictCache(cached_documents_max)
  return made
}
