import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { response_type } from "./AccessPoint.ts"
import { useAccessPoint } from "./PointSeller.ts"

const { app, collect, point, seller } = useAccessPoint()

const level_type = response_type.replace("invoice_response", "mlr")
const recipient = { senderId: "0088:9520000000011", type: "unknown" }

/** A text that PostgreSQL cannot compress, so that an index has to hold it in full. */
const long = (characters: number) => randomBytes(characters / 2).toString("hex")

const answer = (number: string, code: string, reason = "") =>
  `<ApplicationResponse><DocumentResponse><Response><ResponseCode>${code}</ResponseCode>
    <Status><StatusReason>${reason}</StatusReason></Status></Response>
    <DocumentReference><ID>${number}</ID></DocumentReference></DocumentResponse></ApplicationResponse>`

const told = (xml: string, docTypeId = response_type) => point().receive(xml, { ...recipient, docTypeId })

describe("an answer over Peppol", () => {
  it("is marked as read, but not stored, if no document can have the number in it", async () => {
    const { id } = await seller()
    const messages = [told(answer(long(6_000), "AP")), told(answer(long(6_000), "AP"), level_type)]
    await collect()
    expect(messages.map(({ readAt }) => readAt === null)).toEqual([false, false])
    const waiting = `select transmission_id from unread_arrivals where organization_id = ${id}`
    expect(await app.inDatabase(waiting)).toEqual([])
  })

  it("states the beginning of a long code and of a long reason", async () => {
    const { id } = await seller()
    told(answer("F-1", "A".repeat(50), "R".repeat(2_000)))
    await collect()
    expect(await app.inDatabase(`select code, reason from invoice_responses where organization_id = ${id}`)).toEqual([
      { code: "A".repeat(40), reason: "R".repeat(1_000) }
    ])
  })

  it("is ignored, but marked as read, if it is larger than 256 KiB", async () => {
    const { id } = await seller()
    const padding = `<!--${" ".repeat(256 * 1024)}-->`
    const messages = [told(answer("F-1", "AP") + padding), told(answer("E-1", "AP") + padding, level_type)]
    await collect()
    expect(messages.map(({ readAt }) => readAt === null)).toEqual([false, false])
    for (const table of ["invoice_responses", "level_responses"])
      expect(await app.inDatabase(`select from ${table} where organization_id = ${id}`)).toEqual([])
  })
})

describe("an answer to a supplier", () => {
  const supplier = { senderId: "0208:0123456749" }
  const tags = ["ID", "IssueDate", "DocumentTypeCode"]

  /** Answers the only document that arrived, and returns what the answer repeats of it. */
  const refused = async (books: Awaited<ReturnType<typeof seller>>) => {
    const [{ id }] = (await books.call("GET", "/einvoicing/received")).body.data
    const { status } = await books.call("POST", `/einvoicing/received/${id}/refuse`, { reason: "Unknown" })
    const xml = books.arrived()[0]?.xml ?? ""
    const reference = /<cac:DocumentReference>.*<\/cac:DocumentReference>/s.exec(xml)?.[0] ?? ""
    const named = tags.map((tag) => new RegExp(`<cbc:${tag}>([^<]*)`).exec(reference)?.[1])
    return { status, named, seller: /<cbc:RegistrationName>([^<]*)<[^>]*><[^>]*><\/cac:ReceiverParty/.exec(xml)?.[1] }
  }
  const answered = { status: 200, named: ["000123", "2026-02-27", "384"], seller: "Café Zürich SA" }

  it("repeats what was read of the document at its arrival", async () => {
    const books = await seller()
    const arrived = point().receive(ublInvoice().replace(">380<", ">384<"), supplier)
    await collect()
    Object.assign(arrived, { xml: "<changed/>" })
    expect(await refused(books)).toEqual(answered)
  })

  it("names a document without an amount, which cannot become an expense", async () => {
    const books = await seller()
    point().receive(
      ublInvoice()
        .replace(">380<", ">384<")
        .replace(/<cac:LegalMonetaryTotal>.*Total>/s, ""),
      supplier
    )
    await collect()
    expect((await books.call("GET", "/einvoicing/received")).body.data).toMatchObject([{ number: null }])
    expect(await refused(books)).toEqual(answered)
  })

  it("names a document that an earlier version received", async () => {
    const books = await seller()
    point().receive(ublInvoice(), supplier)
    await collect()
    await app.inDatabase(`update received_documents set document_reference = null where organization_id = ${books.id}`)
    const named = ["000123", "2026-02-27", "380"]
    expect(await refused(books)).toEqual({ status: 200, named, seller: "Café Zürich &amp; Söhne" })
  })
})
