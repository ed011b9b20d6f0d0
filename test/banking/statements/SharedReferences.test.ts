import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { camt, entry, tag } from "./Camt.ts"

const { app, open } = useBilling()

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  const names = async () => {
    const lines = await books.made("GET", "/bank-transactions?per_page=100&sort=id")
    return lines.map(({ counterparty_name }: { counterparty_name: string }) => counterparty_name)
  }
  /** Stores the line under the key that earlier versions gave it, whatever its texts are. */
  const storeWithId = (name: string, id: string, number = 0) =>
    app.inDatabase(`
      update bank_transactions set line_key = encode(sha256(convert_to('bank|' || booking_date || '|' ||
        round(amount, 2) || '|EUR|${id}', 'UTF8')), 'hex') || '#${number}'
      where organization_id = ${books.id} and counterparty_name = '${name}'`)
  return { account, books, names, storeWithId, upload }
}

/** A payment to the account; the bank writes `ref` as the reference of its entry. */
const paid = (name: string, ref: string, end_to_end = "NOTPROVIDED") =>
  entry(
    "100.00",
    "CRDT",
    tag("AcctSvcrRef", ref),
    tag(
      "NtryDtls",
      "",
      tag(
        "TxDtls",
        "",
        tag("Refs", "", tag("EndToEndId", end_to_end)),
        tag("RltdPties", "", tag("Dbtr", "", tag("Nm", name))),
        tag("RmtInf", "", tag("Ustrd", `Fee of ${name}`))
      )
    )
  )
const anna = paid("Anna", "NONREF")
const bob = paid("Bob", "NONREF")
const carl = paid("Carl", "NONREF")

const inBatch = (name: string) => paid(name, "BATCH 7")

/** A CSV file with a payment of each name, and with one whose id is its own. */
const csvOf = (...names: ReadonlyArray<string>) =>
  [
    "Date;Amount;Transaction ID;Name;Description",
    ...names.map((name) => `2026-01-05;-10,00;NONREF;${name};Fee`),
    "2026-01-06;-20,00;T1;Dora;Rent"
  ].join("\n")

const paidWithout = (name: string) => paid(name, "NonRef", "Notprovided")

describe("lines whose reference several payments have", () => {
  it("imports the payments of one day and amount that the bank marks with NONREF, each once", async () => {
    const { account, books, names, upload } = await opened()
    assert.equal((await upload(account, camt([anna], { opening: "0.00", closing: "100.00" }))).data.imported, 1)
    const second = (await upload(account, camt([bob], { opening: "100.00", closing: "200.00" }))).data
    assert.deepEqual([second.imported, second.duplicates], [1, 0])
    const all = (await upload(account, camt([carl, bob, anna]))).data
    assert.deepEqual([all.imported, all.duplicates], [1, 2])
    assert.deepEqual(await names(), ["Anna", "Bob", "Carl"])
    const report = await books.made(
      "GET",
      `/bank-accounts/${account}/reconciliation-report?from=2026-01-01&to=2026-01-31`
    )
    assert.equal(report.balance_check.lines_sum, "300.00")
  })

  it("recognizes the lines that an earlier version stored under NONREF by their texts", async () => {
    const { account, names, storeWithId, upload } = await opened()
    await upload(account, camt([anna, bob]))
    await storeWithId("Anna", "NONREF#0", 0)
    await storeWithId("Bob", "NONREF#0", 1)
    const dry = (await upload(account, camt([carl, bob]), { dry_run: "true" })).data
    assert.deepEqual([dry.imported, dry.duplicates], [1, 1])
    const part = (await upload(account, camt([carl, bob]))).data
    assert.deepEqual([part.imported, part.duplicates, part.warnings], [1, 1, undefined])
    const more = (await upload(account, camt([anna, anna, bob, carl]))).data
    assert.deepEqual([more.imported, more.duplicates], [1, 3])
    const again = (await upload(account, camt([bob, anna, carl, anna]))).data
    assert.deepEqual([again.imported, again.duplicates], [0, 4])
    assert.deepEqual(await names(), ["Anna", "Bob", "Carl", "Anna"])
  })

  it("tells the payments of a file apart that have one other reference", async () => {
    const { account, names, storeWithId, upload } = await opened()
    assert.equal((await upload(account, camt([inBatch("Anna")]))).data.imported, 1)
    await storeWithId("Anna", "BATCH 7#0")
    const both = (await upload(account, camt([inBatch("Bob"), inBatch("Anna")]))).data
    assert.deepEqual([both.imported, both.duplicates], [1, 1])
    const one = (await upload(account, camt([inBatch("Bob")]))).data
    assert.deepEqual([one.imported, one.duplicates], [0, 1])
    assert.deepEqual(await names(), ["Anna", "Bob"])
  })

  it("reads no reference from NONREF, and recognizes the lines for which earlier versions did", async () => {
    const { account, books, upload } = await opened()
    const line = paid("Anna", "NOTPROVIDED", "NONREF")
    await upload(account, camt([line]))
    const [stored] = await books.made("GET", "/bank-transactions")
    assert.isNull(stored.reference)
    await app.inDatabase(`
      update bank_transactions set reference = 'NONREF', line_key = encode(sha256(convert_to('content|2026-01-05|100.00|' ||
        'EUR|anna||nonref fee of anna', 'UTF8')), 'hex') || '#0' where organization_id = ${books.id}`)
    assert.equal((await upload(account, camt([line, bob]))).data.imported, 1)
  })

  it("tells the rows of CSV files apart whose ids are NONREF", async () => {
    const { account, names, upload } = await opened()
    assert.equal((await upload(account, csvOf("Anna"))).data.imported, 2)
    assert.equal((await upload(account, csvOf("Bob"))).data.imported, 1)
    assert.deepEqual(await names(), ["Anna", "Dora", "Bob"])
  })

  it("recognizes the row of a CSV file that an earlier version stored under NONREF by its texts", async () => {
    for (const files of [[csvOf("Bob")], [csvOf("Bob", "Anna")], [csvOf("Anna", "Bob"), csvOf("Bob", "Anna")]]) {
      const { account, books, names, storeWithId, upload } = await opened()
      await upload(account, csvOf("Anna"))
      await storeWithId("Anna", "NONREF")
      await storeWithId("Dora", "T1")
      for (const file of files) assert.equal((await upload(account, file)).status, 201)
      assert.deepEqual(await names(), ["Anna", "Dora", "Bob"])
      const lines = await books.made("GET", "/bank-transactions?per_page=100&sort=id")
      assert.deepEqual(
        lines.map(({ remittance_text }: { remittance_text: string }) => remittance_text),
        ["Fee", "Rent", "Fee"]
      )
    }
  })

  it("reads NonRef and Notprovided as NONREF, and recognizes lines that earlier versions read otherwise", async () => {
    const { account, books, names, storeWithId, upload } = await opened()
    await upload(account, camt([paidWithout("Anna")]))
    const [stored] = await books.made("GET", "/bank-transactions")
    assert.isNull(stored.reference)
    await app.inDatabase(`update bank_transactions set reference = 'Notprovided' where organization_id = ${books.id}`)
    await storeWithId("Anna", "NonRef#0")
    assert.equal((await upload(account, camt([paidWithout("Bob"), paidWithout("Anna")]))).data.imported, 1)
    assert.deepEqual(await names(), ["Anna", "Bob"])
  })

  it("imports many payments of one day with NONREF again", { timeout: 180_000 }, async () => {
    const { account, upload } = await opened()
    // The lines of a file are compared with all stored lines of its days if some of them are from another format.
    await upload(account, csvOf("Carl"))
    const many = Array.from({ length: 8_000 }, (_, index) => paid(`Payer ${index}`, "NONREF"))
    assert.equal((await upload(account, camt(many))).data.imported, 8_000)
    const again = await upload(account, camt([...many, bob]))
    assert.deepEqual([again.status, again.data?.imported, again.data?.duplicates], [201, 1, 8_000])
  })
})
