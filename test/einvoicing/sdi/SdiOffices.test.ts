import { Effect } from "effect"
import { X509Certificate } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { makeSigner } from "../received/SignedFile.ts"
import { hasDovecot } from "./Dovecot.ts"
import { office, useSdi } from "./ItalianSellers.ts"

const { app, connected, network, seller } = useSdi()

const signer = makeSigner()
afterAll(signer.close)

/** An invoice to a public office, and the file that has to be signed. */
const awaiting = async (changes: Readonly<Record<string, string>> = {}) => {
  const books = await seller(changes)
  const { id, invoice_id } = await books.toOffice()
  expect(await books.transmit(id)).toBe("done")
  return { books, id, invoice_id, xml: await books.unsigned(id) }
}

const signatures = [
  ["CAdES", (xml: string) => signer.p7m(xml), ".xml.p7m"],
  ["CAdES in base64", (xml: string) => signer.p7m(xml).toString("base64"), ".xml.p7m"],
  ["XAdES", (xml: string) => signer.xades(xml), ".xml"]
] as const

describe.runIf(hasDovecot)("an invoice to a public office (FPA12)", () => {
  it("waits for the signature of the organization, and says so", async () => {
    const { books, id, invoice_id, xml } = await awaiting()
    expect(await books.state(id)).toMatchObject({ status: "pending", network_status: "AWAITING_SIGNATURE" })
    expect(xml).toContain("<FormatoTrasmissione>FPA12</FormatoTrasmissione>")
    expect(xml).toContain("<CodiceCIG>Z1234567AB</CodiceCIG>")
    expect([await books.transmit(id), books.issued()]).toEqual(["done", []])
    expect((await books.at(id, "/status")).body.data.history).toHaveLength(2)
    expect((await books.submit({ id: invoice_id }, office)).body.code).toBe("already_submitted")
  })

  it.each(signatures)(
    "is sent once it is uploaded with a signature in %s, and becomes evidence",
    async (_, sign, ending) => {
      const { books, id, xml } = await awaiting()
      const handed = await books.handIn(id, sign(xml))
      expect([handed.status, handed.body.data]).toMatchObject([200, { status: "pending", network_status: "SIGNED" }])
      const orders = await app.inDatabase(
        `select from jobs where queue_name = 'einvoices.transmission' and id = '${id}:signed'`
      )
      expect(orders).toHaveLength(1)
      expect(await books.transmit(id)).toBe("done")
      const [file = expect.fail()] = books.issued()
      expect(file.name).toMatch(new RegExp(`^IT${books.number}_[A-Z0-9]{5}${ending}$`))
      const { receipts, xml_sha256 } = (await books.at(id, "/evidence")).body.data
      expect(receipts.map(({ type }: { readonly type: string }) => type)).toEqual([
        "unsigned_document",
        "signed_document",
        "signer_certificate"
      ])
      expect([receipts[1].sha256, handed.body.data.xml_sha256]).toEqual([xml_sha256, xml_sha256])
      const pem = (await books.call("GET", `/archive/documents/${receipts[2].archive_object_id}/download`)).text
      expect(new X509Certificate(pem).subject).toBe("CN=Mario Rossi")
      books.answer("AT")
      expect(await books.news(id)).toMatchObject({ status: "sent", network_status: "AT" })
      books.answer("DT")
      books.answer("EC01")
      expect(await books.news(id)).toMatchObject({ status: "accepted", network_status: "EC01" })
      expect((await books.handIn(id, xml)).body.code).toBe("not_awaiting_signature")
    }
  )

  it.each([
    ["another content", (xml: string) => signer.p7m(xml.replace("Z1234567AB", "Z1234567AC")), "other_content"],
    ["another content inside", (xml: string) => signer.xades(xml.replace("Z1234567AB", "Z1234567AC")), "other_content"],
    ["an expired certificate", (xml: string) => signer.expired(xml), "expired_certificate"],
    ["no signature", (xml: string) => xml, "unsigned"],
    ["a signature beside the content", (xml: string) => signer.p7s(xml), "unsigned"],
    ["a PDF", () => "%PDF-1.7", "unsigned"],
    ["a broken signature", (xml: string) => changed(signer.p7m(xml), -20), "broken_signature"],
    ["a broken signature inside", (xml: string) => brokenXades(xml), "broken_signature"]
  ])("refuses a file with %s, and keeps waiting", async (_, sign, fault) => {
    const { books, id, xml } = await awaiting()
    const answer = await books.handIn(id, sign(xml))
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([422, "signature_refused", { fault }])
    expect(await books.state(id)).toMatchObject({ status: "pending", network_status: "AWAITING_SIGNATURE" })
  })

  it("accepts only signers with a certificate of a configured authority", async () => {
    const stranger = makeSigner()
    const { books, id, xml } = await awaiting({ trusted_certificates: signer.authority + network().authority })
    const refused = await books.handIn(id, stranger.p7m(xml))
    stranger.close()
    expect(refused.body.details).toEqual({ fault: "untrusted_certificate" })
    expect((await books.handIn(id, signer.p7m(xml))).status).toBe(200)
  })

  it("answers the same for a file that is uploaded again", async () => {
    const { books, id, xml } = await awaiting()
    const signed = signer.p7m(xml)
    const first = await books.handIn(id, signed)
    expect([first.status, await books.handIn(id, signed)]).toEqual([200, first])
  })

  it("accepts one of two files that are uploaded at the same time", async () => {
    const { books, id, xml } = await awaiting()
    const answers = await race(2, () => books.handIn(id, signer.p7m(xml)))
    expect(statuses(answers)).toEqual({ 200: 1, 422: 1 })
    await books.transmit(id)
    expect(books.issued()).toHaveLength(1)
  })

  it("fails if nobody signs it in time, and can be submitted again", async () => {
    const { books, id, invoice_id } = await awaiting()
    await books.follow(id)
    expect(await books.state(id)).toMatchObject({ status: "failed", reason: expect.stringContaining("signed") })
    expect((await books.submit({ id: invoice_id }, office)).status).toBe(201)
  })

  it("is signed by the service with the certificate of the connection", async () => {
    const books = await seller({ signing_certificate: signer.keyFile("pass"), signing_password: "pass" })
    const { id } = await books.toOffice()
    expect(await books.transmit(id)).toBe("done")
    const [file = expect.fail()] = books.issued()
    expect(file.name).toMatch(/\.xml\.p7m$/)
    expect(signer.verified(file.bytes)).toContain("<CodiceDestinatario>UF5UXC</CodiceDestinatario>")
    books.answer("EC02")
    expect(await books.news(id)).toMatchObject({ status: "rejected", network_status: "EC02" })
    expect((await books.at(id, "/evidence")).body.data.receipts).toMatchObject([
      { type: "signed_document" },
      { type: "signer_certificate" },
      { type: "pec_receipt" },
      { type: "pec_receipt" },
      { type: "sdi_receipt" }
    ])
    const wrong = await connected({ signing_certificate: signer.keyFile("pass"), signing_password: "other" })
    expect((await app.run(Effect.flip(wrong.connect))).message).toContain("does not open with this password")
  })

  it("charges no VAT under split payment, but states it in the file and on the PDF", async () => {
    const books = await seller()
    const item = { description: "Consulenza", quantity: 1, unit_price: 100, tax_exempt: true }
    const split = { ...item, tax_exemption_reason: "AE", exemption_code: "VATEX-IT-S-22" }
    const { id, invoice_id } = await books.toOffice({ items: [split] })
    await books.transmit(id)
    const xml = await books.unsigned(id)
    for (const text of ["Documento>122.00<", "<EsigibilitaIVA>S<", "<Imposta>22.00<", "<ImportoPagamento>100.00<"]) {
      expect(xml).toContain(text)
    }
    expect(await books.invoice(invoice_id)).toMatchObject({ tax_total: 0, total: 100, balance_due: 100 })
    const report = await books.made("GET", "/reports/vat?start_date=2026-01-01&end_date=2026-12-31")
    expect(report.totals).toMatchObject({ output: "0.00" })
    const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    const pdf = await fetch(`${app.url}/api/v1/invoices/${invoice_id}/pdf`, { headers })
    const text = await Effect.runPromise(pdfText(new Uint8Array(await pdf.arrayBuffer())))
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/scissione dei pagamenti.*IVA 22\s?%: .*22[.,]00.*committente/)
    expect((await books.call("GET", `/invoices/${invoice_id}/ubl`)).status).toBe(422)
    const note = await books.made("POST", "/credit-notes", { invoice_id, reason: "Storno", amount: 100 })
    const credited = await books.submit({ id: 0 }, { ...office, invoice_id: null, credit_note_id: note.id })
    expect(credited.status).toBe(201)
    await books.transmit(credited.body.data.id)
    expect(await books.unsigned(credited.body.data.id)).toContain("<Imposta>22.00<")
    expect(await books.invoice(invoice_id)).toMatchObject({ balance_due: 0 })
  })

  it("needs the code of the tender (CIG), or the reason why there is none", async () => {
    const books = await seller()
    const without = await books.validate(await books.draft(), office)
    expect(without.body.data.errors.map(({ rule }: { readonly rule: string }) => rule)).toEqual(["IT-CIG"])
    const excused = await books.validate(await books.draft({ notes: "Senza CIG: fornitura di energia" }), office)
    expect(excused.body.data).toMatchObject({ valid: true, warnings: [{ rule: "00102" }, { rule: "IT-SPLIT" }] })
  })
})

/** Changes the byte at this place, counted back from the end. */
const changed = (bytes: Uint8Array, place: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const index = copy.length + place
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}

const brokenXades = (xml: string) =>
  signer.xades(xml).replace(/(SignatureValue>\s*)(\w)/, (_, start, first) => start + (first === "A" ? "B" : "A"))
