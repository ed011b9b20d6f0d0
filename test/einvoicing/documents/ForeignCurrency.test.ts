import { expect, it } from "vitest"
import { spanish, useTaxAgency } from "../verifactu/SpanishSellers.ts"
import { useEinvoicing } from "./Submitting.ts"

const { open } = useEinvoicing()
const { required, seller: spanishSeller } = useTaxAgency()

const italian = {
  recipient_identifier_scheme: "IT:SDI",
  recipient_identifier_value: "M5UXCR1",
  recipient_country_code: "IT"
}

const seller = async () => {
  const books = await open({ country: "IT", rates: [22] })
  const place = { country: "IT", city: "Roma", address_line1: "Via Roma 1", postal_code: "00184" }
  await books.made("PUT", `/organizations/${books.id}`, { ...place, tax_number: "IT02345670018" })
  await books.made("PUT", `/customers/${books.customer_id}`, { ...place, tax_number: "IT12345670017" })
  await books.register({ country_code: "IT", identifier_scheme: "0211", identifier_value: "IT02345670018" })
  return books
}

it("an issued document without an exchange rate is submitted with the rate that the request names", async () => {
  const { call, carried, draft, invoice, issued, made, submit, submitted, validate } = await seller()
  const { id } = await issued({ currency: "USD" })
  const note = await made("POST", "/credit-notes", { invoice_id: id, amount: 61, reason: "Damaged" })
  const asNote = { ...italian, invoice_id: undefined, credit_note_id: note.id }
  const fix =
    "Submit the document with exchange_rate, or set it on the draft of the invoice. " +
    "The currency of the organization must be EUR."
  for (const given of [italian, asNote]) {
    const { body, status } = await submit({ id }, given)
    expect([status, body.code]).toEqual([422, "invalid_document"])
    expect((await validate({ id }, given)).body.data.errors).toMatchObject([{ rule: "IT-EUR", fix }])
    expect((await validate({ id }, { ...given, exchange_rate: 0.92 })).body.data.errors).toEqual([])
  }
  const rated = await draft({ currency: "USD", exchange_rate: 0.9 })
  const sent = [
    await submitted({ id }, { ...italian, exchange_rate: 0.92 }),
    await submitted({ id }, { ...asNote, exchange_rate: 0.92 }),
    await submitted(rated, { ...italian, exchange_rate: 0.5 })
  ]
  for (const { id } of sent) expect(await carried(id)).toMatchObject({ status: "accepted" })
  const archived: ReadonlyArray<{ id: string; sha256: string }> = (await call("GET", "/archive/documents")).body.data
  for (const [index, total] of ["112.24", "56.12", "109.80"].entries()) {
    const file = archived.find(({ sha256 }) => sha256 === sent[index].xml_sha256)
    const { text } = await call("GET", `/archive/documents/${file?.id}/download`)
    expect(text).toContain(`<ImportoTotaleDocumento>${total}</ImportoTotaleDocumento>`)
  }
  expect(await invoice(id)).toMatchObject({ currency: "USD", exchange_rate: null, total: 122 })
  const refused = await submit({ id }, { ...italian, exchange_rate: 0 })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["exchange_rate"]])
})

it("a Spanish invoice whose record failed without an exchange rate is recorded by a submission with one", async () => {
  const books = await spanishSeller()
  const { id } = await books.issued({ currency: "USD" })
  await books.record("invoice", id)
  const [failed] = (await books.call("GET", "/einvoicing/invoices")).body.data
  expect(failed).toMatchObject({ invoice_id: id, status: "failed" })
  const record = await books.submitted({ id }, { ...spanish, exchange_rate: 0.92 })
  expect(await books.transmit(record.id)).toBe("done")
  expect(required().messages.at(-1)).toContain("<sf:ImporteTotal>111.32</sf:ImporteTotal>")
})
