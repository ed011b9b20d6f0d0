import { assert, describe, it } from "vitest"
import { seedMember, seedToken } from "../../support/database/Seed.ts"
import { race, statuses, useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"
import { camt, entry, tag } from "../statements/Camt.ts"
import { codaStatement } from "../statements/Coda.ts"

const { app, open } = useBilling()

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  // oxlint-disable-next-line no-explicit-any -- tests read the fields of any answer
  const lines = async (): Promise<Array<any>> =>
    books.made("GET", `/bank-transactions?bank_account_id=${account}&per_page=100`)
  return { books, account, upload, lines }
}

describe("POST /api/v1/bank-accounts/{id}/import-statement", () => {
  it("imports a CODA file, reports the result, and does nothing the second time", async () => {
    const { account, books, lines, upload } = await opened()
    const text = codaStatement([
      { amount: 17_136, communication: "INV-1", name: "BETA" },
      { amount: -2_500, communication: "Frais" }
    ])
    const first = await upload(account, text)
    assert.equal(first.status, 201)
    const { created_at: _, file_sha256, id, ...summary } = first.data
    assert.deepEqual(summary, {
      bank_account_id: account,
      format: "coda",
      filename: "jan.txt",
      duplicate_file: false,
      statements: 1,
      period_start: "2026-01-01",
      period_end: "2026-01-31",
      opening_balance: "1000.00",
      closing_balance: "1146.36",
      balance_check: "passed",
      lines_total: 2,
      imported: 2,
      duplicates: 0,
      skipped_pending: 0,
      errors: [],
      errors_total: 0,
      suggested: 0,
      auto_booked: 0,
      credits: { count: 1, sum: "171.36" },
      debits: { count: 1, sum: "-25.00" }
    })
    const again = await upload(account, text)
    assert.equal(again.status, 201)
    assert.deepEqual([again.data.id, again.data.duplicate_file, again.data.imported], [id, true, 0])
    assert.equal(again.data.file_sha256, file_sha256)
    const [newest] = await lines()
    assert.equal((await lines()).length, 2)
    assert.equal(newest.import_session_id, id)
    const { last_imported_at, unmatched_count } = await books.made("GET", `/bank-accounts/${account}`)
    assert.equal(unmatched_count, 2)
    assert.notEqual(last_imported_at, null)
  })

  it("keeps true duplicates, and imports only new lines of overlapping files", async () => {
    const { account, lines, upload } = await opened()
    const coffee = ["2026-01-05", "-3,00", "Café", "Coffee"] as const
    assert.equal((await upload(account, table(coffee, coffee, ["2026-01-06", "10,50"]))).data.imported, 3)
    const overlap = await upload(
      account,
      table(["2026-01-06", "10,50"], coffee, coffee, coffee, ["2026-01-07", "1,25"])
    )
    assert.deepEqual([overlap.data.imported, overlap.data.duplicates], [2, 3])
    assert.equal((await lines()).length, 5)
  })

  it("imports a file once that is sent many times concurrently", async () => {
    const { account, lines, upload } = await opened()
    const answers = await race(6, () => upload(account, table(["2026-01-05", "-3,00"], ["2026-01-05", "4,50"])))
    assert.deepEqual(statuses(answers), { 201: 6 })
    assert.equal(answers.filter(({ data }) => data.imported === 2).length, 1)
    assert.equal((await lines()).length, 2)
  })

  it("refuses a damaged file as a whole", async () => {
    const { account, lines, upload } = await opened()
    const good = camt([entry("1.00", "CRDT"), entry("2.00", "CRDT")])
    const bad = good.replace(">2.00<", ">two<")
    for (const text of [bad, good.slice(0, -30), codaStatement([{ amount: 1 }], { records: 7 })]) {
      const answer = await upload(account, text)
      assert.equal(answer.status, 422)
      assert.equal(answer.body.code, "invalid_statement")
    }
    assert.equal((await upload(account, "Date;Amount\n2026-01-05;1.234")).body.code, "ambiguous_amount_format")
    assert.deepEqual(await lines(), [])
  })

  it("reads a long file like a short one, and refuses it with the same message", async () => {
    const { account, books, lines, upload } = await opened()
    const rows = Array.from(
      { length: 2_000 },
      (_, index) => ["2026-01-05", "1,50", "", `Line ${index} of many`] as const
    )
    const long = table(...rows, ["2026-01-06", "-0,01", "Łódź 東京", "last"])
    const ambiguous = `Date;Amount;Text\n${"2026-01-05;1.234;a line of some length, to be long\n".repeat(2_000)}`
    const refused = await upload(account, ambiguous)
    assert.deepEqual([refused.body.code, refused.body.details.rows[0]], ["ambiguous_amount_format", 2])
    const hostile = await upload(
      account,
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">${"<a>".repeat(30_000)}`
    )
    assert.deepEqual([hostile.status, hostile.body.code], [422, "invalid_statement"])
    assert.deepEqual(await lines(), [])
    const { data } = await upload(account, long)
    assert.deepEqual(
      [data.imported, data.credits, data.debits],
      [2_001, { count: 2_000, sum: "3000.00" }, { count: 1, sum: "-0.01" }]
    )
    const [newest] = await lines()
    assert.deepEqual([newest.counterparty_name, newest.amount], ["Łódź 東京", -0.01])
    assert.equal((await books.made("GET", `/bank-accounts/${account}`)).unmatched_count, 2_001)
  })

  it("imports the valid rows of a table and reports the others, or imports none when strict", async () => {
    const { account, lines, upload } = await opened()
    const text = table(["2026-01-05", "1,50"], ["2026-02-30", "1,50"])
    assert.equal((await upload(account, text, { strict: "1" })).status, 422)
    assert.deepEqual(await lines(), [])
    const { data } = await upload(account, text)
    assert.deepEqual([data.imported, data.errors], [1, [{ row: 3, message: "The booking date is not a date." }]])
    assert.equal(data.errors_total, 1)
  })

  it("lists the first 100 invalid rows of a table, and counts all", async () => {
    const { account, books, upload } = await opened()
    const invalid = Array.from({ length: 101 }, () => ["x", "1,00"] as const)
    const { data } = await upload(account, table(["2026-01-05", "1,50"], ...invalid, ["2026-01-06", "-1,50"]))
    assert.deepEqual([data.imported, data.errors.length, data.errors_total], [2, 100, 101])
    const [stored] = await books.made("GET", `/bank-accounts/${account}/imports`)
    assert.deepEqual([stored.errors, stored.errors_total], [data.errors, 101])
    // Imports of earlier versions have no total.
    await app.inDatabase(`update bank_imports set summary = summary - 'errors_total' where id = ${data.id}`)
    assert.notProperty(await books.made("GET", `/bank-accounts/${account}/imports/${data.id}`), "errors_total")
  })

  it("keeps the file's order among lines of a day, and separates parts of a batch with one id", async () => {
    const { account, lines, upload } = await opened()
    const part = tag(
      "TxDtls",
      "",
      tag("Refs", "", tag("TxId", "BATCH-1")),
      tag("AmtDtls", "", tag("TxAmt", "", tag("Amt", "1.50", { Ccy: "EUR" })))
    )
    const text = camt([
      entry("9.00", "CRDT"),
      entry("3.00", "DBIT", tag("NtryDtls", "", part, part)),
      entry("7.00", "CRDT")
    ])
    assert.equal((await upload(account, text)).data.imported, 4)
    const { data } = await upload(account, `${text}\n`)
    assert.deepEqual([data.duplicate_file, data.imported, data.duplicates], [false, 0, 4])
    assert.deepEqual(
      (await lines()).map(({ amount, position }) => [position, amount]),
      [
        [3, 7],
        [2, -1.5],
        [1, -1.5],
        [0, 9]
      ]
    )
  })

  it("accepts the account's national number, too", async () => {
    const { account, upload } = await opened()
    const text = codaStatement([{ amount: 1 }], { iban: "539007547034 EUR" }).replace(/^12/m, "10")
    assert.equal((await upload(account, text)).data.imported, 1)
  })

  it("answers the result in a dry run without storing it", async () => {
    const { account, books, lines, upload } = await opened()
    await upload(account, table(["2026-01-05", "1,50"]))
    const { data, status } = await upload(account, table(["2026-01-05", "1,50"], ["2026-01-06", "-1,50"]), {
      dry_run: "true"
    })
    assert.equal(status, 201)
    assert.deepEqual([data.id, data.imported, data.duplicates], [null, 1, 1])
    assert.equal((await lines()).length, 1)
    const { csv, lines: first } = data.reading
    assert.deepEqual([csv.delimiter, csv.header_line, csv.decimal_separator, csv.date_format], [";", 1, ",", "YMD"])
    assert.deepEqual(csv.sign, { kind: "signed", deducts_fee: false, proof: "values" })
    assert.deepEqual(csv.columns[1], { position: 2, header: "Amount", meaning: "amount" })
    assert.deepEqual(first[1].amount, "-1.50")
    const url = `/bank-accounts/${account}/import-statement?dry_run=true`
    const form = new FormData()
    form.set("file", new File([table(["2026-01-07", "-9,00"])], "feb.csv"))
    const answer = await fetch(`${app.url}/api/v1${url}`, {
      method: "POST",
      headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) },
      body: form
    })
    assert.equal(answer.status, 201)
    assert.equal((await lines()).length, 1)
  })

  it("refuses a flag that is neither true nor false, instead of importing, and accepts a blank one", async () => {
    const { account, lines, upload } = await opened()
    const text = table(["2026-01-05", "1,50"])
    for (const flag of ["dry_run", "strict", "accept_unbalanced", "accept_overlap"]) {
      const { body, status } = await upload(account, text, { [flag]: "on" })
      assert.deepEqual([flag, status, Object.keys(body.errors)], [flag, 422, [flag]])
    }
    assert.deepEqual(await lines(), [])
    assert.equal((await upload(account, text, { dry_run: " yes ", strict: "no" })).data.id, null)
    assert.equal((await upload(account, text, { dry_run: "True" })).data.id, null)
    assert.equal((await upload(account, text, { dry_run: "", mapping: " " })).data.imported, 1)
  })

  it("refuses statements of other accounts or currencies, and picks its own out of several", async () => {
    const { account, lines, upload } = await opened()
    const foreign = codaStatement([{ amount: 100 }], { iban: "BE71096123456769" })
    const refused = await upload(account, foreign)
    assert.equal(refused.body.code, "account_mismatch")
    assert.equal((await upload(account, codaStatement([{ amount: 100 }], { currency: "USD" }))).status, 422)
    assert.deepEqual(await lines(), [])
    const both = await upload(account, [foreign, codaStatement([{ amount: 200 }])].join("\n"))
    assert.deepEqual([both.data.statements, both.data.imported], [1, 1])
    const codes = ({ data }: typeof both) => data.warnings?.map(({ code }: { readonly code: string }) => code)
    assert.deepEqual(codes(both), ["other_account_skipped"])
    assert.include(both.data.warnings[0].message, "skipped: 1.")
    const rows = [
      ["BE68539007547034", "3,00"],
      ["BE71096123456769", "4,00"],
      ["BE71096123456769", "5,00"]
    ]
    const csv = ["Auftragskonto;Buchungstag;Betrag", ...rows.map(([iban, amount]) => `${iban};13.03.2026;${amount}`)]
    const one = await upload(account, csv.join("\n"), { mapping: '{"sign":{"positive":"credit"}}' })
    assert.deepEqual([one.data.imported, codes(one)], [1, ["other_account_skipped"]])
    assert.include(one.data.warnings[0].message, "skipped: 2.")
  })

  it("refuses an archived account, a missing file, an unknown format and an invalid mapping", async () => {
    const { account, books, upload } = await opened()
    const archived = await openAccount(app, books.id, { status: "archived", iban: null })
    const refused = await upload(archived, table(["2026-01-05", "1,50"]))
    assert.deepEqual([refused.status, refused.body.code], [422, "bank_account_archived"])
    const format = await upload(account, "x", { format: "qif" })
    assert.deepEqual(Object.keys(format.body.errors), ["format"])
    const mapping = await upload(account, "x", { mapping: '{"delimiter":"!"}' })
    assert.deepEqual(Object.keys(mapping.body.errors), ["mapping.delimiter"])
    assert.deepEqual(mapping.body.errors["mapping.delimiter"], [
      'The mapping.delimiter field must be one of ",", ";", "\\t", "|".'
    ])
    const broken = await upload(account, "x", { mapping: "{" })
    assert.deepEqual(broken.body.errors, { mapping: ["The mapping field must be a valid JSON string."] })
    const none = await upload(account, undefined)
    assert.deepEqual([none.status, Object.keys(none.body.errors)], [422, ["file"]])
    assert.deepEqual(await books.made("GET", "/bank-transactions"), [])
  })

  it("requires the scope and the role, and hides accounts of other organizations", async () => {
    const { account, books, upload } = await opened()
    const text = table(["2026-01-05", "1,50"])
    const narrow = await app.run(seedToken(books.owner.id, ["bank_transactions.view"]))
    assert.deepEqual([(await upload(account, text, {}, narrow)).status], [403])
    const member = await app.run(seedMember(books.id, "member"))
    assert.equal((await upload(account, text, {}, member.token)).status, 403)
    const others = await open()
    assert.equal((await importer(app, others)(account, text)).status, 404)
    assert.equal((await others.call("GET", `/bank-accounts/${account}`)).status, 404)
    assert.equal((await others.call("GET", `/bank-transactions?bank_account_id=${account}`)).status, 404)
    assert.deepEqual(await books.made("GET", "/bank-transactions"), [])
  })

  it("suggests an invoice by its number, and a rule when no document is found", async () => {
    const { account, books, lines, upload } = await opened()
    const invoice = await books.issued()
    const rule = await books.made("POST", "/bank-rules", {
      name: "Fees",
      conditions: [{ type: "remittance_contains", value: "frais de gestion" }],
      actions: { category: "bank_fees" }
    })
    const today = new Date().toISOString().slice(0, 10)
    const { data } = await upload(
      account,
      table(
        [today, "121,00", "BETA", `thanks ${invoice.number}`],
        [today, "-25,00", "KBC", "Frais de gestion"],
        [today, "1,00"]
      )
    )
    assert.equal(data.suggested, 2)
    const found = (await lines()).map(({ status, suggestion }) => [status, suggestion?.type, suggestion?.id])
    assert.deepEqual(found.toReversed(), [
      ["suggested", "invoice", invoice.id],
      ["suggested", "rule", rule.id],
      ["unmatched", undefined, undefined]
    ])
  })
})
