import { createHash, randomUUID } from "node:crypto"
import { type Books, customers_per_organization, password, webhooks_per_organization } from "./Data.ts"
import { formText, type NextRequest, requestText, uploadText } from "./Load.ts"

export interface Operation {
  readonly name: string
  readonly next: NextRequest
  /** Number of connections, if the service limits the number of simultaneous requests of this kind. */
  readonly connections?: number
  /**
   * Desired ratio of the minimal server's CPU time (`limit/server.ts`) to the service's; absent if the minimal server
   * lacks the operation.
   */
  readonly aim?: number
}

const random = (max: number) => 1 + Math.floor(Math.random() * max)

const headersOf = (organization: number) => ({
  Authorization: `Bearer pat_bench${organization}`,
  "X-Organization-Id": String(organization)
})

const cookie = `pre_${"b".repeat(43)}`
/** Returns the hidden field of a form on a new page, derived from the browser's cookie. Each page's form acts once. */
const newCsrf = () => {
  const page = randomUUID()
  return `${page}.${createHash("sha256").update(`csrf ${cookie} ${page}`).digest("base64url")}`
}

/** The picture has one pixel, because the operation measures the transfer of a file, not its reading. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABc3UBGAAAAABJRU5ErkJggg==",
  "base64"
)

const items = [
  { description: "Consulting", quantity: 3, unit_price: 100 },
  { description: "Travel", quantity: 1, unit_price: 50 },
  { description: "Books", quantity: 2, unit_price: 20 }
]

const customerOf = (organization: number) =>
  (organization - 1) * customers_per_organization + random(customers_per_organization)

const document = (organization: number) => ({
  customer_id: customerOf(organization),
  issue_date: "2026-07-01",
  currency: "EUR",
  items
})

/** One operation for each path that requests take through the service, for organizations drawn at random. */
export const operationsOn = ({ invoices, large, organizations }: Books): ReadonlyArray<Operation> => {
  // The large organization is left out: the minimal server would have to count its million invoices.
  const drawn = () => random(large === 0 ? organizations : organizations - 1)
  // Every second organization numbers its invoices at creation.
  const drawnUnnumbered = () => 2 * random(Math.floor(organizations / 2)) - 1
  const drawnNumbered = () => 2 * random(Math.floor((organizations - 1) / 2))
  const get = (name: string, path: (organization: number) => string): Operation => ({
    name,
    next: () => {
      const organization = drawn()
      return requestText("GET", path(organization), headersOf(organization))
    }
  })
  const post = (
    name: string,
    path: string,
    body: (organization: number) => unknown,
    organizationOf = drawn
  ): Operation => ({
    name,
    next: () => {
      const organization = organizationOf()
      return requestText("POST", path, headersOf(organization), body(organization))
    }
  })
  const create = (name: string, organizationOf: () => number) =>
    post(name, "/api/v1/invoices", (o) => ({ ...document(o), due_date: "2026-07-31" }), organizationOf)
  const ofLarge = (name: string, query: () => string): Operation => ({
    name,
    next: () => requestText("GET", `/api/v1/invoices?${query()}`, headersOf(organizations))
  })
  const invoiceOf = (organization: number) => (organization - 1) * invoices + random(invoices)
  const pay = post("record a payment", "/api/v1/payments", (organization) => ({
    invoice_id: invoiceOf(organization),
    amount: 0.01,
    payment_date: "2026-07-01",
    payment_method: "bank_transfer"
  }))
  /** Requests are sent one after another on one connection, to measure how long a single request takes. */
  const alone = { connections: 1, aim: 0.7 }
  return [
    { ...get("get invoice", (organization) => `/api/v1/invoices/${invoiceOf(organization)}`), aim: 0.85 },
    { ...get("list 25", () => "/api/v1/invoices"), aim: 0.85 },
    { ...create("create, 3 items", drawnUnnumbered), aim: 0.85 },
    { ...create("create, numbered", drawnNumbered), aim: 0.85 },
    { ...pay, aim: 0.85 },
    { ...get("get, 1 connection", (organization) => `/api/v1/invoices/${invoiceOf(organization)}`), ...alone },
    { ...create("create, 1 connection", drawnUnnumbered), ...alone },
    { ...create("one organization", () => 2), aim: 0.8, connections: 32 },
    ...(large === 0
      ? []
      : [
          ofLarge("large: page 1", () => ""),
          ofLarge("large: any page", () => `page=${random(Math.floor(large / 25))}`),
          ofLarge("large: overdue", () => "status=overdue"),
          ofLarge("large: search", () => `search=INV-2024-${String(random(large)).padStart(7, "0")}`)
        ]),
    get("list customers", () => "/api/v1/customers"),
    get("list quotes", () => "/api/v1/quotes"),
    get("list credit notes", () => "/api/v1/credit-notes"),
    get("list payments", () => "/api/v1/payments"),
    get("list expenses", () => "/api/v1/expenses"),
    get("list webhooks", () => "/api/v1/webhooks"),
    get("get customer", (organization) => `/api/v1/customers/${customerOf(organization)}`),
    post("create customer", "/api/v1/customers", () => ({ name: "New customer", email: "new@example.com" })),
    post("create quote", "/api/v1/quotes", (o) => ({ ...document(o), valid_until: "2026-07-31" })),
    post("create expense", "/api/v1/expenses", () => ({
      expense_date: "2026-07-01",
      category: "travel",
      amount: 121,
      currency: "EUR",
      description: "Journey"
    })),
    {
      name: "change a webhook",
      next: () => {
        const organization = drawn()
        const id = (organization - 1) * webhooks_per_organization + random(webhooks_per_organization)
        return requestText("PUT", `/api/v1/webhooks/${id}`, headersOf(organization), { description: randomUUID() })
      }
    },
    get("invoice as PDF", (organization) => `/api/v1/invoices/${invoiceOf(organization)}/pdf`),
    {
      name: "upload a receipt",
      next: () => uploadText("/api/v1/expenses/upload-receipt", headersOf(drawn()), picture)
    },
    {
      name: "log in",
      connections: 1,
      next: () => {
        const email = `user${random(organizations)}@example.com`
        return formText("/login", { Cookie: `session=${cookie}` }, { csrf: newCsrf(), query: "", email, password })
      }
    }
  ]
}
