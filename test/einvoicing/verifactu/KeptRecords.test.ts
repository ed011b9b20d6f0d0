import { Effect, Layer, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { misshapen } from "../../../scripts/einvoicing/OfficialRules.ts"
import { randomRecorded } from "../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../scripts/Random.ts"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { RecordedDocuments } from "../../../src/einvoicing/documents/RecordedDocuments.ts"
import { Connections } from "../../../src/einvoicing/providers/Connections.ts"
import { messageOf } from "../../../src/einvoicing/verifactu/aeat/AeatEnvelope.ts"
import { sandbox_system } from "../../../src/einvoicing/verifactu/AeatSettings.ts"
import { registrationRecord } from "../../../src/einvoicing/verifactu/InvoiceRecord.ts"
import { anomaliesOf, linkOfRecord } from "../../../src/einvoicing/verifactu/kept/ChainCheck.ts"
import type { KeptRecord } from "../../../src/einvoicing/verifactu/kept/KeptRecordsRepo.ts"
import { signingWith } from "../../../src/einvoicing/verifactu/kept/RecordSigning.ts"
import { localTime } from "../../../src/einvoicing/verifactu/RecordChain.ts"
import { recordRules } from "../../../src/einvoicing/verifactu/RecordRules.ts"
import { Day, Timestamp, TimeZone } from "../../../src/kernel/Calendar.ts"
import { CustomerId, EinvoiceId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { administered, administrationOf } from "../../administration/Administration.ts"
import { pdfText } from "../../support/PdfText.ts"
import { here, startService } from "../../support/Service.ts"
import { unzipped } from "../../support/ZipReader.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { recordsIn, requireChain } from "./RecordVerifier.ts"
import { requireEvents, requireSigned } from "./SignatureJudge.ts"
import { useTaxAgency } from "./SpanishSellers.ts"

const { app, required, seller } = useTaxAgency(useEinvoicing({ production: true, ...administered }))
const ask = administrationOf(app)
let authority = ""

beforeAll(() => {
  authority = required().settings.authority
})

const xml_rules = process.env["EINVOICING_RULES"] ?? ""

const text = (xml: string, name: string) => new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`).exec(xml)?.[1] ?? ""
const sha256 = (content: string) => createHash("sha256").update(content).digest("hex").toUpperCase()

/** Throws when an event does not state the hash that its own facts and the event before give. */
const requireEventChain = (events: ReadonlyArray<string>) => {
  let previous = ""
  for (const xml of events) {
    const [system = "", rest = ""] = xml.split("</sf:SistemaInformatico>")
    const chained =
      /<sf:EventoAnterior>[^]*<sf:HuellaEvento>(\w+)</.exec(rest.split("<sf:TipoHuella>")[0] ?? "")?.[1] ?? ""
    const fields = [
      `NIF=${text(system, "NIF")}`,
      "ID=",
      `IdSistemaInformatico=${text(system, "IdSistemaInformatico")}`,
      `Version=${text(system, "Version")}`,
      `NumeroInstalacion=${text(system, "NumeroInstalacion")}`,
      `NIF=${text(rest, "NIF")}`,
      `TipoEvento=${text(rest, "TipoEvento")}`,
      `HuellaEvento=${chained}`,
      `FechaHoraHusoGenEvento=${text(rest, "FechaHoraHusoGenEvento")}`
    ]
    expect(chained).toBe(previous)
    previous = text(rest.split("<sf:TipoHuella>")[1] ?? "", "HuellaEvento")
    expect(previous).toBe(sha256(fields.join("&")))
  }
}

/** An organization that keeps its records here, and what stands in its chains. */
const keeper = async () => {
  const books = await seller()
  await app.run(books.connectingTo("aeat_local"))
  const organization_id = OrganizationId.make(books.id)
  const of = `where organization_id = ${books.id}`
  const rowsOf = <Row extends object>(table: string) =>
    app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(`select * from ${table} ${of} order by position`))
    )
  const records = () => rowsOf<{ position: number; number: string; state: string; xml: string }>("verifactu_records")
  const events = () => rowsOf<{ position: number; type: string; xml: string }>("verifactu_events")
  const typesOf = async () => (await events()).map(({ type }) => type)
  /** Changes a row as somebody with access to the database can. */
  const damage = async (change: string, position: number) => {
    await app.inDatabase("alter table verifactu_events disable trigger all")
    await app.inDatabase(`${change} ${of} and position = ${position}`)
    await app.inDatabase("alter table verifactu_events enable trigger all")
  }
  const check = () => ask((client) => client.CheckRecords({ organization_id }))
  const exported = (from: string, until: string) =>
    ask((client) =>
      Stream.runCollect(client.ExportRecords({ organization_id, from: Day.make(from), until: Day.make(until) }))
    ).then((parts) => unzipped(new Uint8Array(Buffer.concat([...parts]))))
  const kept = () =>
    Connections.use(({ find }) => find({ organization_id, provider: "es_verifactu" })).pipe(
      Effect.map((found) => (found._tag === "Some" ? found.value.books : undefined)),
      Effect.provide(ConnectedProviders)
    )
  const summarize = (when: "due" | "stopping") =>
    app.run(Effect.flatMap(kept(), (books) => books?.summarize?.(when) ?? Effect.die("no keeper")))
  const recorded = async () => {
    const invoice = await books.issued()
    await books.record("invoice", invoice.id)
    return invoice
  }
  return { ...books, organization_id, records, events, typesOf, damage, check, exported, summarize, recorded }
}

describe("a process that is killed between signing and storing", () => {
  it("leaves neither a gap nor a double in the chain", async () => {
    const books = await keeper()
    await books.recorded()
    const invoice = await books.issued()
    const inserting = `select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%insert into verifactu_records%' and pid <> pg_backend_pid()`
    const service = await startService(await app.run(here), { ROLE: "worker", DATA_DIR: app.dataDir })
    await app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`lock table verifactu_records in share mode`
            // A transaction sees one state of the activity until it asks for another.
            yield* Effect.repeat(Effect.andThen(sql`select pg_stat_clear_snapshot()`, sql.unsafe(inserting)), {
              until: (rows) => rows.length > 0,
              schedule: Schedule.spaced("20 millis")
            })
            service.kill("SIGKILL")
            expect(yield* Effect.promise(() => service.ended)).toBe("SIGKILL")
          })
        )
      )
    )
    await books.record("invoice", invoice.id)
    await books.record("invoice", invoice.id)
    const records = await books.records()
    expect(records.map(({ number, position }) => [position, number]).at(-1)).toEqual([2, invoice.number])
    requireChain(recordsIn(records.map(({ xml }) => xml).join("")))
    expect((await books.check()).anomalies).toEqual([])
  }, 200_000)
})

describe("an organization that keeps its records here", () => {
  it("signs each record with its certificate, as an independent program finds", async () => {
    const books = await keeper()
    const { id, status, transmit, xml_sha256 } = await books.sent()
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "submitted", network_status: "Conservado" })
    await books.recorded()
    const records = await books.records()
    expect(records.map(({ state }) => state)).toEqual(["kept", "kept"])
    const signed = records.map(({ xml }) => xml)
    expect(sha256(signed[0] ?? "").toLowerCase()).toBe(xml_sha256)
    requireSigned(signed, authority)
    requireChain(recordsIn(signed.join("")))
    expect(() => requireSigned([(signed[0] ?? "").replace(">121.00<", ">12.00<")], authority)).toThrow(/verify|Verif/)
  })

  it("prints the QR code for documents that are not sent, without the sentence of VERI*FACTU", async () => {
    const books = await keeper()
    const { id } = await books.recorded()
    const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    const answer = await fetch(`${app.url}/api/v1/invoices/${id}/pdf`, { headers })
    const printed = await Effect.runPromise(pdfText(new Uint8Array(await answer.arrayBuffer())))
    expect(printed).toContain("QR tributario:")
    expect(printed).not.toMatch(/verificable|VERI\*FACTU/)
  })

  it("is not connected with a certificate that it cannot sign with", async () => {
    const books = await seller()
    const refused = await app.run(Effect.flip(books.connectingTo("aeat_local", { certificate_password: "wrong" })))
    expect(refused.message).toContain("password")
  })

  it("takes a record back by another signed one", async () => {
    const books = await keeper()
    const { id } = await books.sent()
    await books.transmit(id)
    const key = { organization_id: books.organization_id, id: EinvoiceId.make(id) }
    const cancelling = RecordedDocuments.use(({ cancel }) => cancel(key)).pipe(
      Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders)))
    )
    await app.run(cancelling)
    await app.run(cancelling)
    const signed = (await books.records()).map(({ xml }) => xml)
    expect(recordsIn(signed.join("")).map(({ kind }) => kind)).toEqual(["Alta", "Anulacion"])
    requireSigned(signed, authority)
    expect(signed.join("")).not.toContain("SinRegistroPrevio")
  })
})

describe("the log of events", () => {
  it("begins with the connection, and sums up what happened when that is due", async () => {
    const books = await keeper()
    await books.recorded()
    await books.recorded()
    await books.summarize("due")
    expect(await books.typesOf()).toEqual(["01"])
    await books.damage("update verifactu_events set generated_at = generated_at - interval '5 hours'", 1)
    await books.summarize("due")
    await books.summarize("due")
    await books.summarize("stopping")
    const events = await books.events()
    expect(events.map(({ type }) => type)).toEqual(["01", "10", "10"])
    const [, first = "", second = ""] = events.map(({ xml }) => xml)
    expect(first).toContain("<sf:TipoEvento>01</sf:TipoEvento><sf:NumeroDeEventos>1</sf:NumeroDeEventos>")
    expect([text(first, "NumeroDeRegistrosFacturacionAltaGenerados"), text(first, "SumaImporteTotalAlta")]).toEqual([
      "2",
      "242.00"
    ])
    expect(text(second, "NumeroDeRegistrosFacturacionAltaGenerados")).toBe("0")
    expect(second).not.toContain("RegistroFacturacionInicialPeriodo")
    const xmls = events.map(({ xml }) => xml)
    requireEventChain(xmls)
    requireEvents(xmls)
    requireSigned(xmls, authority)
  })

  it("names a restore of the installation from a backup, once", async () => {
    const books = await keeper()
    await app.inDatabase("insert into restored_copies (resumed_at) values (now())")
    await books.summarize("due")
    await books.summarize("due")
    await app.inDatabase("delete from restored_copies")
    expect(await books.typesOf()).toEqual(["01", "07"])
    requireEvents((await books.events()).map(({ xml }) => xml))
  })

  it("cannot be changed by a statement", async () => {
    const books = await keeper()
    await expect(app.inDatabase("update verifactu_events set hash = 'x'")).rejects.toThrow()
    await expect(app.inDatabase("delete from verifactu_events")).rejects.toThrow()
    expect(await books.typesOf()).toEqual(["01"])
  })

  it("is listed for the operator, the latest first", async () => {
    const { organization_id, check } = await keeper()
    await check()
    const listed = await ask((client) => client.ListRecordEvents({ organization_id, per_page: 2 }))
    expect(listed.map(({ name, position }) => [position, name])).toEqual([
      [3, "check of events"],
      [2, "check of invoice records"]
    ])
  })
})

describe("a change between keeping and sending", () => {
  it("is an event, continues the chain, and binds the organization until the end of the year", async () => {
    const books = await keeper()
    const kept = await books.sent()
    await books.transmit(kept.id)
    await app.run(books.connecting())
    expect(await books.typesOf()).toEqual(["01", "02", "10"])
    const { transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    const records = recordsIn((await books.records()).map(({ xml }) => xml).join(""))
    requireChain(records)
    expect(books.arrived().map(({ previous }) => previous?.hash)).toEqual([records[0]?.hash])

    const refused = await app.run(Effect.flip(books.connectingTo("aeat_local")))
    expect(refused.message).toContain("31 December")
    expect(await books.typesOf()).toHaveLength(3)
    await app.inDatabase(`update verifactu_records set generated_at = generated_at - interval '1 year'
      where organization_id = ${books.id}`)
    await app.run(books.connectingTo("aeat_local"))
    expect(await books.typesOf()).toEqual(["01", "02", "10", "01"])
    await app.run(books.connectingTo("aeat_local"))
    expect(await books.typesOf()).toHaveLength(4)
    requireEventChain((await books.events()).map(({ xml }) => xml))
  })

  it("lets a kept record be taken back at the agency, which does not know it", async () => {
    const books = await keeper()
    const { id } = await books.sent()
    await books.transmit(id)
    await app.run(books.connecting())
    const key = { organization_id: books.organization_id, id: EinvoiceId.make(id) }
    await app.run(
      RecordedDocuments.use(({ cancel }) => cancel(key)).pipe(
        Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders)))
      )
    )
    expect(required().messages.at(-1)).toContain("<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>")
    expect(books.arrived().map(({ kind }) => kind)).toEqual(["Anulacion"])
  })

  it("is told to the agency in the messages of the last year", async () => {
    const books = await seller()
    const year = new Date().getFullYear()
    await app.run(books.connecting({ last_day: `${year}-12-31` }))
    const { transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    expect(required().messages.at(-1)).toContain(`<sf:FechaFinVeriFactu>31-12-${year}</sf:FechaFinVeriFactu>`)
  })
})

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
    const today = new Date().toISOString().slice(0, 10)
    const files = await books.exported("2026-01-01", today)
    expect([...files.keys()]).toEqual([
      "registros-facturacion/000000001-RegistroAlta.xml",
      "registros-facturacion/000000002-RegistroAlta.xml",
      "registros-evento/000000001-01.xml"
    ])
    const texts = [...files.values()].map((bytes) => bytes.toString("utf8"))
    requireSigned(texts, authority)
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
    const files = await books.exported("2026-01-01", new Date().toISOString().slice(0, 10))
    expect(files.size).toBe(4)
    expect(await books.typesOf()).toEqual(["01", "02", "10"])
  })
})

describe("200 random documents", () => {
  it("give signed records of the official schema, and no change of one stays unseen", async () => {
    const { certificate, certificate_password } = required().settings
    const sign = signingWith(Buffer.from(certificate, "base64"), certificate_password)
    const random = new Random(17)
    const customer_id = CustomerId.make(1)
    const now_ms = Date.now()
    const rows: Array<KeptRecord> = []
    let previous: Parameters<typeof registrationRecord>[1]["link"]["previous"] = null
    for (let tried = 0; rows.length < 200; tried++) {
      const invoice = randomRecorded(random, tried)
      if (recordRules(invoice, customer_id).some(({ severity }) => severity === "error")) continue
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
      authority
    )
    const records = rows.map(({ xml }) => xml)
    const path = join(app.dataDir, "records.xml")
    writeFileSync(path, messageOf({ issuer: "B58378431", issuer_name: "Acme", isLate: false, last_day: null, records }))
    if (existsSync(join(xml_rules, "verifactu-xsd")))
      expect(await misshapen(xml_rules, "verifactu", [path])).toEqual([])
  })
})
