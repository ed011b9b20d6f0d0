import { assert, describe, it } from "vitest"
import { race, useBilling } from "../../support/Billing.ts"
import { importer, newLine, openAccount, table } from "../Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)

const fees = (changes: object = {}) => ({
  name: "Fees",
  direction: "debit",
  conditions: [{ type: "remittance_contains", value: "frais" }],
  actions: { category: "bank_fees", counterparty_name: "KBC", description: "Bank fees" },
  ...changes
})

const rent = (actions: object) => ({
  name: "Rent",
  conditions: [{ type: "remittance_contains", value: "rent" }],
  actions: { counterparty_name: "Tenant", ...actions }
})

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  const confirm = (...transaction_ids: ReadonlyArray<number>) =>
    books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids })
  const count = async (path: string) => (await books.call("GET", path)).body.meta.total
  return { books, account, upload, confirm, count }
}

describe("a rule with auto_add", () => {
  it("books its lines on import, except lines that a document matches", async () => {
    const { account, books, count, upload } = await opened()
    const expense = { expense_date: today, category: "rent", amount: 40, currency: "EUR", description: "Rent" }
    await books.made("POST", "/expenses", { ...expense, vendor: "Landlord" })
    const rule = await books.made("POST", "/bank-rules", fees({ auto_add: true }))
    const rows = [
      [today, "-12,50", "KBC NV", "Frais de gestion"],
      [today, "-12,50", "KBC NV", "Frais de gestion"],
      [today, "-40,00", "Landlord", "frais"],
      [today, "-9,00", "Other", "Coffee"]
    ] as const
    const dry = await upload(account, table(...rows), { dry_run: "1" })
    assert.deepEqual([dry.data.auto_booked, dry.data.suggested], [2, 1])
    assert.equal(await count("/expenses"), 1)
    const { data } = await upload(account, table(...rows))
    assert.deepEqual([data.imported, data.auto_booked, data.suggested], [4, 2, 1])
    const again = await upload(account, table(...rows))
    assert.deepEqual([again.data.id, again.data.auto_booked], [data.id, 0])
    const lines = (await books.made("GET", "/bank-transactions")).toReversed()
    assert.deepEqual(
      lines.map(({ status, suggestion }: { status: string; suggestion: { type: string } | null }) => [
        status,
        suggestion?.type
      ]),
      [
        ["matched", "rule"],
        ["matched", "rule"],
        ["suggested", "expense"],
        ["unmatched", undefined]
      ]
    )
    const { category, description, status, vendor } = await books.made("GET", `/expenses/${lines[0].expense_id}`)
    assert.deepEqual([category, description, status, vendor], ["bank_fees", "Bank fees", "paid", "KBC"])
    assert.equal(rule.auto_add, true)
    assert.equal(await count("/expenses"), 3)
  })

  it("leaves a line that it cannot book as a suggestion", async () => {
    const { account, count, books, upload } = await opened()
    const sale = { name: "Sales", conditions: [{ type: "amount_min", value: 1 }], actions: { description: "Sale" } }
    await books.made("POST", "/bank-rules", { ...sale, direction: "credit", auto_add: true })
    const { data } = await upload(account, table([today, "50,00", "", "nobody"], [today, "100,00", "Gamma", "paid"]))
    assert.deepEqual([data.auto_booked, data.suggested], [1, 1])
    assert.equal(await count("/invoices"), 1)
    const [invoice] = await books.made("GET", "/invoices")
    assert.deepEqual([invoice.total, invoice.status], [100, "paid"])
  })
})

describe("POST /api/v1/bank-transactions/bulk-confirm", () => {
  it("applies a rule when the matcher finds nothing, and reports failures", async () => {
    const { account, books, confirm, count } = await opened()
    const rule = await books.made("POST", "/bank-rules", fees())
    const sale = await books.made(
      "POST",
      "/bank-rules",
      fees({ direction: "credit", actions: { description: "Sale" } })
    )
    const debit = await newLine(app, books, account, "-5,00", "frais")
    const credit = await newLine(app, books, account, "5,00", "frais")
    const [first, second, ...none] = (await confirm(debit, credit)).results
    assert.deepEqual(
      [first.status, first.via, first.rule_id, first.created_money_record, first.invoice_id],
      ["confirmed", "rule", rule.id, true, null]
    )
    assert.deepEqual([second.status, second.rule_id, second.reason], ["failed", sale.id, "customer_required"])
    assert.deepEqual(none, [])
    assert.deepEqual([await count("/expenses"), await count("/invoices")], [1, 0])
    await books.made("POST", `/bank-transactions/${debit}/unmatch`)
    const [again] = (await confirm(debit)).results
    assert.deepEqual([again.status, again.reason], ["skipped", "no_suggestion"])
    assert.equal(await count("/expenses"), 1)
  })

  it("creates one document when it races with itself", async () => {
    const { account, books, confirm, count } = await opened()
    await books.made("POST", "/bank-rules", fees())
    const lines = [
      await newLine(app, books, account, "-5,00", "frais"),
      await newLine(app, books, account, "-6,00", "frais")
    ]
    const answers = await race(4, () => confirm(...lines))
    assert.equal(
      answers.reduce((sum, { confirmed }) => sum + confirmed, 0),
      2
    )
    assert.equal(await count("/expenses"), 2)
  })

  it("respects the organization's reconciliation_auto_threshold", async () => {
    const { account, books, confirm } = await opened()
    await books.issued()
    const line = await newLine(app, books, account, "121,00", "thanks", "Beta")
    const threshold = (value: number) =>
      books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "reconciliation_auto_threshold", value }] })
    assert.equal((await confirm(line)).results[0].reason, "low_confidence")
    await threshold(40)
    assert.equal((await confirm(line)).results[0].status, "confirmed")
  })
})

describe("the tax of a rule", () => {
  it("is included in the paid amount", async () => {
    const { account, books, confirm } = await opened()
    const [tax_rate_id] = books.tax_rate_ids
    const actions = { category: "bank_fees", tax_rate_ids: [tax_rate_id], is_vat_deductible: true }
    await books.made("POST", "/bank-rules", fees({ actions }))
    const line = await newLine(app, books, account, "-100,00", "frais")
    const { expense_id } = (await confirm(line)).results[0]
    const { deductible_tax_amount, tax_amount, tax_rates } = await books.made("GET", `/expenses/${expense_id}`)
    assert.deepEqual([tax_amount, deductible_tax_amount], [17.36, 17.36])
    assert.deepEqual(tax_rates, [{ rate: 21, taxable_amount: 82.64, tax_amount: 17.36 }])
  })

  it("is that of the default rates for an invoice without rates, and none for an exempt one", async () => {
    const { account, books, confirm } = await opened()
    const { id } = await books.made("POST", "/bank-rules", rent({ tax_rate_ids: [] }))
    const invoiceOf = async () => {
      const line = await newLine(app, books, account, "121,00", "rent")
      return books.made("GET", `/invoices/${(await confirm(line)).results[0].invoice_id}`)
    }
    const taxed = await invoiceOf()
    assert.deepEqual([taxed.tax_total, taxed.total], [21, 121])
    const exempt = { tax_exempt: true, tax_exemption_reason: "E" }
    await books.made("PUT", `/bank-rules/${id}`, rent(exempt))
    const { items, tax_total, total } = await invoiceOf()
    assert.deepEqual([tax_total, total], [0, 121])
    assert.deepEqual([items[0].tax_exempt, items[0].tax_exemption_reason], [true, "E"])
    for (const [actions, field] of [
      [{ ...exempt, tax_rate_ids: books.tax_rate_ids }, "actions.tax_rate_ids"],
      [{ tax_exemption_reason: "E" }, "actions.tax_exemption_reason"]
    ] as const) {
      const { body, status } = await books.call("PUT", `/bank-rules/${id}`, rent(actions))
      assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
    }
  })

  it("is refused for another organization's rate like for an unknown one", async () => {
    const { books } = await opened()
    const theirs = await open()
    for (const id of [theirs.tax_rate_ids[0], 999_999_999]) {
      const actions = { category: "bank_fees", tax_rate_ids: [id] }
      const { body, status } = await books.call("POST", "/bank-rules", fees({ actions }))
      assert.deepEqual([status, Object.keys(body.errors)], [422, ["actions.tax_rate_ids.0"]])
    }
    assert.deepEqual(await books.made("GET", "/bank-rules"), [])
  })
})

describe("?dry_run=1 of a rule", () => {
  it("answers the open lines to which the rule would apply first, and stores nothing", async () => {
    const { account, books } = await opened()
    const first = await newLine(app, books, account, "-5,00", "frais")
    const second = await newLine(app, books, account, "-50,00", "frais")
    const small = await books.made(
      "POST",
      "/bank-rules",
      fees({ conditions: [{ type: "amount_max", value: 10 }], priority: 1 })
    )
    assert.deepEqual(await books.made("POST", "/bank-rules?dry_run=1", fees()), { transaction_ids: [second] })
    const wide = fees({ conditions: [{ type: "amount_max", value: 60 }] })
    assert.deepEqual(await books.made("PUT", `/bank-rules/${small.id}?dry_run=1`, wide), {
      transaction_ids: [second, first]
    })
    assert.deepEqual(await books.made("GET", "/bank-rules"), [small])
    assert.equal((await books.call("POST", "/bank-rules?dry_run=1", fees({ conditions: [] }))).status, 422)
  })
})

describe("an expense that bank lines pay", () => {
  it("keeps its amount and currency, and stays paid, until it is unmatched, and cannot be deleted", async () => {
    const { account, books } = await opened()
    const body = { expense_date: today, category: "rent", amount: 100, currency: "EUR", description: "Rent" }
    const { id } = await books.made("POST", "/expenses", body)
    const [part, rest] = [await newLine(app, books, account, "-60,00"), await newLine(app, books, account, "-40,00")]
    const refused = async (...states: ReadonlyArray<string>) => {
      const before = await books.made("GET", `/expenses/${id}`)
      for (const changes of [{ amount: 90 }, { currency: "USD" }, ...states.map((status) => ({ status }))]) {
        const { body, status } = await books.call("PUT", `/expenses/${id}`, changes)
        assert.deepEqual([status, body.code], [422, "expense_locked"])
      }
      assert.equal((await books.call("DELETE", `/expenses/${id}`)).status, 422)
      assert.deepEqual(await books.made("GET", `/expenses/${id}`), before)
    }
    await books.made("POST", `/bank-transactions/${part}/match`, { expense_id: id })
    await refused("rejected", "paid")
    for (const status of ["draft", "pending", "approved"]) {
      assert.equal((await books.made("PUT", `/expenses/${id}`, { status })).status, status)
    }
    await books.made("POST", `/bank-transactions/${rest}/match`, { expense_id: id })
    await refused("approved", "rejected")
    assert.equal((await books.made("PUT", `/expenses/${id}`, { notes: "March", amount: 100 })).notes, "March")
    await books.made("POST", `/bank-transactions/${rest}/unmatch`)
    const { bank_transaction_id, status } = await books.made("GET", `/expenses/${id}`)
    assert.deepEqual([status, bank_transaction_id], ["approved", part])
    // The rest of the expense is paid manually; the bank line that paid a part of it stays linked.
    assert.equal((await books.made("POST", `/expenses/${id}/mark-paid`)).bank_transaction_id, part)
    await refused("approved")
    await books.made("POST", `/bank-transactions/${part}/unmatch`)
    const paid = await books.made("GET", `/expenses/${id}`)
    assert.deepEqual([paid.status, paid.bank_transaction_id], ["paid", null])
    // The amount of a paid expense cannot change, so its status is set back first.
    await books.made("PUT", `/expenses/${id}`, { status: "approved" })
    assert.equal((await books.made("PUT", `/expenses/${id}`, { amount: 90 })).amount, 90)
  })
})
