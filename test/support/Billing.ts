import { afterAll } from "vitest"
import type { Settings } from "../../src/platform/config/AppConfig.ts"
import { type Answer, type App, type Call, type Parts, useApp } from "./App.ts"
import { verifyBooks } from "./Conservation.ts"
import type { SeedOptions } from "./database/Seed.ts"

/** The running service. After the tests of the file, the books of all its organizations must still add up. */
export const useBilling = (changes: Partial<Settings> = {}, parts?: Parts) => {
  const app = useApp(changes, parts)
  afterAll(() => app.run(verifyBooks))
  return { app, open: (options: SeedOptions = {}) => openBooks(app, options) }
}

/** Opens an organization with one customer, and returns helpers for requests of its owner. */
export const openBooks = async (app: App, options: SeedOptions) => {
  const { id, owner, tax_rate_ids } = await app.organization(options)

  const call = (method: string, path: string, body?: unknown, further: Call = {}): Promise<Answer> =>
    app.call(method, `/api/v1${path}`, { token: owner.token, organization: id, body, ...further })

  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body.data
  }

  const customer_id: number = (await made("POST", "/customers", { name: "Beta" })).id

  /** Returns a valid body of an invoice. With the organization's default rate of 21 %, the total is 121.00. */
  const body = (changes: object = {}) => ({
    customer_id,
    issue_date: "2026-03-01",
    due_date: "2999-03-31",
    currency: "EUR",
    items: [line(100)],
    ...changes
  })
  const draft = (changes: object = {}) => made("POST", "/invoices", body(changes))
  const send = (invoice: Identified, given?: object) => made("POST", `/invoices/${invoice.id}/mark-sent`, given)
  const issued = async (changes: object = {}) => send(await draft(changes))
  const invoice = (id: number) => made("GET", `/invoices/${id}`)
  const pay = async (target: Identified & { readonly balance_due: number }, amount = target.balance_due) =>
    made("POST", "/payments", paymentBody(target.id, amount))
  const paid = async (changes: object = {}) => {
    const target = await issued(changes)
    return { payment: await pay(target), invoice: await invoice(target.id) }
  }

  return { id, owner, tax_rate_ids, customer_id, call, made, body, draft, send, issued, invoice, pay, paid }
}
export type Books = Awaited<ReturnType<typeof openBooks>>

/** The optional fields of an invoice as they are answered when none is set. */
export const no_details = {
  delivery_date: null,
  delivery_period: null,
  delivery_address: null,
  purchase_order: null,
  buyer_reference: null,
  contract_reference: null,
  project_reference: null,
  operation_nature: null,
  payee: null,
  payment_means: null,
  embedded_attachment_ids: null
}

export const pick = (record: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, record[name]]))

interface Identified {
  readonly id: number
}

export const small_logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')}`

export const line = (unit_price: number | string, changes: object = {}) => ({
  description: "Consulting",
  unit_price,
  ...changes
})

export const paymentBody = (invoice_id: number, amount: number | string, changes: object = {}) => ({
  invoice_id,
  amount,
  payment_date: "2026-03-05",
  payment_method: "bank_transfer",
  ...changes
})

/** Every request that issues a draft invoice, by path and body. */
export const issuing = (id: number) =>
  [
    [`/invoices/${id}/mark-sent`, undefined],
    [`/invoices/${id}/mark-paid`, undefined],
    [`/invoices/${id}/send`, { recipients: "a@beta.example", attach_pdf: false }],
    ["/payments", paymentBody(id, 1)]
  ] as const

export const statuses = (answers: ReadonlyArray<{ readonly status: number }>): Record<number, number> =>
  answers.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {}
  )

export const race = <A>(times: number, call: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: times }, (_, index) => call(index)))
