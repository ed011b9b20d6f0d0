import { Effect, BigDecimal, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { useEinvoicing } from "../documents/Submitting.ts"
import { all, read } from "../ubl/XmlReader.ts"
import * as fc from "fast-check"
import { CreditNotePdf } from "../../../src/billing/credit-notes/sending/CreditNotePdf.ts"
import { InvoicePdf } from "../../../src/billing/invoices/sending/InvoicePdf.ts"
import { Invoices } from "../../../src/billing/invoices/writing/Invoices.ts"
import type { PdfDocument } from "../../../src/billing/printing/DocumentPdf.ts"
import { CreditNoteId, InvoiceId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { asSystem } from "../../../src/organizations/AsSystem.ts"
import { Organizations } from "../../../src/organizations/Organizations.ts"

const { app, open } = useEinvoicing()

const attach = async (own: Awaited<ReturnType<typeof open>>, id: number, name: string, content: string) => {
  const form = new FormData()
  form.append("file", new Blob([content]), name)
  const headers = { authorization: `Bearer ${own.owner.token}`, "x-organization-id": String(own.id) }
  const url = `${app.url}/api/v1/invoices/${id}/attachments`
  const { data } = JSON.parse(await (await fetch(url, { method: "POST", headers, body: form })).text())
  return data.id
}

const content = "hours,rate\n3,95\n"
const base64 = Buffer.from(content).toString("base64")

it("puts the embedded attachments of an invoice into its UBL, its CII and its submission, and no others", async () => {
  const books = await open()
  await books.register()
  const { id } = await books.draft()
  const hours = await attach(books, id, "hours.csv", content)
  await attach(books, id, "other.csv", "not,embedded\n")
  await books.made("PUT", `/invoices/${id}`, { embedded_attachment_ids: [hours] })
  expect((await books.validate({ id })).body.data).toMatchObject({ valid: true })
  const { id: submission } = await books.submitted({ id })
  const stored = (sql: SqlClient.SqlClient) => sql<{ xml: string }>`select xml from einvoices where id = ${submission}`
  const [row] = await app.run(Effect.flatMap(SqlClient.SqlClient, stored).pipe(Effect.orDie))
  expect(row?.xml).toContain(base64)
  const { text: ubl } = await books.call("GET", `/invoices/${id}/ubl`)
  expect(all(read(ubl), "AdditionalDocumentReference/Attachment/EmbeddedDocumentBinaryObject")).toEqual([base64])
  const { text: cii } = await books.call("GET", `/invoices/${id}/cii`)
  expect(cii.split(base64)).toHaveLength(2)
  expect(cii).not.toContain(Buffer.from("not,embedded\n").toString("base64"))
})

it("refuses to embed more than 5 MiB together", async () => {
  const books = await open()
  const { id } = await books.draft()
  const ids = []
  for (const name of ["a.csv", "b.csv"]) ids.push(await attach(books, id, name, "1,2\n".repeat(700_000)))
  const refused = await books.call("PUT", `/invoices/${id}`, { embedded_attachment_ids: ids })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["embedded_attachment_ids"]])
  await books.made("PUT", `/invoices/${id}`, { embedded_attachment_ids: ids.slice(0, 1) })
})

const services = Layer.mergeAll(InvoicePdf.layer, CreditNotePdf.layer, Invoices.layer, Organizations.layer)
const whole_year = "start_date=2026-01-01&end_date=2999-12-31"
const documents_max = 24

/** Converts cents to a price; the yen has no cents. */
const priceIn = (currency: string) => (cents: number) => (currency === "JPY" ? cents : cents / 100)

const sale = fc.record({
  currency: fc.constantFrom("EUR", "USD", "GBP", "JPY"),
  exchange_rate: fc.constantFrom("0.91735", "1.13", null),
  lines: fc.array(fc.record({ cents: fc.integer({ min: 1, max: 99_999 }), rate: fc.nat(1) }), {
    minLength: 1,
    maxLength: 5
  }),
  discount: fc.constantFrom(null, 3, 12.5),
  charge: fc.constantFrom(null, 7, 19),
  paid: fc.boolean(),
  credited: fc.boolean()
})

type Sheet = Pick<PdfDocument, "totals">

/** Reads the printed tax: the sum of the tax rows, and the tax in the organization's currency. */
const printedTax = ({ totals }: Sheet) => {
  const amounts = (rows: Sheet["totals"]) =>
    BigDecimal.sumAll(rows.map(({ value }) => BigDecimal.fromStringUnsafe(value.replaceAll(/[^\d.-]/g, ""))))
  return {
    own: amounts(totals.filter(({ label }) => label.includes("% on "))),
    converted: totals.filter(({ label }) => label === "Tax in EUR").map((row) => amounts([row]))[0]
  }
}

it("is the same VAT in the report, in all e-invoices and on all pages, in four currencies", async () => {
  const books = await open({ rates: [21, 6] })
  const [high = 0, low = 0] = books.tax_rate_ids
  const printed = (of: { readonly kind: "invoice" | "credit_note"; readonly id: number }): Promise<Sheet> =>
    app.run(
      Effect.gen(function* () {
        const organization = yield* (yield* Organizations).get(OrganizationId.make(books.id))
        const invoicePdf = yield* InvoicePdf
        const creditNotePdf = yield* CreditNotePdf
        const invoices = yield* Invoices
        const asOwner = asSystem(organization)
        return of.kind === "invoice"
          ? yield* asOwner(Effect.flatMap(invoices.get(InvoiceId.make(of.id)), invoicePdf.sheet))
          : yield* asOwner(creditNotePdf.sheet(CreditNoteId.make(of.id)))
      }).pipe(Effect.provide(services))
    )
  const declared = new Map<string, BigDecimal.BigDecimal>()
  const used = new Set<string>()

  /** Adds the amounts in the XML of a document to the expected amounts of the report. */
  const declare = async (kind: "invoice" | "credit_note", id: number) => {
    const path = kind === "invoice" ? "invoices" : "credit-notes"
    const { status, text } = await books.call("GET", `/${path}/${id}/ubl`)
    expect([status, text.slice(0, 5)]).toEqual([200, "<?xml"])
    const xml = read(text)
    const [stated = "", converted] = all(xml, "TaxTotal/TaxAmount")
    const [tax, own] = [BigDecimal.fromStringUnsafe(stated), converted]
    const page = printedTax(await printed({ kind, id }))
    expect(BigDecimal.format(page.own)).toBe(BigDecimal.format(tax))
    expect(page.converted === undefined ? undefined : BigDecimal.format(page.converted)).toBe(
      own === undefined ? undefined : BigDecimal.format(BigDecimal.fromStringUnsafe(own))
    )
    const currency = own === undefined ? (all(xml, "DocumentCurrencyCode")[0] ?? "") : "EUR"
    const amount = own === undefined ? tax : BigDecimal.fromStringUnsafe(own)
    const signed = kind === "invoice" ? amount : BigDecimal.negate(amount)
    declared.set(currency, BigDecimal.sum(declared.get(currency) ?? BigDecimal.fromBigInt(0n), signed))
  }

  for (const { charge, credited, currency, discount, exchange_rate, lines, paid } of fc.sample(sale, {
    numRuns: documents_max,
    seed: 15
  })) {
    used.add(currency)
    const price = priceIn(currency)
    const [first = { rate: 0 }] = lines
    const taxes = { tax_rate_ids: [first.rate === 0 ? high : low] }
    const invoice = await books.issued({
      currency,
      exchange_rate: currency === "EUR" ? null : exchange_rate,
      items: lines.map(({ cents, rate }) => ({
        description: "Work",
        unit_price: price(cents),
        tax_rate_ids: [rate === 0 ? high : low]
      })),
      discounts: discount === null ? [] : [{ description: "Loyalty", percentage: discount, ...taxes }],
      charges: charge === null ? [] : [{ description: "Freight", amount: charge, ...taxes }]
    })
    // A third of the total, rounded up to the smallest unit of the currency.
    const smallest = currency === "JPY" ? 1 : 100
    const part = Math.ceil((invoice.total * smallest) / 3) / smallest
    if (paid) await books.pay(invoice, part)
    if (credited) {
      const draft = { invoice_id: invoice.id, amount: part, reason: "Returned" }
      const { id } = await books.made("POST", "/credit-notes", draft)
      await books.made("POST", `/credit-notes/${id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
      await declare("credit_note", id)
    }
    await declare("invoice", invoice.id)
  }

  const { rows } = await books.made("GET", `/reports/vat?${whole_year}`)
  const reported = rows.map(({ currency, output }: { readonly currency: string; readonly output: string }) => [
    currency,
    BigDecimal.format(BigDecimal.fromStringUnsafe(output))
  ])
  const expected = [...declared].map(([currency, tax]) => [currency, BigDecimal.format(tax)])
  expect(Object.fromEntries(reported)).toEqual(Object.fromEntries(expected))
  expect([...used].toSorted()).toEqual(["EUR", "GBP", "JPY", "USD"])
})
