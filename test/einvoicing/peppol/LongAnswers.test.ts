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

  it("is marked as read, but not read, if it is larger than 256 KiB", async () => {
    const { id } = await seller()
    const padding = `<!--${" ".repeat(256 * 1024)}-->`
    const messages = [told(answer("F-1", "AP") + padding), told(answer("E-1", "AP") + padding, level_type)]
    await collect()
    expect(messages.map(({ readAt }) => readAt === null)).toEqual([false, false])
    for (const table of ["invoice_responses", "level_responses"])
      expect(await app.inDatabase(`select from ${table} where organization_id = ${id}`)).toEqual([])
  })

  it("leaves about a document of 2 MB, which names its parties and its type", async () => {
    const books = await seller()
    const line = "<cac:InvoiceLine><cac:Item><cbc:Name>Screw</cbc:Name></cac:Item></cac:InvoiceLine>"
    const invoice = ublInvoice().replace("</Invoice>", `${line.repeat(25_000)}</Invoice>`)
    point().receive(invoice.replace(">380<", ">384<"), { senderId: "0208:0123456749" })
    await collect()
    const [{ id }] = (await books.call("GET", "/einvoicing/received")).body.data
    expect((await books.call("POST", `/einvoicing/received/${id}/accept`)).body.data.status).toBe("accepted")
    const [message] = books.arrived()
    expect(message?.xml).toContain("<cbc:DocumentTypeCode>384<")
    expect(message?.xml).toContain("<cbc:RegistrationName>Café Zürich SA<")
  })
})
