import { BigDecimal, Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { randomFattura } from "../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../scripts/support/Random.ts"
import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { readReceived } from "../../../src/einvoicing/received/reading/ReceivedReader.ts"
import { fatturaRules } from "../../../src/einvoicing/fatturapa/FatturaRules.ts"
import { inEuro } from "../../../src/einvoicing/fatturapa/InEuro.ts"
import { now } from "../../../src/kernel/Calendar.ts"
import { CustomerId } from "../../../src/kernel/Ids.ts"
import { type Certificate, certificatesIn } from "../../../src/platform/crypto/signatures/Certificates.ts"
import { fatturaPa, type FatturaParts } from "./Fatture.ts"
import { makeSigner } from "./SignedFile.ts"

const utf8 = new TextEncoder()
const signer = makeSigner()
const authority = certificatesIn(signer.authority)
afterAll(signer.close)

const readAll = (bytes: Uint8Array, trusted: ReadonlyArray<Certificate> = []) =>
  Effect.runPromise(Effect.flatMap(now, (arrived_at) => readReceived(bytes, { trusted, arrived_at })))
const readBytes = async (bytes: Uint8Array, trusted: ReadonlyArray<Certificate> = []) => {
  const { content_type, readings } = await readAll(bytes, trusted)
  return { content_type, reading: readings[0] }
}
const reading = async (parts: FatturaParts = {}) => (await readBytes(utf8.encode(fatturaPa(parts)))).reading
const shown = (amount: BigDecimal.BigDecimal | null) => (amount === null ? null : BigDecimal.format(amount))

const rounding = (amount: string) => `<Arrotondamento>${amount}</Arrotondamento>`
const discount = "<ScontoMaggiorazione><Tipo>SC</Tipo><Percentuale>10.00</Percentuale></ScontoMaggiorazione>"
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

  it.each(["Z", "+01:00", "-11:00"])("is read with the time zone %s in its dates", async (zone) => {
    const xml = fatturaPa({ date: `<Data>2026-02-01${zone}</Data>` }).replaceAll("</DataScad", `${zone}</DataScad`)
    const { reading } = await readBytes(utf8.encode(xml))
    expect(reading).toMatchObject({ problem: null, issue_date: "2026-02-01", due_date: "2026-03-31" })
  })

  it.each([
    ["states no total", { total: "" }, "129.33", null],
    ["is a credit note", { type: "TD04" }, "129.33", null],
    ["adds its stamp duty", { total: total("131.33"), general: stamp }, "131.33", null],
    ["contains its stamp duty", { general: stamp }, "129.33", null],
    ["is rounded", { total: total("129.30"), general: "<Arrotondamento>-0.03</Arrotondamento>" }, "129.3", null],
    ["rounds a tax row that contains its rounding", { row: rounding("-0.03") }, "129.33", null],
    ["rounds a tax row beside it", { total: total("129.30"), row: rounding("-0.03") }, "129.3", null],
    [
      "rounds a row and adds its stamp duty",
      { total: total("131.30"), general: stamp, row: rounding("-0.03") },
      "131.3",
      null
    ],
    ["contradicts itself", { total: total("130.00") }, "130", "The taxable amounts and the taxes do not add up"],
    ["names no supplier", { seller: "" }, "129.33", "names no supplier"],
    ["has no number", { number: "" }, "129.33", "has no number"],
    ["is no invoice of a supplier", { type: "TD17" }, null, "A document of type TD17"],
    ["holds no document", { documents: 0 }, null, "The file holds no document"],
    ["has no date", { date: "" }, null, "lacks its amount, its date"]
  ] as const)("that %s", async (_, parts, amount, problem) => {
    const read = await reading(parts)
    expect([shown(read.total), read.problem]).toEqual([
      amount,
      problem === null ? null : expect.stringContaining(problem)
    ])
  })

  it.each([
    ["its rounding, a short text for a number of millions of digits", { general: rounding("1e9999999999") }, null],
    ["its rounding, which has a comma", { general: rounding("-0,03") }, null],
    ["its discount, which is only a percentage", { general: discount }, null],
    ["a tax with a comma", { tax: "12,22" }, "cannot be read exactly"],
    ["a missing tax", { tax: "" }, "cannot be read exactly"]
  ] as const)("is not read as if %s was zero", async (_, parts, expected) => {
    const stated = await reading(parts)
    expect(shown(stated.total)).toBe("129.33")
    expect(stated.problem).toEqual(expected === null ? null : expect.stringContaining(expected))
    const { problem, total } = await reading({ ...parts, total: "" })
    expect([shown(total), problem]).toEqual([null, expect.stringContaining("lacks its amount")])
  })

  it("is read from a signed file, whole, in parts, in base64 or signed twice", async () => {
    const xml = fatturaPa({})
    const whole = signer.p7m(xml)
    const files = [whole, signer.p7m(xml, "-stream"), utf8.encode(whole.toString("base64")), signer.p7m(whole)]
    for (const file of files) {
      const { content_type, reading } = await readBytes(file)
      expect([content_type, reading.number, shown(reading.total)]).toEqual(["application/pkcs7-mime", "FT/7", "129.33"])
      expect(reading).toMatchObject({
        problem: null,
        signature: {
          status: "valid",
          signer: "Mario Rossi",
          trust: "unchecked",
          note: expect.stringContaining("trust list")
        }
      })
    }
    const { reading } = await readBytes(whole.subarray(0, 20))
    expect(reading.problem).toContain("The document is not well-formed XML")
  })

  it.each([
    ["of RSA with SHA-512", ["-md", "sha512"], "valid", null],
    ["of RSA-PSS", ["-keyopt", "rsa_padding_mode:pss"], "valid", null],
    ["of SHA-1", ["-md", "sha1"], "unchecked", "not supported"]
  ] as const)("is checked by its signature %s", async (_, options, status, note) => {
    const { reading } = await readBytes(signer.p7m(fatturaPa({}), ...options), authority)
    const trust = status === "valid" ? "trusted" : "unchecked"
    const told = note === null ? null : expect.stringContaining(note)
    expect([reading.problem, reading.signature]).toMatchObject([null, { status, trust, note: told }])
  })

  it("becomes nothing when it was changed after it was signed", async () => {
    const signed = signer.p7m(fatturaPa({}))
    const at = signed.indexOf("129.33")
    const changed = Buffer.concat([signed.subarray(0, at), Buffer.from("929.33"), signed.subarray(at + 6)])
    for (const file of [changed, utf8.encode(signer.xades(fatturaPa({})).replaceAll("129.33", "129.34"))]) {
      const { reading } = await readBytes(file, authority)
      const signature = { status: "invalid", trust: "untrusted" }
      expect(reading).toMatchObject({ problem: expect.stringContaining("does not match"), signature })
    }
  })

  it("is checked by a signature inside (XAdES), and by the dates and the authority of the signer", async () => {
    const inside = utf8.encode(signer.xades(fatturaPa({})))
    const { content_type, reading } = await readBytes(inside, authority)
    const signature = { status: "valid", signer: "Mario Rossi", trust: "trusted", note: null }
    expect([content_type, reading]).toMatchObject(["application/xml", { problem: null, number: "FT/7", signature }])
    const stranger = makeSigner()
    const { reading: foreign } = await readBytes(inside, certificatesIn(stranger.authority))
    stranger.close()
    expect(foreign.signature).toMatchObject({
      status: "valid",
      trust: "untrusted",
      note: expect.stringContaining("was not issued by an authority")
    })
    const { reading: late } = await readBytes(signer.expired(fatturaPa({})), authority)
    expect(late).toMatchObject({ problem: null, signature: { note: expect.stringContaining("was not valid") } })
  })

  it("is read document by document when the file holds several", async () => {
    const { readings } = await readAll(utf8.encode(fatturaPa({ documents: 3 })))
    expect(readings).toHaveLength(3)
    for (const { problem, supplier, total } of readings) {
      expect([problem, supplier.tax_number, shown(total)]).toEqual([null, "IT00743110157", "129.33"])
    }
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
      const findings = fatturaRules(fattura, CustomerId.make(1), "RF01", fattura.issue_date)
      if (findings.some(({ severity }) => severity === "error")) continue
      const xml = utf8.encode(fatturaDocument(fattura, { progressive: "00001", regime: "RF01" }))
      const { reading } = await readBytes(xml)
      const { payable, rounding, tax, tax_inclusive } = inEuro(fattura).totals
      const total = BigDecimal.sum(tax_inclusive, rounding)
      if (!BigDecimal.isPositive(total)) continue
      // Lines with negative amounts may leave a tax that no expense can have.
      const isPart = !BigDecimal.isNegative(tax) && BigDecimal.isLessThanOrEqualTo(tax, total)
      expect([name, reading.problem, shown(reading.total), shown(reading.tax_total), reading.due_date]).toEqual([
        name,
        isPart ? null : "The total tax is not between zero and the total.",
        shown(BigDecimal.normalize(total)),
        shown(BigDecimal.normalize(tax)),
        BigDecimal.isPositive(payable) ? fattura.due_date : null
      ])
      read += 1
    }
    expect(read).toBeGreaterThan(50)
  })
})
