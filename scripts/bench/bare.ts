/**
 * The yardstick: node:http and pg do the work of the service's endpoints with the fewest SQL statements, on tables of
 * their own. Credential, membership and rate counter are part of the first statement; a read is one statement, an
 * invoice or a payment two. There is no validation, no span and no typed error, and amounts are integer cents: nothing
 * is left that a service could omit.
 */
import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { create, get, list, pay } from "./BareInvoices.ts"
import { createOf, listOf, logIn, pdf, type Printable, upload } from "./BareRecords.ts"

const folder = process.env.DATA_DIR ?? "."

const tables: Readonly<Record<string, string>> = {
  "/api/v1/customers": "customers",
  "/api/v1/quotes": "quotes",
  "/api/v1/credit-notes": "credit_notes",
  "/api/v1/payments": "payments",
  "/api/v1/expenses": "expenses",
  "/api/v1/webhooks": "webhooks"
}

const readBody = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const write = (url: string, body: Buffer, hash: Buffer, organization: number) => {
  if (url === "/api/v1/expenses/upload-receipt") return upload(folder, body, hash, organization)
  if (url === "/login") {
    const form = new URLSearchParams(body.toString())
    return logIn(form.get("email") ?? "", form.get("password") ?? "")
  }
  const fields = JSON.parse(body.toString())
  if (url === "/api/v1/customers") return createOf("customers", [fields.name, fields.email], hash, organization)
  if (url === "/api/v1/expenses") return createOf("expenses", [fields.category, fields.description], hash, organization)
  return url === "/api/v1/payments" ? pay(hash, organization, fields) : create(hash, organization, fields)
}

const answer = async (request: IncomingMessage) => {
  const token = request.headers.authorization?.slice(7) ?? ""
  const hash = createHash("sha256").update(token).digest()
  const organization = Number(request.headers["x-organization-id"])
  const url = request.url ?? ""
  if (request.method !== "GET") return write(url, await readBody(request), hash, organization)
  const [, id, kind] = /^\/api\/v1\/invoices\/(\d+)(\/pdf)?$/.exec(url) ?? []
  if (id !== undefined) {
    const invoice = await get(hash, organization, Number(id))
    return kind === undefined ? invoice : pdf(invoice.data as unknown as Printable)
  }
  const table = tables[url]
  return table === undefined ? list(hash, organization) : listOf(table, hash, organization)
}

const respond = async (request: IncomingMessage, response: ServerResponse) => {
  try {
    const answered = await answer(request)
    const body = Buffer.isBuffer(answered) ? answered : JSON.stringify(answered)
    response.writeHead(request.method === "GET" ? 200 : 201, {
      "content-type": Buffer.isBuffer(answered) ? "application/pdf" : "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "x-request-id": randomUUID(),
      "x-ratelimit-limit": "60"
    })
    response.end(body)
  } catch (error) {
    console.error(error)
    response.writeHead(500, { "content-length": 0 })
    response.end()
  }
}

createServer((request, response) => {
  if (request.url === "/health/live") response.end()
  else void respond(request, response)
}).listen(Number(process.env.PORT), "127.0.0.1")

process.on("SIGTERM", () => process.exit(0))
