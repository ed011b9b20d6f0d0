import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { expect } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/connections/Connections.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { administered, administrationOf } from "../../administration/Administration.ts"
import { unzipped } from "../../support/files/ZipReader.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { useTaxAgency } from "./SpanishSellers.ts"

export const text = (xml: string, name: string) => new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`).exec(xml)?.[1] ?? ""
export const sha256 = (content: string) => createHash("sha256").update(content).digest("hex").toUpperCase()

/** Throws unless the hash of each event covers its content and the hash of the previous event. */
export const requireEventChain = (events: ReadonlyArray<string>) => {
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

/** The service, the tax agency, and organizations that keep their records without sending them. */
export const useKeepers = () => {
  const { app, required, seller } = useTaxAgency(useEinvoicing({ production: true, ...administered }))
  const ask = administrationOf(app)

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

  return { app, required, seller, keeper, ask }
}
