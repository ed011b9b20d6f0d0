import JSZip from "jszip"
import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"
import { camt, entry } from "../statements/Camt.ts"

const { app, open } = useBilling()

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  const lines = () => books.made("GET", "/bank-transactions?per_page=100&sort=id")
  /** Gives the stored lines other keys, as if a version before had stored them. */
  const forgetKeys = () =>
    app.inDatabase(`update bank_transactions set line_key = 'earlier ' || id where organization_id = ${books.id}`)
  return { account, books, forgetKeys, lines, upload }
}

const dutch_header =
  "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen"

type Movement = readonly [day: string, name: string, amount: string, code?: string, kind?: string]

/** An export of a Dutch bank. A column whose value is the same in each row is no text of its lines. */
const dutch = (...movements: ReadonlyArray<Movement>) =>
  [
    dutch_header,
    ...movements.map(([day, name, amount, code = "ID", kind = "iDEAL"]) =>
      [day, name, "BE68539007547034", "NL91ABNA0417164300", code, "Af", amount, kind, `Order of ${name}`].join(";")
    )
  ].join("\n")

const january: ReadonlyArray<Movement> = [
  ["20260101", "Alfa", "10,00"],
  ["20260103", "Beta", "20,00"],
  ["20260107", "Gamma", "30,00"]
]
const transfer: Movement = ["20260120", "Delta", "40,00", "GT", "Online bankieren"]

const identified = (...rows: ReadonlyArray<readonly [day: string, amount: string, id: string, text: string]>) =>
  ["Date;Amount;Transaction ID;Description", ...rows.map((cells) => cells.join(";"))].join("\n")

const zip = async (...files: ReadonlyArray<string>) => {
  const archive = new JSZip()
  for (const [index, text] of files.entries()) archive.file(`${index}.csv`, text)
  return new File([await archive.generateAsync({ type: "arraybuffer" })], "january.zip")
}

describe("POST /api/v1/bank-accounts/{id}/import-statement, with files that overlap", () => {
  it("recognizes the rows of a CSV file, whatever the other rows of the file are", async () => {
    const { account, upload } = await opened()
    assert.equal((await upload(account, dutch(...january))).data.imported, 3)
    const whole = (await upload(account, dutch(...january, transfer))).data
    assert.deepEqual([whole.imported, whole.duplicates, whole.warnings], [1, 3, undefined])
    const single = (await upload(account, dutch(...january.slice(0, 1)))).data
    assert.deepEqual([single.imported, single.duplicates], [0, 1])
    const again = (await upload(account, dutch(...january.slice(1)))).data
    assert.deepEqual([again.imported, again.duplicates], [0, 2])
  })

  it("recognizes a row by its id or its cells, also if the ids of one of the files are not unique", async () => {
    const { account, upload } = await opened()
    const first = [
      ["2026-01-05", "-10,00", "T1", "Rent"],
      ["2026-01-06", "-20,00", "T2", "Power"]
    ] as const
    const returned = ["2026-01-08", "20,00", "T2", "Power returned"] as const
    assert.equal((await upload(account, identified(...first))).data.imported, 2)
    const second = (await upload(account, identified(...first, returned))).data
    assert.deepEqual([second.imported, second.duplicates], [1, 2])
    const third = (await upload(account, identified(returned))).data
    assert.deepEqual([third.imported, third.duplicates], [0, 1])
  })

  it("recognizes the lines that an earlier version stored", async () => {
    const { account, books, upload } = await opened()
    const rows = [
      ["2026-01-05", "-10.00", "Beta", "Rent"],
      ["2026-01-06", "-20.00", "Gamma", "Power"]
    ] as const
    await upload(account, table(...rows))
    await app.inDatabase(`
      update bank_transactions set line_key = encode(sha256(convert_to('content|' || booking_date || '|' ||
        round(amount, 2) || '|EUR|' || lower(counterparty_name) || '||' || lower(remittance_text), 'UTF8')), 'hex') || '#0'
      where organization_id = ${books.id}`)
    const again = (await upload(account, `${table(...rows)}\n`)).data
    assert.deepEqual([again.imported, again.duplicates, again.warnings], [0, 2, undefined])
  })

  it("refuses a CSV file whose rows seem to be stored by another reading, and warns if only some are", async () => {
    const { account, forgetKeys, lines, upload } = await opened()
    await upload(account, dutch(...january))
    await forgetKeys()
    const refused = await upload(account, `${dutch(...january)}\n`)
    assert.deepEqual([refused.status, refused.body.code], [422, "overlapping_other_format"])
    assert.deepEqual(refused.body.details, { lines: 3, twins: 3, formats: ["csv"] })
    const some = (await upload(account, dutch(...january, transfer))).data
    assert.deepEqual([some.imported, some.warnings[0].code], [4, "possible_duplicates"])
    assert.include(some.warnings[0].message, "3 lines")
    assert.equal((await lines()).length, 7)
  })

  it("keeps equal payments of one file and of one day apart, without a warning", async () => {
    const { account, upload } = await opened()
    const coffee = ["2026-01-05", "-3,00", "Bar", "Coffee"] as const
    assert.equal((await upload(account, table(coffee))).data.imported, 1)
    const twice = (await upload(account, table(coffee, coffee))).data
    assert.deepEqual([twice.imported, twice.duplicates, twice.warnings], [1, 1, undefined])
    const other = await upload(account, table(["2026-01-05", "-3,00", "Bar", "Tea"]))
    assert.deepEqual([other.status, other.data.imported], [201, 1])
  })

  it("does not book lines by rules that may be duplicates, unless `accept_overlap` says that they are none", async () => {
    const { account, books, lines, upload } = await opened()
    await books.made("POST", "/bank-rules", {
      name: "Costs",
      direction: "debit",
      conditions: [{ type: "amount_max", value: 1000 }],
      actions: { category: "office_supplies" },
      auto_add: true
    })
    const first = (await upload(account, table(["2026-01-05", "-1,00", "Beta"], ["2026-01-05", "-2,00", "Beta"]))).data
    assert.equal(first.auto_booked, 2)
    const both = camt([entry("1.00", "DBIT"), entry("2.00", "DBIT"), entry("7.00", "DBIT"), entry("8.00", "DBIT")])
    const tried = (await upload(account, both, { dry_run: "true" })).data
    const second = (await upload(account, both)).data
    for (const { auto_booked, imported, warnings } of [tried, second]) {
      assert.deepEqual([imported, auto_booked, warnings[0].code], [4, 2, "possible_duplicates"])
    }
    const open = (await lines()).filter(({ status }: { readonly status: string }) => status !== "matched")
    assert.deepEqual(
      open.map(({ amount, status }: Record<string, unknown>) => [amount, status]),
      [
        [-1, "suggested"],
        [-2, "suggested"]
      ]
    )
    const third = table(["2026-01-05", "-7,00", "Gamma"], ["2026-01-05", "-8,00", "Gamma"])
    assert.equal((await upload(account, third, { accept_overlap: "true" })).data.auto_booked, 2)
  })

  it("imports a line that several files of a ZIP have once", async () => {
    const { account, lines, upload } = await opened()
    const coffee = ["2026-01-05", "-3,00", "Bar", "Coffee"] as const
    const files = [table(coffee, coffee), table(coffee, coffee, ["2026-01-06", "-4,00", "Bar", "Tea"])]
    const tried = (await upload(account, await zip(...files), { dry_run: "true" })).data
    const stored = (await upload(account, await zip(...files))).data
    for (const { duplicates, imported, lines_total } of [tried, stored]) {
      assert.deepEqual([lines_total, imported, duplicates], [5, 3, 2])
    }
    assert.equal((await lines()).length, 3)
    const more = (await upload(account, await zip(dutch(...january), dutch(...january, transfer)))).data
    assert.deepEqual([more.imported, more.duplicates], [4, 3])
  })
})
