import { assert, describe, it } from "vitest"
import { Schema } from "effect"
import { StatementLine } from "../../../src/banking/records/Statement.ts"
import { lineKeys } from "../../../src/banking/statements/LineKey.ts"
import { referenceIn } from "../../../src/banking/texts/References.ts"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { camt, entry, tag } from "../statements/Camt.ts"

const { app, open } = useBilling()

const printed = "+++090/9337/55493+++"
const digits = "090933755493"
const csv = `Datum;Bedrag;Mededeling\n2026-01-05;10,00;${printed}\n2026-01-06;-4,00;huur\n`
const xml = camt([
  entry("20.00", "CRDT", tag("NtryDtls", "", tag("TxDtls", "", tag("RmtInf", "", tag("Ustrd", printed)))))
])
const mt940 = [
  ":20:1",
  ":25:BE68539007547034",
  ":28C:1",
  ":60F:C260101EUR100,00",
  ":61:2601050105C30,00NTRFX",
  `:86:payment ${printed} thanks`,
  ":62F:C260131EUR130,00",
  "-"
].join("\n")

describe("a structured communication or an ISO 11649 reference in the text of a bank line", () => {
  it.each([
    [printed, digits],
    ["***090/9337/55493***", digits],
    ["invoice 090/9337/55493, thanks", digits],
    [`${printed} and 090/9337/55493`, digits],
    ["+++090/9337/55494+++", undefined],
    [`${printed} +++010/8068/17183+++`, undefined],
    ["1090/9337/55493", undefined],
    ["090/9337/554931", undefined],
    ["RF18539007547034", "RF18539007547034"],
    ["Invoice rf18 5390 0754 7034 paid by me", "RF18539007547034"],
    ["RF18 5390 0754 7035", undefined],
    ["XRF18539007547034", undefined],
    [`${printed} RF18 5390 0754 7034`, undefined],
    ["", undefined]
  ])("is found in %j: %s", (text, found) => {
    assert.equal(referenceIn(text), found)
  })

  it.each([
    ["CSV", csv, "10.00"],
    ["CAMT.053", xml, "20.00"],
    ["MT940", mt940, "30.00"]
  ])("is the reference of a line of a %s file that states none, also for rules", async (_, file, amount) => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const conditions = [{ type: "reference_equals", value: printed }]
    const rule = await books.made("POST", "/bank-rules", {
      name: "Rent",
      conditions,
      actions: { description: "Rent" }
    })
    const upload = importer(app, books)
    const dry = await upload(account, file, { dry_run: "true" })
    assert.equal(dry.data.reading.lines[0].reference, digits)
    assert.equal((await upload(account, file)).data.suggested, 1)
    const lines = await books.made("GET", "/bank-transactions?sort=id")
    const [line] = lines
    assert.deepEqual([line.amount, line.reference, line.suggestion.id], [Number(amount), digits, rule.id])
    assert.include(line.remittance_text, printed)
    for (const other of lines.slice(1)) assert.isNull(other.reference)
  })

  it("does not change by which key the line is recognized", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    await importer(app, books)(account, csv)
    const rows = await app.inDatabase(
      `select line_key from bank_transactions where organization_id = ${books.id} order by id`
    )
    const decode = Schema.decodeSync(Schema.toCodecJson(StatementLine))
    const raw = { booking_date: "2026-01-05", value_date: null, amount: "10.00", currency: "EUR", bank_id: null }
    const texts = { counterparty_name: null, counterparty_iban: null, remittance_text: printed, reference: null }
    const { keys } = lineKeys()(decode({ ...raw, ...texts, csv: { row_text: printed, has_unique_id: true } }))
    const [line_key] = keys
    assert.deepEqual(rows[0], { line_key })
  })
})
