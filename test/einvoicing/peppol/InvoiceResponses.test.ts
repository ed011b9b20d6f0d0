import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { PaymentNotices } from "../../../src/einvoicing/received/PaymentNotices.ts"
import { ReceivedRepo } from "../../../src/einvoicing/received/ReceivedRepo.ts"
import { OrganizationId, ReceivedId } from "../../../src/kernel/Ids.ts"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { brokenByResponse } from "../OfficialMessages.ts"
import { response_type } from "./AccessPoint.ts"
import { useAccessPoint } from "./PointSeller.ts"

const { app, collect, point, seller } = useAccessPoint()

const supplier = "0208:0123456749"
const valueOf = (xml: string, tag: string) => new RegExp(`<cbc:${tag}(?: [^>]*)?>([^<]*)`).exec(xml)?.[1]

/** An organization with one received invoice of a supplier. */
const buyer = async (invoice = ublInvoice()) => {
  const books = await seller()
  point().receive(invoice, { senderId: supplier })
  await collect()
  const [document] = (await books.call("GET", "/einvoicing/received")).body.data
  const answer = (verb: string, body?: object) =>
    books.call("POST", `/einvoicing/received/${document.id}/${verb}`, body)
  const archived = () =>
    app.inDatabase(`select t.type, t.code, o.sha256 from archive_transmissions t
      join archive_objects o on o.organization_id = t.organization_id and o.id = t.object_id
      where t.organization_id = ${books.id} and t.direction = 'outbound' order by t.position`)
  return { ...books, document, answer, archived }
}

/** An Invoice Response as other programs write it: with other XML prefixes and another order of namespaces. */
const response = (number: string, code: string, { at = "2026-03-02", reason = "", type_code = "380" } = {}) =>
  `<?xml version="1.0"?><ar:ApplicationResponse xmlns:ar="urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2"
    xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
    <b:CustomizationID>urn:fdc:peppol.eu:poacc:trns:invoice_response:3</b:CustomizationID>
    <b:ProfileID>urn:fdc:peppol.eu:poacc:bis:invoice_response:3</b:ProfileID>
    <b:ID>imr-1</b:ID><b:IssueDate>${at.slice(0, 10)}</b:IssueDate>
    ${at.length === 10 ? "" : `<b:IssueTime>${at.slice(11)}</b:IssueTime>`}
    <a:SenderParty><b:EndpointID schemeID="0088">9520000000011</b:EndpointID>
      <a:PartyLegalEntity><b:RegistrationName>Buyer</b:RegistrationName></a:PartyLegalEntity></a:SenderParty>
    <a:ReceiverParty><b:EndpointID schemeID="0208">0202239951</b:EndpointID>
      <a:PartyLegalEntity><b:RegistrationName>Seller</b:RegistrationName></a:PartyLegalEntity></a:ReceiverParty>
    <a:DocumentResponse><a:Response><b:ResponseCode>${code}</b:ResponseCode>${reason}</a:Response>
      <a:DocumentReference><b:ID>${number}</b:ID><b:DocumentTypeCode>${type_code}</b:DocumentTypeCode></a:DocumentReference>
    </a:DocumentResponse></ar:ApplicationResponse>`

/** A time some days before now, without a zone; its first ten characters are the day. */
const daysAgo = (days: number) =>
  DateTime.formatIso(DateTime.subtractDuration(DateTime.nowUnsafe(), Duration.days(days))).slice(0, 19)

const rejection = `<a:Status><b:StatusReasonCode listID="OPStatusReason">REF</b:StatusReasonCode><b:StatusReason>The order is missing.</b:StatusReason></a:Status>`

const tellPayments = PaymentNotices.use(({ send }) => send).pipe(
  Effect.provide(PaymentNotices.layer.pipe(Layer.provide(ConnectedProviders)))
)

const inRepo = <A>(run: Effect.Effect<A, never, ReceivedRepo>) => app.run(Effect.provide(run, ReceivedRepo.layer))

describe("an answer to a supplier", () => {
  it("leaves once as an Invoice Response that the official rules accept, and is archived", async () => {
    const { answer, archived, arrived, document } = await buyer()
    point().faults.push("reset_after")
    expect((await answer("accept")).status).toBe(503)
    expect((await answer("accept")).body.data.status).toBe("accepted")
    expect((await answer("accept")).status).toBe(200)
    expect((await answer("refuse", { reason: "Too late" })).body.code).toBe("already_answered")
    const [message, ...others] = arrived()
    expect([others, message]).toMatchObject([[], { receiverId: supplier, docTypeId: response_type }])
    const xml = message?.xml ?? ""
    expect(["ResponseCode", "DocumentTypeCode"].map((tag) => valueOf(xml, tag))).toEqual(["AP", "380"])
    expect(xml).toContain(`<cac:DocumentReference><cbc:ID>${document.number}</cbc:ID>`)
    expect(brokenByResponse(xml)).toEqual([])
    expect(await archived()).toEqual([{ type: "invoice_response", code: "AP", sha256: sha256(xml) }])
  })

  it.each([
    ["The goods never came.", "OTH", "The goods never came."],
    ["REF: The order is missing.", "REF", "The order is missing."]
  ])("refuses with a reason: %s", async (reason, code, text) => {
    const { answer, arrived } = await buyer()
    expect((await answer("refuse", { reason })).body.data).toMatchObject({ status: "refused", refusal_reason: reason })
    const xml = arrived()[0]?.xml ?? ""
    const tags = ["ResponseCode", "StatusReasonCode", "StatusReason"]
    expect(tags.map((tag) => valueOf(xml, tag))).toEqual(["RE", code, text])
    expect(brokenByResponse(xml)).toEqual([])
    const booked = await answer("create-expense", {})
    expect([booked.status, booked.body.code]).toEqual([422, "document_refused"])
  })

  it("names the day of an invoice whose date has a time zone", async () => {
    const { answer, arrived } = await buyer(ublInvoice().replace("2026-02-27", "2026-02-27-05:00"))
    expect((await answer("accept")).status).toBe(200)
    expect(arrived()[0]?.xml).toContain("<cbc:IssueDate>2026-02-27</cbc:IssueDate>")
  })

  it("keeps the claim of a later request when an earlier one ends", async () => {
    const { document, id } = await buyer()
    const key = { organization_id: OrganizationId.make(id), id: ReceivedId.make(document.id) }
    const claim = ReceivedRepo.use((repo) => repo.claim({ ...key, answer: "accepted", claim_seconds: 60 }))
    const { claimed_until } = Option.getOrThrow(await inRepo(claim))
    await app.inDatabase("update received_documents set claimed_until = now() - interval '1 second'")
    expect(Option.isSome(await inRepo(claim))).toBe(true)
    await inRepo(ReceivedRepo.use((repo) => repo.release({ ...key, claimed_until })))
    expect(Option.isNone(await inRepo(claim))).toBe(true)
  })

  it("is repeated with the same bytes after 10 minutes, when the access point does not have it", async () => {
    const { answer, arrived, archived, id } = await buyer()
    point().faults.push("reset_before")
    expect((await answer("accept")).status).toBe(503)
    expect((await answer("accept")).status).toBe(503)
    await app.inDatabase(`update provider_submissions set attempted_at = attempted_at - interval '11 minutes'
      where organization_id = ${id}`)
    expect((await answer("accept")).status).toBe(200)
    expect(await archived()).toMatchObject(arrived().map(({ xml }) => ({ sha256: sha256(xml) })))
  })

  it("is not contradicted while its outcome is unknown", async () => {
    const { answer, arrived } = await buyer()
    point().faults.push("reset_after")
    expect((await answer("accept")).status).toBe(503)
    const contrary = await answer("refuse", { reason: "Changed my mind" })
    expect([contrary.status, contrary.body.code]).toEqual([409, "answer_in_progress"])
    expect((await answer("accept")).body.data.status).toBe("accepted")
    expect(arrived().map(({ xml }) => valueOf(xml, "ResponseCode"))).toEqual(["AP"])
  })

  it.each(["unreachable", "busy"] as const)("may change after one that was never sent: %s", async (fault) => {
    const { answer, arrived } = await buyer()
    point().faults.push(fault)
    expect((await answer("accept")).status).toBe(503)
    await app.inDatabase("update provider_connections set paused_until = null")
    expect((await answer("refuse", { reason: "Changed my mind" })).body.data.status).toBe("refused")
    expect(arrived().map(({ xml }) => valueOf(xml, "ResponseCode"))).toEqual(["RE"])
  })

  it("is refused and not sent when the supplier takes no Invoice Responses", async () => {
    const { answer, arrived, call } = await buyer()
    point().silent.add(supplier)
    const refused = await answer("accept")
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      422,
      "answer_refused",
      "The supplier does not accept answers over Peppol (Invoice Response), so nothing was sent."
    ])
    const { data } = (await call("GET", "/einvoicing/received")).body
    expect([arrived(), data[0].status]).toEqual([[], "received"])
  })

  it("is one answer when accept and refuse are requested at the same time", async () => {
    const refusals = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const { answer, archived, arrived, call, document } = await buyer()
      const answers = await Promise.all([answer("accept"), answer("refuse", { reason: "No" }), answer("accept")])
      const late = answers.filter(({ status }) => status !== 200)
      expect(late.length).toBeLessThan(3)
      for (const { body } of late) refusals.add(body.code)
      const { status } = (await call("GET", `/einvoicing/received/${document.id}`)).body.data
      const code = status === "accepted" ? "AP" : "RE"
      expect(arrived().map(({ xml }) => valueOf(xml, "ResponseCode"))).toEqual([code])
      expect(await archived()).toMatchObject([{ code }])
    }
    // A request during the answer is refused with `answer_in_progress`, and a later one with `already_answered`.
    expect(["already_answered", "answer_in_progress"]).toEqual(expect.arrayContaining([...refusals]))
    expect(refusals).toContain("answer_in_progress")
  })

  it("reports once that the invoice is paid, even if two processes do so at the same time", async () => {
    const { answer, archived, arrived, call } = await buyer()
    const { id: expense_id } = (await answer("create-expense", {})).body.data
    await call("POST", `/expenses/${expense_id}/approve`)
    await call("POST", `/expenses/${expense_id}/mark-paid`, {})
    await Promise.all([app.run(tellPayments), app.run(tellPayments), app.run(tellPayments)])
    await app.run(tellPayments)
    expect(await archived()).toMatchObject([{ code: "PD" }])
    expect(arrived().map(({ xml }) => valueOf(xml, "ResponseCode"))).toEqual(["PD"])
    expect(brokenByResponse(arrived()[0]?.xml ?? "")).toEqual([])
  })

  it("reports payments although the settings of another connection can no longer be opened", async () => {
    const other = await app.organization()
    const { answer, arrived, call, id } = await buyer()
    const { id: expense_id } = (await answer("create-expense", {})).body.data
    await call("POST", `/expenses/${expense_id}/approve`)
    await call("POST", `/expenses/${expense_id}/mark-paid`, {})
    await app.inDatabase(`insert into provider_connections
      select (jsonb_populate_record(c, jsonb_build_object('organization_id', ${other.id}, 'account', 'other'))).*
      from provider_connections c where organization_id = ${id}`)
    await app.run(tellPayments)
    expect(arrived().map(({ xml }) => valueOf(xml, "ResponseCode"))).toEqual(["PD"])
  })
})

describe("an Invoice Response that arrives", () => {
  const recipient = { senderId: "0088:9520000000011", docTypeId: response_type, type: "unknown" }

  /** A document that the recipient's access point has received. */
  const delivered = async () => {
    const books = await seller()
    const document = await books.sent()
    await document.transmit()
    const told = async (xml: string, given: object = {}) => {
      const message = point().receive(xml, { ...recipient, ...given })
      await collect()
      await books.follow(document.id)
      return { message, ...(await document.status()) }
    }
    return { ...books, ...document, again: books.transmit, told }
  }

  it("is announced as a document that the organization takes", async () => {
    await seller()
    expect(point().documentTypes).toEqual([
      { docTypeId: response_type, processId: "urn:fdc:peppol.eu:poacc:bis:invoice_response:3" }
    ])
  })

  it("moves the document forward, never back, with the message as evidence, and is not listed as a received document", async () => {
    const { at, call, id, number, told } = await delivered()
    const codes = ["AB", "IP", "UQ", "AP", "UQ", "PD"]
    const statuses = ["delivered", "delivered", "delivered", "accepted", "accepted", "accepted"]
    for (const [step, code] of codes.entries()) {
      const { message, network_status, status } = await told(response(number, code))
      expect([status, network_status, message.readAt === null]).toEqual([statuses[step], code, false])
    }
    const { receipts } = (await at(id, "/evidence")).body.data
    const own = receipts.filter(({ type }: { type: string }) => type === "invoice_response")
    expect(own.map((one: { sha256: string }) => one.sha256)).toEqual(
      codes.map((code) => sha256(response(number, code)))
    )
    expect((await call("GET", "/einvoicing/received")).body.data).toEqual([])
  })

  it("rejects the document with the reason, and orders the poll itself", async () => {
    const { id, number, told } = await delivered()
    expect(await told(response(number, "RE", { reason: rejection }))).toMatchObject({
      status: "rejected",
      reason: "REF: The order is missing."
    })
    const orders = `select from jobs where queue_name = 'einvoices.extra-poll' and id like '%${id}:doc_%'`
    expect(await app.inDatabase(orders)).toHaveLength(1)
  })

  it("orders a poll and is shown although the last regular poll was made", async () => {
    const { at, followExtra, id, number } = await delivered()
    await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
    point().receive(response(number, "AP"), recipient)
    await collect()
    const orders = `select from jobs where queue_name = 'einvoices.extra-poll' and id like '%${id}:doc_%'`
    expect(await app.inDatabase(orders)).toHaveLength(1)
    await followExtra(id)
    expect((await at(id)).body.data).toMatchObject({ status: "accepted", network_status: "AP" })
  })

  it("does not reject the second submission if it was late, about the first one", async () => {
    const { again, at, follow, number, recipient, submitted, told } = await delivered()
    const first = await told(response(number, "RE", { reason: rejection, at: daysAgo(3).slice(0, 10) }))
    expect(first.status).toBe("rejected")
    const { id } = await submitted({ id: first.invoice_id }, recipient)
    await again(id)
    const after = async (message: string) => {
      await told(message)
      await follow(id)
      return (await at(id)).body.data
    }
    const sent = { status: "sent", network_status: "AS4" }
    expect(await after(response(number, "RE", { at: daysAgo(3).slice(0, 10) }))).toMatchObject(sent)
    expect(await after(response(number, "RE", { at: `${daysAgo(2)}+01:00` }))).toMatchObject(sent)
    expect(await after(response(number, "AP", { at: daysAgo(0).slice(0, 10) }))).toMatchObject({ status: "accepted" })
  })

  it("counts although the time that it states is none that can be stored", async () => {
    const { number, told } = await delivered()
    expect(await told(response(number, "AP", { at: "9999-12-31T23:59:59-12:00" }))).toMatchObject({
      status: "accepted"
    })
  })

  it("changes nothing when it is of a stranger, about another document or no answer at all", async () => {
    const { number, told } = await delivered()
    const unchanged = { status: "sent", network_status: "AS4" }
    expect(await told(response(number, "RE"), { senderId: "0088:9520000000028" })).toMatchObject(unchanged)
    expect(await told(response(`${number}0`, "RE"))).toMatchObject(unchanged)
    expect(await told(response(number, "RE", { type_code: "381" }))).toMatchObject(unchanged)
    const { message, ...status } = await told("<garbage/>")
    expect([status.status, message.readAt === null]).toEqual(["sent", false])
  })
})
