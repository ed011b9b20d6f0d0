import { expect, it } from "vitest"
import { creditsOf } from "../../billing/credit-notes/Credits.ts"
import { newLine, openAccount } from "../../banking/Books.ts"
import { line, paymentBody } from "../../support/Billing.ts"
import { useExpenses } from "../../support/Expenses.ts"

const { app, open } = useExpenses()

const tables = [
  "customers",
  "contacts",
  "invoices",
  "quotes",
  "credit_notes",
  "payments",
  "expenses",
  "bank_transactions"
]

it("updated_since returns each row that a write has changed, and no other", async () => {
  const own = await open()
  const { customer_id } = own
  /** Returns the rows that existed before `write`, and that the lists return as changed after it. */
  const changedBy = async (write: () => Promise<unknown>) => {
    for (const table of tables) {
      await app.inDatabase(`update ${table} set updated_at = '2020-01-01' where organization_id = ${own.id}`)
    }
    await write()
    const paths = tables.map((table) => table.replace("_", "-"))
    const found = await Promise.all(
      paths.map(async (path) => {
        const { body, status } = await own.call("GET", `/${path}?updated_since=2025-01-01T00:00:00Z&cursor=`)
        expect([path, status]).toEqual([path, 200])
        return body.data.map(({ id }: { readonly id: number }) => `${path} ${id}`)
      })
    )
    return found.flat()
  }

  const contact = await own.made("POST", "/contacts", { customer_id, name: "Ann" })
  const credits = creditsOf(own)
  const quoteBody = {
    customer_id,
    issue_date: "2026-03-01",
    valid_until: "2999-01-01",
    currency: "EUR",
    items: [line(1)]
  }
  const quote = await own.made("POST", "/quotes", quoteBody)
  const account = await openAccount(app, own.id)
  const draft = await own.draft()
  const issued = await own.issued()
  const spent = await own.spent()

  expect(await changedBy(() => own.made("PUT", `/customers/${customer_id}`, { phone: "1" }))).toEqual([
    `customers ${customer_id}`
  ])
  expect(await changedBy(() => own.made("PUT", `/contacts/${contact.id}`, { name: "Eve" }))).toEqual([
    `customers ${customer_id}`,
    `contacts ${contact.id}`
  ])
  expect(await changedBy(() => own.made("DELETE", `/contacts/${contact.id}`))).toEqual([`customers ${customer_id}`])
  expect(await changedBy(() => own.made("PUT", `/invoices/${draft.id}`, { notes: "x" }))).toEqual([
    `invoices ${draft.id}`
  ])
  expect(await changedBy(() => own.send(draft))).toEqual([`invoices ${draft.id}`])

  let payment = { id: 0 }
  const pay = async () => {
    payment = await own.made("POST", "/payments", paymentBody(issued.id, 21))
  }
  expect(await changedBy(pay)).toEqual([`invoices ${issued.id}`, `payments ${payment.id}`])
  expect(await changedBy(() => own.made("PUT", `/payments/${payment.id}`, { notes: "x" }))).toEqual([
    `payments ${payment.id}`
  ])
  expect(await changedBy(() => own.made("POST", `/payments/${payment.id}/refund`, { amount: 1 }))).toEqual([
    `invoices ${issued.id}`,
    `payments ${payment.id}`
  ])
  const second = await own.made("POST", "/payments", paymentBody(issued.id, 1))
  expect(await changedBy(() => own.made("DELETE", `/payments/${second.id}`))).toEqual([`invoices ${issued.id}`])

  const note = await credits.draft(issued, 10)
  const sent = () => own.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.example" })
  expect(await changedBy(sent)).toEqual([`invoices ${issued.id}`, `credit-notes ${note.id}`])

  expect(await changedBy(() => own.made("POST", `/quotes/${quote.id}/mark-accepted`))).toEqual([`quotes ${quote.id}`])
  expect(await changedBy(() => own.made("PUT", `/expenses/${spent.id}`, { notes: "x" }))).toEqual([
    `expenses ${spent.id}`
  ])
  expect(await changedBy(() => own.act(spent, "mark-paid"))).toEqual([`expenses ${spent.id}`])

  // Matching and unmatching change the line itself, too. The answer to `unmatch` has the same `updated_at` as a later
  // GET.
  const line_id = await newLine(app, own, account, "5")
  const match = () =>
    own.made("POST", `/bank-transactions/${line_id}/match`, { allocations: [{ invoice_id: draft.id, amount: 5 }] })
  expect(await changedBy(match)).toEqual([
    `invoices ${draft.id}`,
    expect.stringMatching(/^payments \d+$/),
    `bank-transactions ${line_id}`
  ])
  let undone = { updated_at: "" }
  const unmatch = async () => {
    undone = await own.made("POST", `/bank-transactions/${line_id}/unmatch`)
  }
  expect(await changedBy(unmatch)).toEqual([`invoices ${draft.id}`, `bank-transactions ${line_id}`])
  expect(undone.updated_at).toBe((await own.made("GET", `/bank-transactions/${line_id}`)).updated_at)
})
