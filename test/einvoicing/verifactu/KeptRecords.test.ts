import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { RecordedDocuments } from "../../../src/einvoicing/recording/RecordedDocuments.ts"
import { EinvoiceId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { here, startService } from "../../support/service/Service.ts"
import { requireEventChain, sha256, text, useKeepers } from "./RecordKeepers.ts"
import { recordsIn, requireChain } from "./RecordVerifier.ts"
import { requireEvents, requireSigned } from "./SignatureJudge.ts"

const { app, ask, keeper, required, seller } = useKeepers()

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
            // Within a transaction, `pg_stat_activity` always returns the same rows until the snapshot is cleared.
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
    requireSigned(signed, required().settings.authority)
    requireChain(recordsIn(signed.join("")))
    expect(() =>
      requireSigned([(signed[0] ?? "").replace(">121.00<", ">12.00<")], required().settings.authority)
    ).toThrow(/verify|Verif/)
  })

  it("prints the QR code without the sentence of VERI*FACTU for unsent documents, even if it sends later ones", async () => {
    const books = await keeper()
    const { id } = await books.recorded()
    const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    const pdf = async () => {
      const answer = await fetch(`${app.url}/api/v1/invoices/${id}/pdf`, { headers })
      return new Uint8Array(await answer.arrayBuffer())
    }
    const bytes = await pdf()
    const printed = await Effect.runPromise(pdfText(bytes))
    expect(printed).toContain("QR tributario:")
    expect(printed).not.toMatch(/verificable|VERI\*FACTU/)
    await app.run(books.connecting())
    expect(await pdf()).toEqual(bytes)
  })

  it("is not connected with a certificate that it cannot sign with", async () => {
    const books = await seller()
    const refused = await app.run(Effect.flip(books.connectingTo("aeat_local", { certificate_password: "wrong" })))
    expect(refused.message).toContain("password")
  })

  it("cancels a record by another signed one", async () => {
    const books = await keeper()
    const { id } = await books.sent()
    await books.transmit(id)
    await books.follow(id)
    const key = { organization_id: books.organization_id, id: EinvoiceId.make(id) }
    await ask((client) => client.CancelRecord({ organization_id: key.organization_id, einvoice_id: key.id }))
    const cancelling = RecordedDocuments.use(({ cancel }) => cancel(key)).pipe(
      Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders)))
    )
    await app.run(cancelling)
    await app.run(cancelling)
    const signed = (await books.records()).map(({ xml }) => xml)
    expect(recordsIn(signed.join("")).map(({ kind }) => kind)).toEqual(["Alta", "Anulacion"])
    requireSigned(signed, required().settings.authority)
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
    requireSigned(xmls, required().settings.authority)
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

  it("cancels a kept record at the agency, which does not know it", async () => {
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

  it("is announced to the agency in the messages of the last year", async () => {
    const books = await seller()
    const year = new Date().getFullYear()
    await app.run(books.connecting({ last_day: `${year}-12-31` }))
    const { transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    expect(required().messages.at(-1)).toContain(`<sf:FechaFinVeriFactu>31-12-${year}</sf:FechaFinVeriFactu>`)
  })
})

const refusedCheck = (organization_id: number) =>
  ask((client) => Effect.flip(client.CheckRecords({ organization_id: OrganizationId.make(organization_id) })))

describe("the commands about records", () => {
  it("tell an organization without a connection from one that does not exist", async () => {
    const { id } = await app.organization({ country: "ES" })
    expect((await refusedCheck(id)).message).toContain("is not connected to a provider for VERI*FACTU.")
    expect((await refusedCheck(999_999)).message).toBe("Not found.")
  })
})
