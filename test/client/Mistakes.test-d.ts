/**
 * Mistakes that the compiler must report: if one of them compiles, `npm run types` reports the comment above it. The
 * test of the package compiles this file with the installed package, too.
 */
import { Effect } from "effect"
import { each, eachDeleted, type Invoicing, Refused, unwrap, type WebhookMessage } from "../../src/client/Invoicing.ts"
import type * as forEffect from "../../src/client/effect/EffectClient.ts"

declare const api: Invoicing
declare const effect: forEffect.Invoicing

const params = { path: { id: 1 } }
const dates = { issue_date: "2026-03-01", due_date: "2026-03-31" }
const line = { description: "Consulting", quantity: 3, unit_price: "95.00" }
const draft = { customer_id: 1, ...dates, currency: "EUR", items: [line] }
const invoice = () => unwrap(api.GET("/api/v1/invoices/{id}", { params }))

export const paths = [
  // @ts-expect-error The contract has no such path.
  () => api.GET("/api/v1/bills"),
  // @ts-expect-error The path has no such method.
  () => api.PUT("/api/v1/payments", { body: {} }),
  // @ts-expect-error The id is missing.
  () => api.GET("/api/v1/invoices/{id}"),
  // @ts-expect-error The parameter of the path has another name.
  () => api.GET("/api/v1/invoices/{id}", { params: { path: { invoice_id: 1 } } }),
  // @ts-expect-error The path has no second parameter.
  () => api.GET("/api/v1/invoices/{id}", { params: { path: { id: 1, item: 2 } } }),
  // @ts-expect-error An id is a number.
  () => api.GET("/api/v1/invoices/{id}", { params: { path: { id: "1" } } })
]

export const bodies = [
  () => api.POST("/api/v1/invoices", { body: draft }),
  () => api.POST("/api/v1/invoices/{id}/mark-paid", { params }),
  () => api.POST("/api/v1/invoices/{id}/mark-paid", { params, body: { amount: 5 } }),
  // @ts-expect-error The body is missing.
  () => api.POST("/api/v1/invoices"),
  // @ts-expect-error The field is called `amount`.
  () => api.POST("/api/v1/invoices/{id}/mark-paid", { params, body: { amout: 5 } }),
  // @ts-expect-error The field is called `external_id`.
  () => api.POST("/api/v1/invoices", { body: { ...draft, externalId: "4711" } }),
  // @ts-expect-error The field of a line is called `unit_price`.
  () => api.POST("/api/v1/invoices", { body: { ...draft, items: [{ ...line, price: 95 }] } }),
  // @ts-expect-error The endpoint takes no body.
  () => api.GET("/api/v1/invoices", { body: {} }),
  // @ts-expect-error A file is a `Blob`, not a text.
  () => api.POST("/api/v1/invoices/{id}/attachments", { params, body: { file: "hours.csv" } }),
  // @ts-expect-error The part is called `description`.
  () => api.POST("/api/v1/invoices/{id}/attachments", { params, body: { file: new Blob([]), note: "Hours" } })
]

export const queries = [
  () => api.GET("/api/v1/invoices", { params: { query: { status: "paid", customer_id: 1, deleted: true } } }),
  () => api.DELETE("/api/v1/batch/resources", { params: { query: { resource: "invoices", "ids[]": [1, 2] } } }),
  () => api.DELETE("/api/v1/batch/resources", { params: { query: { resource: "invoices", ids: "1,2" } } }),
  () => api.GET("/api/v1/archive/documents", { params: { query: { amount_min: "12.50", per_page: 200 } } }),
  () => each(api, "/api/v1/invoices", { query: { customer_id: 1 } }),
  // @ts-expect-error The filter is called `customer_id`.
  () => api.GET("/api/v1/invoices", { params: { query: { customer: 1 } } }),
  // @ts-expect-error The filter is called `customer_id`.
  () => each(api, "/api/v1/invoices", { query: { customer: 1 } }),
  // @ts-expect-error The list has no such status.
  () => each(api, "/api/v1/invoices", { query: { status: "lost" } }),
  () => each(api, "/api/v1/webhooks"),
  // @ts-expect-error Deleted records of this list are not kept.
  () => eachDeleted(api, "/api/v1/webhooks"),
  // @ts-expect-error A day is a text.
  () => api.GET("/api/v1/invoices", { params: { query: { date_from: 2026 } } }),
  // @ts-expect-error Ids are numbers.
  () => api.DELETE("/api/v1/batch/resources", { params: { query: { resource: "invoices", "ids[]": ["a"] } } }),
  // @ts-expect-error The option that contains the query is `params`.
  () => api.GET("/api/v1/invoices", { query: { status: "paid" } })
]

export const options = [
  () => api.GET("/api/v1/invoices", { headers: { Prefer: "amounts=string" }, signal: AbortSignal.timeout(1_000) }),
  // @ts-expect-error There is no such option.
  () => api.GET("/api/v1/invoices", { retries: 4 }),
  // @ts-expect-error A `Response` has no such method.
  () => api.GET("/api/v1/invoices/{id}/pdf", { params, parseAs: "pdf" }),
  // @ts-expect-error A file is not JSON, so the client must know as what to return it.
  () => api.GET("/api/v1/invoices/{id}/pdf", { params }),
  // @ts-expect-error The answer is a CSV file unless the body asks for JSON.
  () => api.POST("/api/v1/reports/export", { body: { resource: "invoices" } }),
  () => api.POST("/api/v1/reports/export", { body: { resource: "invoices", format: "json" }, parseAs: "json" })
]

export const files = async () => {
  const bytes: ArrayBuffer = await unwrap(api.GET("/api/v1/invoices/{id}/pdf", { params, parseAs: "arrayBuffer" }))
  const blob: Blob = await unwrap(api.GET("/api/v1/invoices/{id}/pdf", { params, parseAs: "blob" }))
  // @ts-expect-error The answer is a `Blob`.
  const text: string = await unwrap(api.GET("/api/v1/invoices/{id}/pdf", { params, parseAs: "blob" }))
  return [bytes, blob, text]
}

export const lists = async (deleted: boolean) => {
  const numbered = await unwrap(api.GET("/api/v1/invoices", { params: { query: { per_page: 1 } } }))
  const first = await unwrap(api.GET("/api/v1/invoices", { params: { query: { cursor: "" } } }))
  const gone = await unwrap(api.GET("/api/v1/invoices", { params: { query: { deleted: true } } }))
  const either = await unwrap(api.GET("/api/v1/invoices", { params: { query: { deleted } } }))
  const known: number = numbered.meta.total + numbered.data.reduce((sum, { total }) => sum + total, 0)
  const next: string | null = first.meta.next_cursor
  // @ts-expect-error A list that is read by cursor does not count its rows.
  const counted: number = first.meta.total
  // @ts-expect-error A list that is read by page number has no cursor.
  const cursor: string = numbered.meta.next_cursor
  // @ts-expect-error The rows of deleted records have no total.
  const totals = gone.data.map(({ total }) => total)
  // @ts-expect-error The rows may be of deleted records.
  const unknown = either.data.map(({ total }) => total)
  return [known, next, counted, cursor, totals, unknown, gone.data.map(({ deleted_at }) => deleted_at)]
}

export const rules = async () => {
  const body = { name: "Fees", conditions: [{ type: "amount_max" as const, value: 1 }], actions: { category: "fees" } }
  const tried = await unwrap(api.POST("/api/v1/bank-rules", { params: { query: { dry_run: true } }, body }))
  const { id } = await unwrap(api.POST("/api/v1/bank-rules", { body }))
  const ids: ReadonlyArray<number> = [...tried.transaction_ids, id]
  // @ts-expect-error A dry run creates no rule, so there is no id.
  return [ids, tried.id]
}

export const refusals = async () => {
  const { data, error } = await api.PUT("/api/v1/invoices/{id}", { params, body: { notes: "Thank you." } })
  if (error === undefined) return data.data.version
  if (error.code === "precondition_failed") return error.details.version
  if (error.code === "validation_failed") return error.errors["notes"]
  if (error.code === "unavailable") return error.message
  // @ts-expect-error A change of an invoice never has this refusal.
  if (error.code === "quote_locked") return error.message
  // @ts-expect-error Only some refusals have details.
  return error.details
}

export const thrown = (failure: unknown) => {
  if (!(failure instanceof Refused)) throw failure
  // @ts-expect-error No refusal has this code.
  return failure.code === "invoice_lockt" ? undefined : failure.code === "invoice_locked"
}

export const records = [
  async (): Promise<string | null> => (await invoice()).number,
  // @ts-expect-error The record has no such field.
  async () => (await invoice()).grand_total,
  (message: WebhookMessage): string | null => (message.type === "invoice.paid" ? message.data.attributes.number : null),
  // @ts-expect-error An invoice has no such field, so an event about one has none, either.
  (message: WebhookMessage) => message.type === "invoice.paid" && message.data.attributes.vendor
]

export const events = async () => {
  const { data } = await unwrap(api.GET("/api/v1/events"))
  return data.map(({ data }) => {
    if (data.object === "expense") return data.attributes.vendor
    // @ts-expect-error An event in the list of events about an invoice has none, either.
    return data.object === "invoice" && data.attributes.vendor
  })
}

export const forEffectToo = [
  () => effect.invoices.create({ payload: draft }),
  () => effect.invoices.list({ query: { customer_id: 1 } }),
  // @ts-expect-error The field is called `amount`.
  () => effect.invoices.markPaid({ params: { id: 1 }, payload: { amout: 5 } }),
  // @ts-expect-error The field is called `external_id`.
  () => effect.invoices.create({ payload: { ...draft, externalId: "4711" } }),
  // @ts-expect-error The field of a line is called `unit_price`.
  () => effect.invoices.create({ payload: { ...draft, items: [{ ...line, price: 95 }] } }),
  // @ts-expect-error The parameter of the path has another name.
  () => effect.invoices.get({ params: { invoice_id: 1 } }),
  // @ts-expect-error The path has no second parameter.
  () => effect.invoices.get({ params: { id: 1, item: 2 } }),
  // @ts-expect-error The filter is called `customer_id`.
  () => effect.invoices.list({ query: { customer: 1 } }),
  // @ts-expect-error A day is a text.
  () => effect.invoices.list({ query: { date_from: 2026 } }),
  // @ts-expect-error The option that contains the query is `query`.
  () => effect.invoices.list({ params: { status: "paid" } }),
  // @ts-expect-error Reading an invoice never has this refusal.
  () => effect.invoices.get({ params: { id: 1 } }).pipe(Effect.catchTag("InvoiceLocked", () => Effect.void))
]
