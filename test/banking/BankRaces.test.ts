import { assert, describe, it } from "vitest"
import { type Books, race, statuses, useBilling } from "../support/Billing.ts"
import { importer, newLine, openAccount, table, waitingFor, whileHeld } from "./Books.ts"
import { camt, entry } from "./statements/Camt.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)
const rounds = Array.from({ length: 6 }, (_, round) => round)

const opened = async () => {
  const books = await open()
  return { books, account: await openAccount(app, books.id) }
}

const path = (line: number, action = "") => `/bank-transactions/${line}${action}`

const stateOf = ({ status }: { readonly status: string }) => status

/** Creates an invoice of 121.00 and a bank line that has paid it. */
const matched = async (books: Books, account: number) => {
  const invoice = await books.issued()
  const line = await newLine(app, books, account, "121,00")
  const { payment_id } = await books.made("POST", path(line, "/match"), { invoice_id: invoice.id })
  return { invoice_id: invoice.id as number, line, payment_id: payment_id as number }
}

describe("concurrent imports", () => {
  it("import each line of overlapping files once, and all true duplicates", async () => {
    for (const round of rounds) {
      const { account, books } = await opened()
      const coffee = [today, "-3,00", "Café", `Coffee ${round}`] as const
      const files = [
        table(coffee, coffee, [today, "10,50"]),
        table([today, "10,50"], coffee, [today, "1,25"]),
        table(coffee, coffee, coffee),
        table([today, "1,25"], [today, "1,25"])
      ]
      const answers = await Promise.all(files.map((file) => importer(app, books)(account, file)))
      assert.deepEqual(statuses(answers), { 201: 4 })
      const lines: ReadonlyArray<{ readonly amount: number }> = await books.made("GET", "/bank-transactions")
      const amounts = lines.map(({ amount }) => amount).toSorted((left, right) => left - right)
      assert.deepEqual(amounts, [-3, -3, -3, 1.25, 1.25, 10.5])
      assert.equal(
        answers.reduce((sum, { data }) => sum + data.imported, 0),
        amounts.length
      )
    }
  })
})

describe("concurrent first imports of two accounts without a number", () => {
  it("give the account number of the files to one of the accounts, and refuse the other file", async () => {
    for (const _ of rounds) {
      const books = await open()
      const accounts = [
        await openAccount(app, books.id, { iban: null }),
        await openAccount(app, books.id, { iban: null })
      ]
      const file = camt([entry("121.00", "CRDT")], { iban: "BE71096123456769" })
      const answers = await Promise.all(accounts.map((account) => importer(app, books)(account, file)))
      assert.deepEqual(statuses(answers), { 201: 1, 422: 1 })
      assert.deepEqual(
        answers.flatMap(({ body }) => body.code ?? []),
        ["account_mismatch"]
      )
      assert.equal((await books.made("GET", "/bank-transactions")).length, 1)
    }
  })
})

describe("concurrent first imports into one account without a number", () => {
  it("give the account the number of one of the files, and refuse the file of another account", async () => {
    const books = await open()
    const account = await openAccount(app, books.id, { iban: null })
    const files = ["BE68539007547034", "BE71096123456769"].map((iban, index) =>
      camt([entry(`${index + 1}.00`, "CRDT")], { iban })
    )
    let asked: Promise<ReadonlyArray<Awaited<ReturnType<ReturnType<typeof importer>>>>> = Promise.resolve([])
    await whileHeld(app, [`select from bank_accounts where id = ${account} for update`], async () => {
      asked = Promise.all(files.map((file) => importer(app, books)(account, file)))
      await waitingFor(app, "", 2)
    })
    const answers = await asked
    assert.deepEqual(statuses(answers), { 201: 1, 422: 1 })
    assert.deepEqual(
      answers.flatMap(({ body }) => body.code ?? []),
      ["account_mismatch"]
    )
    const [line, ...others] = await books.made("GET", "/bank-transactions")
    const { iban } = await books.made("GET", `/bank-accounts/${account}`)
    assert.equal(others.length, 0)
    assert.include(files[line.amount - 1] ?? "", iban)
  })
})

describe("concurrent imports into two own accounts", () => {
  it("suggest the transfer between the accounts", async () => {
    const books = await open()
    const current = await openAccount(app, books.id)
    const savings = await openAccount(app, books.id, { name: "Savings", iban: "NL91ABNA0417164300" })
    let asked: Promise<unknown> = Promise.resolve()
    await whileHeld(app, [`select from journals where organization_id = ${books.id} for update`], async () => {
      asked = Promise.all([
        importer(app, books)(current, table([today, "-500,00", "", "savings"])),
        importer(app, books)(savings, table([today, "500,00", "", "savings"]))
      ])
      await waitingFor(app, "", 2)
    })
    await asked
    const lines: ReadonlyArray<{ readonly suggestion: { readonly type: string } | null }> = await books.made(
      "GET",
      "/bank-transactions"
    )
    assert.deepEqual(
      lines.map(({ suggestion }) => suggestion?.type),
      ["transfer", "transfer"]
    )
  })
})

describe("a bank line in a race", () => {
  it("does not pay an invoice that another bulk-confirm has paid meanwhile, even if overpaying is allowed", async () => {
    const { account, books } = await opened()
    await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "allow_overpayment", value: true }] })
    const invoice = await books.issued()
    const lines = [
      await newLine(app, books, account, "121,00", invoice.number),
      await newLine(app, books, account, "121,00", invoice.number)
    ]
    let asked: Promise<ReadonlyArray<Awaited<ReturnType<Books["call"]>>>> = Promise.resolve([])
    await whileHeld(app, [`select from invoices where id = ${invoice.id} for update`], async () => {
      asked = Promise.all(
        lines.map((line) => books.call("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [line] }))
      )
      await waitingFor(app, "invoices", 2)
    })
    const results = (await asked).map(({ body }) => body.data.results[0])
    assert.deepEqual(results.map(stateOf).toSorted(), ["confirmed", "skipped"])
    assert.equal(results.find(({ status }) => status === "skipped")?.reason, "claimed")
    assert.equal((await books.invoice(invoice.id)).amount_paid, 121)
  })

  it("is settled once by concurrent match, create-document and bulk-confirm", async () => {
    const { account, books } = await opened()
    for (const _ of rounds) {
      const [sure, other] = [await books.issued(), await books.issued()]
      const line = await newLine(app, books, account, "121,00", sure.number)
      const ways = [
        () => books.call("POST", path(line, "/match"), { invoice_id: other.id }),
        () => books.call("POST", path(line, "/create-document"), { counterparty_id: books.customer_id }),
        () => books.call("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [line] })
      ]
      const before = (await books.call("GET", "/payments")).body.meta.total
      const answers = await race(6, async (index) => ({
        index,
        ...(await (ways[index % 3] ?? (() => Promise.reject()))())
      }))
      const won = answers.filter(({ body, status }) => status < 300 && body.data.confirmed !== 0)
      assert.equal(won.length, 1)
      const reasons = answers
        .filter((answer) => !won.includes(answer))
        .map(({ body }) => body.code ?? body.data.results[0].reason)
      assert.deepEqual(new Set(reasons), new Set(["already_matched"]))
      const { matched_amount, status } = await books.made("GET", path(line))
      assert.deepEqual([status, matched_amount], ["matched", 121])
      assert.equal((await books.call("GET", "/payments")).body.meta.total, before + 1)
    }
  })

  it("is confirmed at once by a keyed bulk-confirm, even if the document of the next line is locked", async () => {
    const { account, books } = await opened()
    const invoices = [await books.issued(), await books.issued()]
    const lines: Array<number> = []
    for (const { number } of invoices) lines.push(await newLine(app, books, account, "121,00", number))
    const further = { headers: { "idempotency-key": "confirm" } }
    const confirm = () => books.call("POST", "/bank-transactions/bulk-confirm", { transaction_ids: lines }, further)
    let asked: ReturnType<typeof confirm> | undefined
    const states = async () => (await Promise.all(lines.map((line) => books.made("GET", path(line))))).map(stateOf)
    await whileHeld(app, [`select from invoices where id = ${invoices[1]?.id} for update`], async () => {
      asked = confirm()
      await waitingFor(app, "invoices")
      assert.deepEqual(await states(), ["matched", "suggested"])
    })
    const answer = await asked
    assert.deepEqual([answer?.status, answer?.body.data.confirmed], [200, 2])
    assert.deepEqual(await states(), ["matched", "matched"])
    assert.deepEqual((await confirm()).body, answer?.body)
  })

  it("does not wait for a deleted line of its transfer in another order than matches do", async () => {
    const { account, books } = await opened()
    const other = await openAccount(app, books.id, { name: "Savings", iban: "NL91ABNA0417164300" })
    const send = async (id: number, amount: string) =>
      (await importer(app, books)(id, table([today, amount, "", "savings"]))).data.id
    await send(account, "-500,00")
    const gone = await send(other, "500,00")
    const [left, right]: ReadonlyArray<{ readonly id: number }> = await books.made("GET", "/bank-transactions?sort=id")
    assert.equal((await books.made("GET", path(left?.id ?? 0))).suggestion.type, "transfer")
    const lock = (line: typeof left) => `select from bank_transactions where id = ${line?.id} for update`
    let removal: ReturnType<typeof books.call> | undefined
    await whileHeld(app, [lock(left), lock(right)], async () => {
      removal = books.call("DELETE", `/bank-accounts/${other}/imports/${gone}`)
      await waitingFor(app, "bank_transactions")
    })
    assert.equal((await removal)?.status, 200)
    const { status, suggestion } = await books.made("GET", path(left?.id ?? 0))
    assert.deepEqual([status, suggestion], ["unmatched", null])
  })

  it("is unmatched once by concurrent requests", async () => {
    const { account, books } = await opened()
    for (const _ of rounds) {
      const { invoice_id, line } = await matched(books, account)
      const answers = await race(4, () => books.call("POST", path(line, "/unmatch")))
      assert.deepEqual(statuses(answers), { 200: 1, 422: 3 })
      assert.equal((await books.invoice(invoice_id)).amount_paid, 0)
    }
  })

  it("ends matched or unmatched when match and unmatch race", async () => {
    const { account, books } = await opened()
    for (const _ of rounds) {
      const { invoice_id, line } = await matched(books, account)
      const other = await books.issued()
      const [undone, again] = await Promise.all([
        books.call("POST", path(line, "/unmatch")),
        books.call("POST", path(line, "/match"), { invoice_id: other.id })
      ])
      assert.equal(undone.status, 200)
      assert.include([200, 422], again.status)
      const expected = again.status === 200 ? ["matched", 121] : ["unmatched", 0]
      const { matched_amount, status } = await books.made("GET", path(line))
      assert.deepEqual([status, matched_amount], expected)
      assert.deepEqual(
        [(await books.invoice(invoice_id)).amount_paid, (await books.invoice(other.id)).amount_paid],
        [0, expected[1]]
      )
    }
  })

  it("keeps or loses its payment consistently when unmatch and refund race", async () => {
    const { account, books } = await opened()
    for (const _ of rounds) {
      const { invoice_id, line, payment_id } = await matched(books, account)
      const [undone, refunded] = await Promise.all([
        books.call("POST", path(line, "/unmatch")),
        books.call("POST", `/payments/${payment_id}/refund`, { amount: 21 })
      ])
      const outcome = `${undone.status} ${undone.body.code ?? ""} ${refunded.status}`
      assert.include(["200  404", "422 payment_locked 200"], outcome)
      const { amount_paid, amount_refunded, balance_due } = await books.invoice(invoice_id)
      const isUndone = undone.status === 200
      assert.deepEqual([amount_paid, amount_refunded, balance_due], isUndone ? [0, 0, 121] : [121, 21, 21])
      assert.equal((await books.made("GET", path(line))).status, isUndone ? "unmatched" : "matched")
    }
  })

  it("pays an expense once when it is concurrently marked as paid or paid by another line", async () => {
    const { account, books } = await opened()
    for (const _ of rounds) {
      const body = { expense_date: today, category: "rent", amount: 40, currency: "EUR", description: "Rent" }
      const { id } = await books.made("POST", "/expenses", body)
      const lines = [await newLine(app, books, account, "-40,00"), await newLine(app, books, account, "-40,00")]
      const [marked, ...matched] = await Promise.all([
        books.call("POST", `/expenses/${id}/mark-paid`),
        ...lines.map((line) => books.call("POST", path(line, "/match"), { expense_id: id }))
      ])
      // If it was marked as paid first, one of the lines is linked with it.
      assert.deepEqual(statuses(matched), { 200: 1, 422: 1 })
      assert.include([200, 422], marked.status)
      assert.equal((await books.made("GET", `/expenses/${id}`)).status, "paid")
    }
  })
})
