import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { race } from "../../../support/Billing.ts"
import { sha256 } from "../../../support/files/Digest.ts"
import { here, startService } from "../../../support/service/Service.ts"
import { lifecycle } from "../Lifecycle.ts"
import type { Fault } from "../Platform.ts"
import { siren, toBuyer } from "../Seller.ts"
import { settings, useDeclarants } from "./Declarant.ts"
import { brokenByReports } from "./OfficialReports.ts"

const { app, arrived, connected, declarant, point } = await useDeclarants()

const errors = (reasonCode: string) => [
  { level: "Error", item: "file", reasonCode, reasonMessage: "No such platform." }
]

describe("sales to consumers and abroad, and their payments", () => {
  it("are reported once after each period, and the archive records it", async () => {
    const books = await declarant()
    const invoice = await books.sold(books.consumer)
    await books.sold(books.abroad)
    await books.sold(books.consumer, { issue_date: "2025-03-25", operation_nature: "goods" })
    // This invoice is not reported, because the tax authority gets every invoice between French businesses.
    await books.sold(books.customer_id)
    await books.received(invoice.id, 60)
    expect(await books.run()).toBe("done")
    expect(await books.run()).toBe("done")
    const files = arrived()
    expect(files).toHaveLength(3)
    expect(brokenByReports(files)).toEqual([])
    const [first = "", second = "", payments = ""] = files
    expect(first).toContain(`<Issuer><Id schemeId="0002">${siren}</Id>`)
    expect(first).toContain("<StartDate>20250301</StartDate><EndDate>20250310</EndDate>")
    expect(first.match(/<Invoice>/g)).toHaveLength(1)
    expect(first).toContain("<CategoryCode>TPS1</CategoryCode><TaxExclusiveAmount>100.00</TaxExclusiveAmount>")
    expect(second).toContain("<StartDate>20250321</StartDate><EndDate>20250331</EndDate>")
    expect(second).toContain("<CategoryCode>TLB1</CategoryCode>")
    expect(payments).toContain("<StartDate>20250301</StartDate><EndDate>20250331</EndDate>")
    expect(payments).toContain("<Amount>60.00</Amount>")
    expect(point.sent("FRR")[0]).toMatchObject({ processingRule: "NotApplicable", flowProfile: "Undefined" })
    expect((await books.reports()).map(({ kind, status, type }) => [kind, status, type])).toEqual([
      ["transactions", "accepted", "IN"],
      ["payments", "accepted", "IN"],
      ["transactions", "accepted", "IN"]
    ])
    const rows = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ direction: string; type: string; code: string; document_id: number | null; sha256: string }>`
          select t.direction, t.type, t.code, t.document_id, o.sha256 from archive_transmissions t
          join archive_objects o on o.organization_id = t.organization_id and o.id = t.object_id
          where t.organization_id = ${books.id} order by t.position`
      )
    )
    const exchanges = [
      ["outbound", "e_reporting", "IN", null],
      ["inbound", "flow_acknowledgement", "Ok", null]
    ]
    expect(rows.map(({ code, direction, document_id, type }) => [direction, type, code, document_id])).toEqual([
      ...exchanges,
      ...exchanges,
      ...exchanges
    ])
    expect(rows[0]?.sha256).toBe(sha256(first))
  })

  it("are left to the platform where it has the document itself", async () => {
    const books = await declarant()
    const draft = await books.draft({
      customer_id: books.abroad,
      issue_date: "2025-03-05",
      operation_nature: "services"
    })
    const foreign = { recipient_identifier_scheme: "9930", recipient_identifier_value: "DE123456788" }
    const { id, number } = await books.submitted(draft, { ...toBuyer, ...foreign, recipient_country_code: "DE" })
    expect(await books.transmit(id)).toBe("done")
    expect(await books.run()).toBe("done")
    expect(arrived()).toEqual([])
    // The platform does not report a document that it has rejected.
    point.receive(lifecycle({ number, code: "213", reason: "DOUBLON" }), "CDAR", "CustomerInvoiceLC")
    await books.follow(id)
    expect((await books.at(id)).body.data.status).toBe("rejected")
    expect(await books.run()).toBe("done")
    expect(arrived()).toHaveLength(1)
    expect(arrived()[0]).toContain("<Invoice>")
  })

  it("are left to the platform when it gets the document after the report", async () => {
    const books = await declarant()
    const invoice = await books.sold(books.abroad)
    expect(await books.run()).toBe("done")
    expect(arrived()).toHaveLength(1)
    const foreign = { recipient_identifier_scheme: "9930", recipient_identifier_value: "DE123456788" }
    const { id } = await books.submitted(invoice, { ...toBuyer, ...foreign, recipient_country_code: "DE" })
    expect(await books.transmit(id)).toBe("done")
    await books.tomorrow()
    expect(await books.run()).toBe("done")
    expect(arrived()).toHaveLength(2)
    expect(arrived()[1]).not.toContain("<Invoice>")
  })

  it("are rectified by a whole new report when they change later", async () => {
    const books = await declarant()
    const invoice = await books.sold(books.consumer)
    const { id } = await books.received(invoice.id, 60)
    await books.run()
    await books.made("POST", `/payments/${id}/refund`, { amount: 20 })
    await books.run()
    expect(arrived()).toHaveLength(2)
    await books.tomorrow()
    await books.run()
    await books.run()
    const [, , corrected = ""] = arrived()
    expect(arrived()).toHaveLength(3)
    expect(corrected).toContain("<TypeCode>RE</TypeCode>")
    expect(corrected).toContain("<Amount>40.00</Amount>")
    await books.made("DELETE", `/payments/${(await books.received(invoice.id, 10)).id}`)
    await books.tomorrow()
    await books.run()
    expect(arrived()).toHaveLength(3)
    await books.made("PUT", `/payments/${id}`, { payment_date: "2025-04-02" })
    await books.run()
    const [empty = "", moved = ""] = arrived().slice(3)
    expect(brokenByReports([corrected, empty, moved])).toEqual([])
    expect([empty, moved].map((file) => /<TypeCode>(..)<.*<StartDate>(\d+)</.exec(file)?.slice(1))).toEqual([
      ["RE", "20250301"],
      ["IN", "20250401"]
    ])
    expect(empty).not.toContain("<Amount>")
  })

  it("name the documents that cannot be stated, and state them once they can", async () => {
    const books = await declarant()
    const id = (await books.made("POST", "/customers", { name: "Bar SL", country: "ES" })).id
    await books.made("PUT", `/customers/${id}`, {
      einvoicing_identifier_scheme: "9920",
      einvoicing_identifier_value: "ESB58378431"
    })
    const { number } = await books.sold(id)
    await books.run()
    expect(arrived()).toEqual([])
    const problems = async () => (await books.list()).reports.flatMap((each) => each.problems)
    expect(await problems()).toEqual([{ number, reason: "The business has no VAT identifier." }])
    await books.made("PUT", `/customers/${id}`, { tax_number: "ESB58378431" })
    await books.run()
    expect(arrived()[0]).toContain('<CompanyId schemeId="0223">ESB58378431</CompanyId>')
    expect(await problems()).toEqual([])
  })
})

describe("an organization without the settings of e-reporting", () => {
  it("reports nothing, and learns which settings are missing", async () => {
    const books = await declarant({ vat_regime: "simplified" })
    await books.sold(books.consumer)
    expect(await books.run()).toBe("done")
    expect(arrived()).toEqual([])
    expect(await books.list()).toEqual({ missing: ["platform_number", "reports_from"], reports: [] })
    const [provider] = (await books.call("GET", "/einvoicing/providers")).body.data
    expect(provider.connection.missing_settings).toEqual(["platform_number", "reports_from"])
  })

  it("is not connected with settings that cannot be right", async () => {
    const wrong = { vat_regime: "monthly", platform_number: "PA-01", reports_from: "2025-03-02" }
    const books = await connected({ ...wrong, vat_on_debits: "2025-03-02" })
    const { errors } = await app.run(Effect.flip(books.connect)).then((error) => ({ errors: JSON.stringify(error) }))
    for (const name of [...Object.keys(wrong), "vat_on_debits"]) expect(errors).toContain(name)
  })

  it("has no payments to report if its VAT is due on invoices", async () => {
    const books = await declarant({ ...settings, vat_on_debits: "yes" })
    const invoice = await books.sold(books.consumer)
    await books.received(invoice.id, 60)
    await books.run()
    const [file = "", ...others] = arrived()
    expect(others).toEqual([])
    expect(file).toContain("<TaxDueDateTypeCode>5</TaxDueDateTypeCode><CategoryCode>TPS1</CategoryCode>")
    expect(brokenByReports([file])).toEqual([])
  })
})

describe("a failure of the platform", () => {
  it("that refuses a report is seen, and the corrected one rectifies it", async () => {
    const books = await declarant({ ...settings, platform_number: "XXXX" })
    await books.sold(books.consumer)
    point.state.ack = { status: "Error", details: errors("InvalidSchema") }
    await books.run()
    await books.run()
    expect(arrived()).toHaveLength(1)
    const [refused] = await books.reports()
    expect(refused).toMatchObject({ status: "refused", type: "IN", reason: "InvalidSchema: No such platform." })
    point.state.ack = { status: "Ok" }
    await app.run(books.reconnect(settings))
    await books.run()
    const [again] = await books.reports()
    expect(again).toMatchObject({ status: "accepted", type: "RE", version: 2, reason: null })
    expect(arrived()[1]).toContain('<Id schemeId="0238">PA01</Id>')
  })

  it("that refuses a report immediately is noticed, too", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    point.faults.push("malformed")
    expect(await books.run()).toBe("done")
    expect(await books.reports()).toMatchObject([{ status: "refused", reason: "The file is no invoice." }])
  })

  it("that has not judged a report yet is asked again", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    point.state.ack = { status: "Pending" }
    await books.run()
    expect(await books.reports()).toMatchObject([{ status: "submitted" }])
    const [flow] = point.sent("FRR")
    if (flow !== undefined) point.acknowledge(flow, { status: "Ok" })
    await books.run()
    expect(await books.reports()).toMatchObject([{ status: "accepted", reference: flow?.flowId }])
    expect(arrived()).toHaveLength(1)
  })

  it("that requests a pause gets no requests", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    point.faults.push("busy")
    expect(await books.run()).toBe("NetworkUnavailable")
    const before = point.state.requests
    expect(await books.run()).toBe("NetworkUnavailable")
    expect(point.state.requests).toBe(before)
    await books.unpause()
    expect(await books.run()).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it.each<Fault>(["reset_after", "garbage_after", "error_after"])(
    "that hides its success is settled by asking, and no report is sent twice: %s",
    async (fault) => {
      const books = await declarant()
      await books.sold(books.consumer)
      point.faults.push(fault)
      expect(await books.run()).toBe("NetworkUnavailable")
      expect(await books.reports()).toMatchObject([{ status: "recorded" }])
      expect(await books.run()).toBe("done")
      expect(await books.reports()).toMatchObject([{ status: "accepted" }])
      expect(arrived()).toHaveLength(1)
    }
  )

  it("that may have received the report gets it again with the same bytes", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    point.faults.push("reset_before")
    expect(await books.run()).toBe("NetworkUnavailable")
    expect(await books.run()).toBe("NetworkUnavailable")
    await books.resume()
    expect(await books.run()).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it("that is forgotten, as after a restored backup, does no harm, because it refuses a file that it has", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    point.faults.push("reset_after")
    await books.run()
    await books.inDatabase("delete from provider_submissions where")
    expect(await books.run()).toBe("done")
    expect(point.sent("FRR").map(({ ack }) => ack.status)).toEqual(["Ok", "Error"])
    expect(await books.reports()).toMatchObject([{ status: "accepted" }])
  })

  it("is distinguished from a process that was killed between the answer and its own record", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    point.faults.push("stopped_after")
    const service = startService(await app.run(here), { ROLE: "worker", DATA_DIR: app.dataDir })
    point.state.stop = () => void service.then(({ kill }) => kill("SIGKILL"))
    expect(await (await service).ended).toBe("SIGKILL")
    expect(await books.reports()).toMatchObject([{ status: "recorded" }])
    await books.inDatabase("update french_reports set claimed_until = null where")
    expect(await books.run()).toBe("done")
    expect(await books.reports()).toMatchObject([{ status: "accepted" }])
    expect(arrived()).toHaveLength(1)
  }, 200_000)
})

describe("several processes", () => {
  it("send a report once", async () => {
    const books = await declarant()
    const invoice = await books.sold(books.consumer)
    await books.received(invoice.id, 60)
    expect(await race(5, books.run)).toEqual(Array.from({ length: 5 }, () => "done"))
    await books.run()
    expect(arrived()).toHaveLength(2)
    expect((await books.reports()).map(({ status }) => status)).toEqual(["accepted", "accepted"])
  })
})
