/**
 * The minimal server with which the service is compared. Each request calls one PL/pgSQL function, which does the
 * business work of one of four endpoints on a schema of its own (`schema.sql`). It checks token, membership, scope and
 * permission; it computes the totals and taxes of an invoice, and writes its gapless number, audit hash and event; it
 * locks an invoice and adds a payment to its sums. Rate limits, stored totals and validation are left out, so that the
 * figures show the cost of the business work alone.
 */
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Pool } from "pg"

const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_CONNECTIONS ?? 16)
})

interface Answer {
  readonly status: number
  readonly body: string
}

const statements = {
  get: "select * from api_get_invoice($1::bytea, $2::integer, $3::integer)",
  list: "select * from api_list_invoices($1::bytea, $2::integer, $3::integer)",
  create: "select * from api_create_invoice($1::bytea, $2::integer, $3::jsonb)",
  pay: "select * from api_pay($1::bytea, $2::integer, $3::jsonb)"
} as const

const ask = async (name: keyof typeof statements, hash: Buffer, organization: number, argument: string | number) => {
  const { rows } = await pool.query<Answer>({ name, text: statements[name], values: [hash, organization, argument] })
  return rows[0]
}

const readBody = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const rows_per_page = 25

const answer = async (request: IncomingMessage) => {
  const token = request.headers.authorization?.slice("Bearer ".length) ?? ""
  const hash = createHash("sha256").update(token).digest()
  const organization = Number(request.headers["x-organization-id"])
  const url = request.url ?? ""
  if (request.method !== "GET")
    return ask(url === "/api/v1/payments" ? "pay" : "create", hash, organization, await readBody(request))
  const id = /^\/api\/v1\/invoices\/(\d+)$/.exec(url)?.[1]
  if (id !== undefined) return ask("get", hash, organization, Number(id))
  const page = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1)
  return ask("list", hash, organization, (page - 1) * rows_per_page)
}

const respond = async (request: IncomingMessage, response: ServerResponse) => {
  const { body, status } = (await answer(request)) ?? { status: 500, body: "{}" }
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}

createServer((request, response) => {
  if (request.url === "/health/live") response.end()
  else void respond(request, response)
}).listen(Number(process.env.PORT), "127.0.0.1")

process.on("SIGTERM", () => process.exit(0))
