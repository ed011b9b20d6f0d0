import { openAccount } from "../../banking/Books.ts"
import { camt, entry } from "../../banking/statements/Camt.ts"
import { codaStatement } from "../../banking/statements/Coda.ts"
import type { App } from "../../support/App.ts"
import { type Books, line } from "../../support/Billing.ts"
import { expect } from "vitest"
import { upload } from "./Upload.ts"
import type { Ask } from "./Walk.ts"

const importing = (id: number) => `POST /bank-accounts/${id}/import-statement`
const statement = (content: string) => upload("statement.csv", {}, content)

/**
 * Files that the service refuses: amounts that may be debits or credits, an IBAN that may be that of either party,
 * balances that contradict the amounts, and lines that were already imported from another format.
 */
const doubtful = [
  "Date;Card number;Description;Amount\n2026-01-05;1234;Shop;12,50\n2026-01-06;1234;Refund;-3,00",
  "Date;IBAN;Amount\n2026-01-05;BE71096123456769;1,00\n2026-01-06;BE71096123456769;-2,00",
  "Date;Amount;Balance\n2026-01-05;10,00;110,00\n2026-01-06;-5,00;100,00",
  "Date;Amount;Description\n2026-01-05;1,00;Coffee\n2026-01-05;-2,00;Paper"
]

export const walkBanking = async (app: App, books: Books, ask: Ask) => {
  const { draft, issued, made } = books
  const account = await openAccount(app, books.id, { iban: null })
  const archived = await openAccount(app, books.id, { iban: null, status: "archived" })
  const lines = ["Date;Amount", "2026-03-31;121,00", "2026-03-30;-25,00", "2026-03-29;121,00", "2026-03-28;7,00"]
  await ask(201, importing(account), undefined, await statement(lines.join("\n")))
  const { headers, ...form } = await statement(lines.join("\n"))
  await ask(202, importing(account), undefined, { ...form, headers: { ...headers, prefer: "respond-async" } })
  await ask(422, importing(archived), undefined, await statement(lines.join("\n")))
  for (const content of ["nothing", "Date;Amount\n2026-03-01;1.234", "Date;Amount\n03/04/2026;1,00"]) {
    await ask(422, importing(account), undefined, await statement(content))
  }
  const fresh = await openAccount(app, books.id, { iban: null })
  await ask(201, importing(fresh), undefined, await statement(camt([entry("1.00", "CRDT"), entry("2.00", "DBIT")])))
  for (const content of doubtful) await ask(422, importing(fresh), undefined, await statement(content))
  const foreign = codaStatement([{ amount: 100 }], { currency: "USD" })
  await ask(422, importing(account), undefined, await statement(foreign))
  await ask(200, "GET /bank-accounts?status=active")
  await ask(200, `GET /bank-accounts/${account}`)
  await ask(200, `GET /bank-accounts/${account}/reconciliation-report?from=2026-03-01&to=2026-03-31`)
  const other = await ask(201, importing(account), undefined, await statement("Date;Amount\n2026-03-27;5,00"))
  await ask(200, `GET /bank-accounts/${account}/imports`)
  await ask(200, `GET /bank-accounts/${account}/imports/${other.id}`)
  const [{ id: excluded }] = await made("GET", `/bank-transactions?date_to=2026-03-27`)
  await ask(200, `POST /bank-transactions/${excluded}/match`, { exclude: { reason: "fee" } })
  await ask(409, `DELETE /bank-accounts/${account}/imports/${other.id}`)
  await ask(200, `POST /bank-transactions/${excluded}/unmatch`)
  await ask(200, `DELETE /bank-accounts/${account}/imports/${other.id}`)

  const rule = { name: "Fees", conditions: [{ type: "amount_max", value: 1 }], actions: { category: "bank_fees" } }
  const { id: rule_id } = await ask(201, "POST /bank-rules", rule)
  await ask(201, "POST /bank-rules?dry_run=1", rule)
  await ask(200, "GET /bank-rules")
  await ask(200, `GET /bank-rules/${rule_id}`)
  await ask(200, `PUT /bank-rules/${rule_id}`, rule)
  await ask(200, `DELETE /bank-rules/${rule_id}`)

  const ids = (await made("GET", "/bank-transactions")).map(({ id }: { readonly id: number }) => id)
  const [credit, debit, another, third] = ids.map((id: number) => `/bank-transactions/${id}`)
  const invoice = await issued()
  await ask(200, `GET /bank-transactions?bank_account_id=${account}&status=unmatched`)
  await ask(200, `GET ${credit}`)
  await ask(200, `GET ${credit}/document-prefill`)
  await ask(422, `POST ${debit}/match`, { invoice_id: invoice.id })
  await ask(422, `POST ${credit}/match`, { invoice_id: (await issued({ currency: "USD" })).id })
  await ask(422, `POST ${credit}/match`, { invoice_id: invoice.id, amount: 122 })
  const small = await issued({ items: [line(1)] })
  await ask(422, `POST ${credit}/match`, { invoice_id: small.id, amount: 121 })
  await ask(200, `POST ${credit}/match`, { invoice_id: invoice.id })
  await ask(422, `POST ${credit}/match`, { invoice_id: invoice.id })
  await ask(422, `POST ${another}/match`, { invoice_id: invoice.id })
  await ask(422, `POST ${another}/match`, { invoice_id: (await draft({ issue_date: "2026-01-01" })).id })
  await ask(422, `POST ${another}/create-document`)
  await ask(201, `POST ${third}/create-document`, { counterparty_name: "Gamma" })
  const { expense_id } = await ask(201, `POST ${debit}/create-document`)
  await ask(422, `PUT /expenses/${expense_id}`, { amount: 24 })
  await ask(422, `POST ${another}/unmatch`)
  const payment = await books.pay(small)
  const { refunds } = await made("POST", `/payments/${payment.id}/refund`, { amount: 1 })
  const refund = { payment_refund_id: refunds[0].id, amount: -1 }
  const excluded_rest = { exclude: { reason: "other" }, amount: 122 }
  const { id: match_id } = await ask(200, `POST ${another}/match`, { allocations: [excluded_rest, refund] })
  await ask(422, `POST ${another}/unmatch`, { match_id })
  await ask(422, `DELETE /payments/${payment.id}/refunds/${refunds[0].id}`)
  await ask(200, `POST ${another}/unmatch`)
  await ask(200, `POST ${debit}/unmatch`)
  await ask(200, "POST /bank-transactions/bulk-confirm", { transaction_ids: ids })
  const conditions = [{ type: "remittance_contains", value: "Auto" }]
  const automatic = { name: "Auto", conditions, actions: { counterparty_name: "Zeta" }, auto_add: true }
  const booking = await ask(201, "POST /bank-rules", automatic)
  const texts = ["Date;Amount;Description", "2026-03-31;60,50;Auto", "2026-03-31;-9,00;Auto"]
  const booked = await ask(201, importing(account), undefined, await statement(texts.join("\n")))
  expect(booked.auto_booked).toBe(2)
  await ask(200, `DELETE /bank-rules/${booking.id}`)
}
