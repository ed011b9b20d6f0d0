import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { PrintedCustomer } from "../../../src/billing/correspondence/Correspondents.ts"
import {
  invoicePdf,
  type InvoicePdfDocument,
  invoiceTemplate
} from "../../../src/billing/printing/documents/InvoicePdfDocument.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { PdfTest, renderPdf } from "../../support/files/PdfTest.ts"
import { pdfPages, pdfText } from "../../support/files/PdfText.ts"
import { customer, day, decimal, invoice, item, organization } from "../../support/files/PrintedInvoices.ts"

const documentOf = (changes: Parameters<typeof invoice>[0], reader: Partial<PrintedCustomer> = {}) =>
  invoicePdf({ invoice: invoice(changes), customer: { ...customer, ...reader }, organization })
const rounded = (rounding: string) => documentOf({ rounding_adjustment: decimal(rounding) })
const render = (document: InvoicePdfDocument) => renderPdf(invoiceTemplate, document)
const valueOf = (rows: ReadonlyArray<{ readonly label: string; readonly value: string }>, label: string) =>
  rows.find((row) => row.label === label)?.value

const labelOf = ({ label }: { readonly label: string }) => label

const headOf = (language: string, country: string) => {
  const { due, facts, title } = documentOf({}, { language, country })
  return [title, facts[1]?.value, due.value.replaceAll(/\s/g, " ")]
}
const unitOf = (unit: string, language: string, quantity = "3") =>
  documentOf({ items: [item("x", { unit, quantity: decimal(quantity) })] }, { language }).items[0]?.unit
const periodOf = (start: string, end: string, language: string) => {
  const { facts } = documentOf({ delivery_period: { start: day(start), end: day(end) } }, { language })
  return facts.at(-1)?.value.replaceAll(/\s/g, " ")
}

const numbersOf = (language: string, country: string) => {
  const items = [item("x", { quantity: decimal("1234.5"), line_total: decimal("1234567.89") })]
  const document = documentOf(
    { total: decimal("1234567.89"), balance_due: decimal("1234567.89"), items },
    { language, country }
  )
  const [line] = document.items
  return [document.due.value, line?.net, line?.quantity].map((text) => text?.replaceAll(/[^\d.,’'\s]/g, "").trim())
}

describe("invoicePdf", () => {
  it("writes dates and amounts as the reader does", () => {
    assert.deepStrictEqual(headOf("en", "DE"), ["Invoice INV-2026-0042", "1 March 2026", "€1,282.56"])
    assert.deepStrictEqual(headOf("en", "US"), ["Invoice INV-2026-0042", "March 1, 2026", "€1,282.56"])
    assert.deepStrictEqual(headOf("fr", "FR"), ["Facture INV-2026-0042", "1er mars 2026", "1 282,56 €"])
    assert.deepStrictEqual(headOf("nl", "BE"), ["Factuur INV-2026-0042", "1 maart 2026", "€ 1.282,56"])
    assert.deepStrictEqual(headOf("de", "AT"), ["Rechnung INV-2026-0042", "1. März 2026", "€ 1.282,56"])
    assert.deepStrictEqual(headOf("es", "ES"), ["Factura INV-2026-0042", "1 de marzo de 2026", "1.282,56 €"])
    assert.deepStrictEqual(headOf("it", "IT"), ["Fattura INV-2026-0042", "1 marzo 2026", "1.282,56 €"])
  })

  it("separates decimals and thousands in all numbers of a document alike", () => {
    assert.deepStrictEqual(numbersOf("de", "AT"), ["1.234.567,89", "1.234.567,89", "1.234,5"])
    assert.deepStrictEqual(numbersOf("fr", "CH"), ["1'234'567.89", "1'234'567.89", "1'234.5"])
  })

  it("names the month of a period once, and the first day of a month as French does", () => {
    assert.strictEqual(periodOf("2026-02-01", "2026-02-28", "en"), "1 – 28 February 2026")
    assert.strictEqual(periodOf("2026-02-01", "2026-02-28", "it"), "1–28 febbraio 2026")
    assert.strictEqual(periodOf("2025-12-15", "2026-01-01", "de"), "15. Dezember 2025 – 1. Januar 2026")
    assert.strictEqual(periodOf("2026-01-21", "2026-02-01", "fr"), "21 janvier – 1er février 2026")
  })

  it("uses the organization's language for a customer without one, and English if there are no texts", () => {
    assert.strictEqual(documentOf({}, { language: "ja" }).language, "en")
    assert.strictEqual(documentOf({}, { language: null }).language, "nl")
    const document = invoicePdf({
      invoice: invoice(),
      customer: { ...customer, language: null },
      organization: { ...organization, language: null }
    })
    assert.strictEqual(document.language, "en")
  })

  it("keeps every digit of a price and the decimals of the currency", () => {
    const price = decimal("999999999999.123456")
    assert.strictEqual(
      documentOf({ items: [item("x", { unit_price: price })] }).items[0]?.unit_price,
      "999,999,999,999.123456"
    )
    const yen = documentOf({ currency: CurrencyCode.make("JPY"), balance_due: decimal("2316") }, { language: "nl" })
    assert.match(yen.due.value, /^JP¥\s2\.316$/)
    const dinar = documentOf({ currency: CurrencyCode.make("BHD"), balance_due: decimal("9.51") })
    assert.match(dinar.due.value, /^BHD\s9\.510$/)
  })

  it("writes an Arabic currency on the same side of every amount", () => {
    const changes = { currency: CurrencyCode.make("AED"), amount_paid: decimal("100") }
    const { totals } = documentOf(changes, { language: "ar", country: "AE" })
    assert.strictEqual(valueOf(totals, "المدفوع"), "\u200f\u200e−100.00\u00a0د.إ.")
    assert.strictEqual(valueOf(totals, "المجموع"), "1,282.56\u00a0د.إ.")
  })

  it("names units for the reader", () => {
    assert.deepStrictEqual(
      ["HUR", "KGM", "H87", "MTK", "C62", "pallet"].map((code) => unitOf(code, "de")),
      ["Stunden", "kg", "Stk.", "m²", "", "pallet"]
    )
    assert.strictEqual(unitOf("HUR", "fr"), "heures")
    assert.deepStrictEqual(
      ["XBX", "LS", "PR", "SET", "DZN", "XPK", "EA", "INH", "MGM"].map((code) => unitOf(code, "en")),
      ["boxes", "lump sum", "pairs", "sets", "dozen", "packs", "pcs", "in", "mg"]
    )
    const numbers = ["1", "2", "5", "12", "2.5"]
    assert.deepStrictEqual(
      numbers.map((quantity) => unitOf("XBX", "pl", quantity)),
      ["pudełko", "pudełka", "pudełek", "pudełek", "pudełka"]
    )
    assert.deepStrictEqual(
      numbers.map((quantity) => unitOf("XBX", "ar", quantity)),
      ["صندوق", "صندوق", "صناديق", "صندوق", "صندوق"]
    )
  })

  it("adds up from before the discount to what is due, with the amount payable that the XML states", () => {
    const { totals } = documentOf({
      discount_total: decimal("6"),
      amount_paid: decimal("100"),
      amount_credited: decimal("20"),
      amount_refunded: decimal("10")
    })
    assert.deepStrictEqual(
      totals.map(({ label, value }) => `${label}: ${value}`),
      [
        "Before discount: €1,065.97",
        "Discount: −€6.00",
        "Subtotal: €1,059.97",
        "BTW 21% on 1,059.97: €222.59",
        "Total: €1,282.56",
        "Paid: −€100.00",
        "Refunded: €10.00",
        "Due before credit notes: €1,192.56",
        "Credited: −€20.00"
      ]
    )
  })

  it("adds up if more was paid than is due", () => {
    const { due, totals } = documentOf({
      amount_paid: decimal("1400"),
      amount_refunded: decimal("10"),
      amount_credited: decimal("20"),
      balance_due: decimal("0"),
      refundable_amount: decimal("127.44")
    })
    assert.deepStrictEqual(
      [...totals.slice(2), due].map(({ label, value }) => `${label}: ${value}`),
      [
        "Total: €1,282.56",
        "Paid: −€1,400.00",
        "Refunded: €10.00",
        "Due before credit notes: €0.00",
        "Credited: −€20.00",
        "Overpaid, to be refunded: €127.44",
        "Amount due: €0.00"
      ]
    )
  })

  it("has no row for a rounding of zero, and one for any other", () => {
    const plain = ["Subtotal", "BTW 21% on 1,059.97", "Total"]
    assert.deepStrictEqual(rounded("0").totals.map(labelOf), plain)
    assert.deepStrictEqual(rounded("-0.01").totals.map(labelOf), [...plain.slice(0, -1), "Rounding", "Total"])
  })

  it("requests payment only if an issued invoice has a balance due and there is an account", () => {
    assert.strictEqual(valueOf(documentOf({}).payment?.rows ?? [], "IBAN"), "BE71 0961 2345 6769")
    assert.isNull(documentOf({ balance_due: decimal("0") }).payment)
    assert.isNull(documentOf({ number: null, status: "draft" }).payment)
    assert.isNull(documentOf({ status: "draft" }).payment)
    assert.isNull(invoicePdf({ invoice: invoice(), customer, organization: { ...organization, iban: null } }).payment)
    assert.isNotNull(documentOf({}).payment?.qr)
    assert.isNull(documentOf({ currency: CurrencyCode.make("USD") }).payment?.qr)
  })

  it("writes each address as its country does, with the country only abroad", () => {
    const lines = documentOf({}, { city: "Portland", state: "OR", postal_code: "97201", country: "US" }).recipient.lines
    assert.deepStrictEqual(lines, ["Friedrichstraße 123", "Portland, OR 97201", "United States"])
    assert.deepStrictEqual(documentOf({}, { country: "BE" }).recipient.lines, ["Friedrichstraße 123", "10117 Berlin"])
  })
})

layer(PdfTest, { excludeTestServices: true })("the invoice as a PDF", (it) => {
  it.effect("is an archivable, tagged file whose texts can be copied", () =>
    Effect.gen(function* () {
      const pdf = yield* render(documentOf({ notes: "Merci\nBedankt" }))
      const source = new TextDecoder("latin1").decode(pdf)
      assert.include(source, "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>")
      assert.match(source, /\/MarkInfo <<\s*\/Marked true/)
      const text = yield* pdfText(pdf)
      for (const shown of [
        "Café Zürich – 東京 – שלום",
        "INV-2026-0042",
        "Beta Publishing GmbH",
        "DE123456789",
        "BE71 0961 2345 6769",
        "+++020/2600/04222+++",
        "€1,282.56",
        "Besloten vennootschap",
        "Merci",
        "1 / 1"
      ]) {
        assert.include(text, shown)
      }
      assert.notInclude(text, "DRAFT")
    })
  )

  it.effect("is the same to the byte without a rounding, however its zero is written, and shows any other", () =>
    Effect.gen(function* () {
      const zero = yield* render(rounded("0"))
      assert.deepStrictEqual(yield* render(rounded("0.000000")), zero)
      assert.notMatch(yield* pdfText(zero), /Rounding/)
      assert.match(yield* Effect.flatMap(render(rounded("0.01")), pdfText), /Rounding\s+€0\.01/)
    })
  )

  it.effect("says on every page that it went through the sandbox", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 40 }, () => item("x"))
      const document = invoicePdf({ invoice: invoice({ items }), customer, organization, sandbox: true })
      const pages = yield* Effect.flatMap(render(document), pdfPages)
      assert.isAbove(pages.length, 1)
      for (const page of pages) assert.include(page, "simulated e-invoicing network")
      const [plain] = yield* Effect.flatMap(render(documentOf({})), pdfPages)
      assert.notInclude(plain ?? "", "simulated")
    })
  )

  it.effect("loses no letter of a text that mixes scripts", () =>
    Effect.gen(function* () {
      const names = ["Nguyễn Hồng Ánh, Đỗ Ước", "Łódź Țară Şişli", "Ελληνικά Ёлка Ђорђе", "東京 Søn", "Café 100 %"]
      const text = yield* Effect.flatMap(render(documentOf({ items: names.map((name) => item(name)) })), pdfText)
      for (const name of names) assert.include(text.normalize("NFC"), name)
    })
  )

  it.effect("repeats the column heads and counts the pages of a long invoice", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 80 }, (_, index) => item(`Item ${index + 1}.`))
      const pages = yield* Effect.flatMap(render(documentOf({ items })), pdfPages)
      assert.isAbove(pages.length, 2)
      for (const [index, page] of pages.entries()) {
        assert.include(page, `${index + 1} / ${pages.length}`)
        assert.strictEqual(page.includes("Unit price"), page.includes("Item "))
      }
      for (const { description } of items) assert.include(pages.join("\n"), description)
    })
  )

  it.effect("never splits the totals", () =>
    Effect.gen(function* () {
      for (const length of [12, 14, 16, 18, 20, 22]) {
        const items = Array.from({ length }, () => item("x"))
        const pages = yield* Effect.flatMap(render(documentOf({ items })), pdfPages)
        const first = pages.findIndex((page) => page.includes("Subtotal"))
        assert.isAtLeast(first, 0)
        assert.strictEqual(
          first,
          pages.findIndex((page) => page.includes("Amount due"))
        )
      }
    })
  )

  it.effect("marks every page of a draft", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 40 }, () => item("x"))
      const pages = yield* Effect.flatMap(render(documentOf({ number: null, status: "draft", items })), pdfPages)
      assert.isAbove(pages.length, 1)
      for (const page of pages) assert.match(page, /DRAFT(?!-)/)
      assert.include(pages[0] ?? "", "DRAFT-17")
    })
  )

  it.effect("marks what is void, and a draft that has its number", () =>
    Effect.gen(function* () {
      const [void_page] = yield* Effect.flatMap(
        render(documentOf({ status: "void", balance_due: decimal("0") })),
        pdfPages
      )
      assert.match(void_page ?? "", /VOID/)
      const [draft] = yield* Effect.flatMap(render(documentOf({ status: "draft" })), pdfPages)
      assert.match(draft ?? "", /DRAFT(?!-)/)
      for (const page of [void_page, draft]) assert.include(page ?? "", "INV-2026-0042")
    })
  )

  it.effect("renders the largest invoice that the API accepts", () =>
    Effect.gen(function* () {
      const words = ["W", "東", "ب", "🧾", "a "].map((word) => word.repeat(2_000).slice(0, 2_000))
      const items = Array.from({ length: 500 }, (_, index) => item(words[index % words.length] ?? ""))
      const pdf = yield* render(documentOf({ items, notes: "\u0000".repeat(2_000) }, { name: "N".repeat(255) }))
      assert.strictEqual(new TextDecoder("latin1").decode(pdf.subarray(0, 5)), "%PDF-")
    })
  )
})
