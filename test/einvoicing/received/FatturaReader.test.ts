import { BigDecimal, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { randomFattura } from "../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../scripts/Random.ts"
import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { readReceived } from "../../../src/einvoicing/received/ReceivedReader.ts"
import { fatturaRules } from "../../../src/einvoicing/fatturapa/FatturaRules.ts"
import { CustomerId } from "../../../src/kernel/Ids.ts"
import { fatturaPa, type FatturaParts } from "./Fatture.ts"
import { enveloped, tlv } from "./SignedFile.ts"

const utf8 = new TextEncoder()
const readBytes = (bytes: Uint8Array) => Effect.runPromise(readReceived(bytes))
const reading = async (parts: FatturaParts = {}) => (await readBytes(utf8.encode(fatturaPa(parts)))).reading
const shown = (amount: BigDecimal.BigDecimal | null) => (amount === null ? null : BigDecimal.format(amount))

const total = (amount: string) => `<ImportoTotaleDocumento>${amount}</ImportoTotaleDocumento>`
const stamp = "<DatiBollo><BolloVirtuale>SI</BolloVirtuale><ImportoBollo>2.00</ImportoBollo></DatiBollo>"

describe("a FatturaPA that arrives", () => {
  it("is read exactly", async () => {
    expect(await reading()).toMatchObject({
      document_type: "invoice",
      syntax: "fatturapa",
      number: "FT/7",
      issue_date: "2026-02-01",
      due_date: "2026-03-31",
      currency: "EUR",
      description: "Caffè; Trasporto",
      payment_method: "bank_transfer",
      supplier: {
        name: "Torrefazione Àlfa S.r.l.",
        tax_number: "IT00743110157",
        country: "IT",
        iban: "IT60X0542811101000000123456",
        identifier_scheme: "0211",
        identifier_value: "IT00743110157"
      },
      problem: null
    })
    const { tax_rates, tax_total, total } = await reading()
    expect([shown(total), shown(tax_total), tax_rates.map(({ tax_amount }) => shown(tax_amount))]).toEqual([
      "129.33",
      "14.23",
      ["12.22", "2.01", "0"]
    ])
  })

  it.each([
    ["states no total", { total: "" }, "129.33", null],
    ["is a credit note", { type: "TD04" }, "129.33", null],
    ["adds its stamp duty", { total: total("131.33"), general: stamp }, "131.33", null],
    ["contains its stamp duty", { general: stamp }, "129.33", null],
    ["is rounded", { total: total("129.30"), general: "<Arrotondamento>-0.03</Arrotondamento>" }, "129.3", null],
    ["contradicts itself", { total: total("130.00") }, "130", "The taxable amounts and the taxes do not add up"],
    ["names no supplier", { seller: "" }, "129.33", "names no supplier"],
    ["has no number", { number: "" }, "129.33", "has no number"],
    ["is no invoice of a supplier", { type: "TD17" }, null, "A document of type TD17"],
    ["holds two documents", { documents: 2 }, null, "The file holds 2 documents"],
    ["has no date", { date: "" }, null, "lacks its amount, its date"]
  ] as const)("that %s", async (_, parts, amount, problem) => {
    const read = await reading(parts)
    expect([shown(read.total), read.problem]).toEqual([
      amount,
      problem === null ? null : expect.stringContaining(problem)
    ])
  })

  it("is read from a signed file, whole, in parts or in base64", async () => {
    const bytes = utf8.encode(fatturaPa({}))
    const half = Math.floor(bytes.length / 2)
    const whole = enveloped(tlv(0x04, bytes))
    const parts = enveloped(tlv(0x24, tlv(0x04, bytes.subarray(0, half)), tlv(0x04, bytes.subarray(half))))
    for (const file of [whole, parts, utf8.encode(Buffer.from(whole).toString("base64"))]) {
      const { content_type, reading } = await readBytes(file)
      expect([content_type, reading.number, shown(reading.total)]).toEqual(["application/pkcs7-mime", "FT/7", "129.33"])
    }
    const { reading } = await readBytes(enveloped(tlv(0x04)).subarray(0, 20))
    expect(reading.problem).toBe("The document is not well-formed XML.")
  })

  it("is read in the encoding that it has", async () => {
    const declared = fatturaPa({}).replace("UTF-8", "windows-1252")
    for (const bytes of [
      Buffer.from(declared, "latin1"),
      utf8.encode(declared),
      Buffer.from(`\ufeff${declared}`, "utf16le")
    ]) {
      expect((await readBytes(bytes)).reading.supplier.name).toBe("Torrefazione Àlfa S.r.l.")
    }
  })

  it("of our own is read with the amounts that were written", async () => {
    const random = new Random(5)
    let read = 0
    for (let index = 1; index <= 150; index++) {
      const { fattura, name } = randomFattura(random, index)
      if (fatturaRules(fattura, CustomerId.make(1)).some(({ severity }) => severity === "error")) continue
      const xml = utf8.encode(fatturaDocument(fattura, { progressive: "00001", regime: "RF01" }))
      const { reading } = await readBytes(xml)
      const { rounding, tax, tax_inclusive } = fattura.totals
      const total = BigDecimal.sum(tax_inclusive, rounding)
      if (!BigDecimal.isPositive(total)) continue
      expect([name, reading.problem, shown(reading.total), shown(reading.tax_total), reading.due_date]).toEqual([
        name,
        null,
        shown(BigDecimal.normalize(total)),
        shown(BigDecimal.normalize(tax)),
        BigDecimal.isPositive(fattura.totals.payable) ? fattura.due_date : null
      ])
      read += 1
    }
    expect(read).toBeGreaterThan(50)
  })
})
