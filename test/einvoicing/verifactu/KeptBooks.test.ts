import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { misshapen } from "../../../scripts/einvoicing/OfficialRules.ts"
import { randomRecorded } from "../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../scripts/support/Random.ts"
import { messageOf } from "../../../src/einvoicing/verifactu/aeat/AeatEnvelope.ts"
import { sandbox_system } from "../../../src/einvoicing/verifactu/AeatSettings.ts"
import { registrationRecord } from "../../../src/einvoicing/verifactu/InvoiceRecord.ts"
import { anomaliesOf, linkOfRecord } from "../../../src/einvoicing/verifactu/kept/ChainCheck.ts"
import type { KeptRecord } from "../../../src/einvoicing/verifactu/kept/KeptRecordsRepo.ts"
import { signingWith } from "../../../src/einvoicing/verifactu/kept/RecordSigning.ts"
import { localTime } from "../../../src/einvoicing/verifactu/RecordChain.ts"
import { recordRules } from "../../../src/einvoicing/verifactu/RecordRules.ts"
import { Timestamp, TimeZone } from "../../../src/kernel/Calendar.ts"
import { CustomerId } from "../../../src/kernel/Ids.ts"
import { dayIn } from "../../support/Days.ts"
import { runs } from "../../support/service/Runs.ts"
import { text, useKeepers } from "./RecordKeepers.ts"
import { recordsIn, requireChain } from "./RecordVerifier.ts"
import { requireEvents, requireSigned } from "./SignatureJudge.ts"

const { app, keeper, required } = useKeepers()
const xml_rules = process.env["EINVOICING_RULES"] ?? ""
const documents = runs(200)

describe("the check of the chains", () => {
  it("finds nothing in whole chains", async () => {
    const books = await keeper()
    await books.recorded()
    await books.recorded()
    await books.summarize("stopping")
    expect(await books.check()).toEqual({ records: 2, events: 2, anomalies: [] })
    expect(await books.typesOf()).toEqual(["01", "10", "03", "05"])
    const { anomalies, events } = await books.check()
    expect([anomalies, events]).toEqual([[], 4])
    requireEvents((await books.events()).map(({ xml }) => xml))
  })

  it.each([
    ["the total", "update verifactu_records set xml = replace(xml, '>121.00<', '>12.00<')", 2, ["01", "02"]],
    [
      "the customer, whom the hash does not cover",
      "update verifactu_records set xml = replace(xml, '54362315K', '89890001K')",
      2,
      ["02"]
    ],
    [
      "the signature",
      "update verifactu_records set xml = regexp_replace(xml, '<ds:Signature .*</ds:Signature>', '')",
      2,
      ["02"]
    ],
    ["the column of the number", "update verifactu_records set number = 'X'", 2, ["03"]],
    ["the column of the hash", "update verifactu_records set hash = repeat('A', 64)", 2, ["03"]],
    [
      "the column of the time",
      "update verifactu_records set generated_at = generated_at + interval '1 hour'",
      2,
      ["03", "13"]
    ]
  ])("names a record in which %s was changed", async (_, change, position, codes) => {
    const books = await keeper()
    for (let index = 0; index < 3; index++) await books.recorded()
    await books.damage(change, position)
    const { anomalies } = await books.check()
    const own = anomalies.filter((anomaly) => anomaly.position === position)
    expect(own.map(({ chain, code }) => [chain, code])).toEqual(codes.map((code) => ["records", code]))
    const others = anomalies.filter((anomaly) => anomaly.position !== position)
    const of_neighbour = change.includes("set hash") ? ["08"] : change.includes("interval") ? ["11"] : []
    expect(others.map(({ code, position }) => [position, code])).toEqual(
      of_neighbour.map((code) => [position + 1, code])
    )
    const expected = ["03", ...anomalies.map(() => "04"), "05"]
    expect(await books.typesOf()).toEqual(["01", ...expected])
    await books.check()
    expect(await books.typesOf()).toEqual(["01", ...expected, "03", "05"])
    requireEvents((await books.events()).map(({ xml }) => xml))
  })

  it("names the neighbours of records that were removed", async () => {
    const books = await keeper()
    for (let index = 0; index < 4; index++) await books.recorded()
    await books.damage("delete from verifactu_records", 2)
    await books.damage("delete from verifactu_records", 4)
    const { anomalies } = await books.check()
    expect(anomalies.map(({ code, position }) => [position, code])).toEqual([
      [3, "04"],
      [3, "08"],
      [3, "05"]
    ])
  })

  it("names an event that was changed", async () => {
    const books = await keeper()
    await books.check()
    await books.damage("update verifactu_events set xml = replace(xml, 'Procesados', 'Perdidos')", 2)
    const { anomalies } = await books.check()
    expect(anomalies.map(({ chain, code, position }) => [chain, position, code])).toEqual([["events", 2, "02"]])
    expect((await books.typesOf()).slice(3)).toEqual(["03", "05", "06"])
  })

  it("finds a damaged record before another one is chained to it", async () => {
    const books = await keeper()
    await books.recorded()
    await books.damage("update verifactu_records set xml = replace(xml, '>121.00<', '>12.00<')", 1)
    await books.recorded()
    expect(await books.typesOf()).toEqual(["01", "04", "04"])
    expect(await books.records()).toHaveLength(2)
  })
})

describe("the export", () => {
  it("holds the records and events of a period as signed files in the order of the chains", async () => {
    const books = await keeper()
    await books.recorded()
    await books.recorded()
    const files = await books.exported("2026-01-01", dayIn("Europe/Madrid"))
    expect([...files.keys()]).toEqual([
      "registros-facturacion/000000001-RegistroAlta.xml",
      "registros-facturacion/000000002-RegistroAlta.xml",
      "registros-evento/000000001-01.xml"
    ])
    const texts = [...files.values()].map((bytes) => bytes.toString("utf8"))
    requireSigned(texts, required().settings.authority)
    requireChain(recordsIn(texts.join("")))
    const events = await books.events()
    expect(events.map(({ type }) => type)).toEqual(["01", "08", "09"])
    expect(text(events[1]?.xml ?? "", "NumeroDeRegistrosFacturacionAltaExportados")).toBe("2")
    requireEvents(events.map(({ xml }) => xml))
    await expect(books.exported("2025-01-01", "2025-12-31")).rejects.toThrow()
    expect(await books.typesOf()).toHaveLength(3)
  })

  it("is still possible after the organization joined VERI*FACTU", async () => {
    const books = await keeper()
    await books.recorded()
    await app.run(books.connecting())
    const files = await books.exported("2026-01-01", dayIn("Europe/Madrid"))
    expect(files.size).toBe(4)
    expect(await books.typesOf()).toEqual(["01", "02", "10"])
  })
})

describe(`${documents} random documents`, () => {
  it("give signed records of the official schema, and no change of one stays unseen", async () => {
    const { certificate, certificate_password } = required().settings
    const sign = signingWith(Buffer.from(certificate, "base64"), certificate_password)
    const random = new Random(17)
    const customer_id = CustomerId.make(1)
    const now_ms = Date.now()
    const rows: Array<KeptRecord> = []
    let previous: Parameters<typeof registrationRecord>[1]["link"]["previous"] = null
    for (let tried = 0; rows.length < documents; tried++) {
      const invoice = randomRecorded(random, tried)
      if (recordRules(invoice, customer_id, invoice.issue_date).some(({ severity }) => severity === "error")) continue
      const generated_at = Timestamp.make(new Date(now_ms).toISOString())
      const local_time = localTime(generated_at, TimeZone.make("Atlantic/Canary"))
      const link = { previous, generated_at: local_time }
      const made = registrationRecord(invoice, { system: sandbox_system, link, isCorrection: false })
      const xml = sign.record(made.xml, local_time)
      rows.push({ ...made, xml, position: rows.length + 1, kind: "registration", generated_at, state: "kept" })
      previous = made
    }
    const found = (row: KeptRecord, before: KeptRecord | undefined) =>
      anomaliesOf(linkOfRecord(row), { previous: before === undefined ? null : linkOfRecord(before), now_ms })
    for (const [index, row] of rows.entries()) {
      expect(found(row, rows[index - 1])).toEqual([])
      const [own = ""] = row.xml.split("<ds:Signature")
      const at = own.indexOf(">") + 1 + random.whole(0, own.length - own.indexOf(">") - 2)
      const other = own[at] === "7" ? "8" : "7"
      const changed = { ...row, xml: row.xml.slice(0, at) + other + row.xml.slice(at + 1) }
      expect([at, found(changed, rows[index - 1])]).not.toEqual([at, []])
    }
    requireSigned(
      rows.slice(0, 20).map(({ xml }) => xml),
      required().settings.authority
    )
    const records = rows.map(({ xml }) => xml)
    const path = join(app.dataDir, "records.xml")
    writeFileSync(path, messageOf({ issuer: "B58378431", issuer_name: "Acme", isLate: false, last_day: null, records }))
    if (existsSync(join(xml_rules, "verifactu-xsd")))
      expect(await misshapen(xml_rules, "verifactu", [path])).toEqual([])
  })
})
