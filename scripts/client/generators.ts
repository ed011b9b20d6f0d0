/**
 * Generates clients with three generators from the npm registry, compiles them strictly, and uses them on the running
 * service `INVOICING_URL` with an organization's token in `INVOICING_TOKEN`.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "rolldown"

const url = process.env["INVOICING_URL"] ?? "http://localhost:3000"

const packages = [
  "typescript@5.9.3",
  "@types/node@26.6.5",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.99.0",
  "orval@8.38.0"
]

/** The module that the programs of all three generators import: the URL, the token, and the bodies of requests. */
const shared = `
const url = ${JSON.stringify(url)}
const token = process.env["INVOICING_TOKEN"] ?? ""
const key = { "Idempotency-Key": crypto.randomUUID() }
const draft = (customer_id: number) => ({
  customer_id, issue_date: "2026-03-01", due_date: "2999-03-31", currency: "EUR",
  items: [{ description: "Consulting", quantity: 3, unit: "hour", unit_price: 95 }]
})
const payment = (invoice_id: number, amount: number) =>
  ({ invoice_id, amount, payment_date: "2026-03-02", payment_method: "bank_transfer" as const })
export { draft, key, payment, token, url }
`

const openapi_typescript = `
import createClient from "openapi-fetch"
import type { paths } from "./openapi.js"
import { draft, key, payment, token, url } from "./shared.js"
const api = createClient<paths>({ baseUrl: url, headers: { authorization: "Bearer " + token } })
const customer = await api.POST("/api/v1/customers", { body: { name: "Ada" } })
const made = await api.POST("/api/v1/invoices", { params: { header: key }, body: draft(customer.data!.data.id) })
const id = made.data!.data.id
const seen = await api.GET("/api/v1/invoices/{id}", { params: { path: { id } } })
const header = { "If-Match": seen.response.headers.get("etag")! }
await api.PUT("/api/v1/invoices/{id}", { params: { path: { id }, header }, body: { notes: "Thanks" } })
const sent = await api.POST("/api/v1/invoices/{id}/mark-sent", { params: { path: { id } }, body: null })
await api.POST("/api/v1/payments", { body: payment(id, sent.data!.data.balance_due) })
const paid = await api.GET("/api/v1/invoices", { params: { query: { status: "paid" } } })
console.log(paid.data!.data.some((invoice) => invoice.id === id))
`

const hey_api = `
import { client } from "./hey/client.gen.js"
import * as api from "./hey/index.js"
import { draft, key, payment, token, url } from "./shared.js"
client.setConfig({ baseUrl: url, auth: ({ scheme }) => (scheme === "bearer" ? token : undefined), throwOnError: true })
const customer = await api.customersCreate({ body: { name: "Bea" }, throwOnError: true })
const made = await api.invoicesCreate({ body: draft(customer.data.data.id), headers: key, throwOnError: true })
const path = { id: made.data.data.id }
const seen = await api.invoicesGet({ path, throwOnError: true })
const headers = { "If-Match": seen.response.headers.get("etag")! }
await api.invoicesUpdate({ path, headers, body: { notes: "Thanks" }, throwOnError: true })
const sent = await api.invoicesMarkSent({ path, body: null, throwOnError: true })
await api.paymentsCreate({ body: payment(path.id, sent.data.data.balance_due), throwOnError: true })
const paid = await api.invoicesList({ query: { status: "paid" }, throwOnError: true })
console.log(paid.data.data.some((invoice) => invoice.id === path.id))
`

const orval = `
import * as api from "./orval/client.js"
import { draft, key, payment, token } from "./shared.js"
const headers = { authorization: "Bearer " + token }
const customer = await api.customersCreate({ name: "Cleo" }, { headers })
if (customer.status !== 201) throw new Error(String(customer.status))
const made = await api.invoicesCreate(draft(customer.data.data.id), { headers: { ...headers, ...key } })
if (made.status !== 201) throw new Error(String(made.status))
const { id } = made.data.data
const seen = await api.invoicesGet(id, { headers })
const ifMatch = { ...headers, "If-Match": seen.headers.get("etag")! }
const changed = await api.invoicesUpdate(id, { notes: "Thanks" }, { headers: ifMatch })
if (changed.status !== 200) throw new Error(String(changed.status))
const sent = await api.invoicesMarkSent(id, null, { headers })
if (sent.status !== 200) throw new Error(String(sent.status))
await api.paymentsCreate(payment(id, sent.data.data.balance_due), { headers })
const paid = await api.invoicesList({ status: "paid" }, { headers })
console.log(paid.status === 200 && paid.data.data.some((invoice) => invoice.id === id))
`

const folder = mkdtempSync(join(tmpdir(), "invoicing-generators-"))
const run = (command: string, ...parameters: ReadonlyArray<string>) =>
  execFileSync(command, parameters, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })
const write = (name: string, content: string | object) =>
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content))

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  module: "esnext",
  moduleResolution: "bundler",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
  types: ["node"],
  noEmit: true
}

try {
  const document = await fetch(`${url}/openapi.json`).catch(() => {
    throw new Error(`No service answers at ${url}. Start one with npm start.`)
  })
  write("openapi.json", await document.text())
  write("package.json", { name: "generators", private: true, type: "module" })
  run("npm", "install", "--no-audit", "--no-fund", "--silent", ...packages)
  run(process.execPath, "node_modules/.bin/openapi-typescript", "openapi.json", "-o", "openapi.ts")
  run(
    process.execPath,
    "node_modules/.bin/openapi-ts",
    "-i",
    "openapi.json",
    "-o",
    "hey",
    "-c",
    "@hey-api/client-fetch"
  )
  const output = { target: "./orval/client.ts", client: "fetch", mode: "single", baseUrl: url }
  write("orval.config.mjs", `export default ${JSON.stringify({ invoicing: { input: "./openapi.json", output } })}`)
  run(process.execPath, "node_modules/.bin/orval", "--config", "./orval.config.mjs")
  const walks = { openapi_typescript, hey_api, orval }
  write("shared.ts", shared)
  for (const [name, walk] of Object.entries(walks)) write(`${name}.ts`, walk)
  write("tsconfig.json", { compilerOptions, include: ["*.ts", "hey", "orval"] })
  run(process.execPath, "node_modules/.bin/tsc", "-p", ".")
  for (const name of Object.keys(walks)) {
    // Some generated code has import paths that only bundlers resolve.
    await build({ input: join(folder, `${name}.ts`), platform: "node", output: { file: join(folder, `${name}.mjs`) } })
    console.log(`${name}: created, changed, issued, paid and listed: ${run(process.execPath, `${name}.mjs`).trim()}`)
  }
} catch (failure) {
  console.error(failure instanceof Error && "stdout" in failure ? failure.stdout : String(failure))
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
