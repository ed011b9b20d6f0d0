import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { PrintedCustomer } from "../../../src/billing/correspondence/Correspondents.ts"
import { invoicePdf, invoiceTemplate } from "../../../src/billing/printing/documents/InvoicePdfDocument.ts"
import { PdfTest, renderPdf } from "../../support/files/PdfTest.ts"
import { pdfPages, pdfText, pdfWords } from "../../support/files/PdfText.ts"
import { customer, decimal, invoice, item, organization } from "../../support/files/PrintedInvoices.ts"

const render = (
  changes: Parameters<typeof invoice>[0],
  reader: Partial<PrintedCustomer> = {},
  document_footer: string | null = null
) =>
  renderPdf(
    invoiceTemplate,
    invoicePdf({
      invoice: invoice(changes),
      customer: { ...customer, ...reader },
      organization: { ...organization, document_footer }
    })
  )

layer(PdfTest, { excludeTestServices: true })("the layout of an invoice as a PDF", (it) => {
  it.effect("puts the digits of an Arabic document one below the other, within the margins", () =>
    Effect.gen(function* () {
      const items = ["5", "19.99", "1234567.89"].map((price) =>
        item("x", { unit: "C62", unit_price: decimal(price), line_total: decimal(price) })
      )
      const pdf = yield* render({ items, notes: "Thank you." }, { language: "ar", country: "AE" })
      const words = yield* pdfWords(pdf)
      const endsOf = (text: RegExp) =>
        new Set(words.filter((word) => text.test(word.text)).map((word) => word.right.toFixed(1)))
      assert.strictEqual(endsOf(/^(5\.00|19\.99|1,234,567\.89)$/).size, 2)
      assert.strictEqual(endsOf(/^(222\.59|1,282\.56)$/).size, 2)
      // The PDF library returns the words of this right-to-left page as they are drawn, from left to right.
      const [phone, reference] = [/^\+32 9 555 01 23$/, /^2\+\+\+$/].map((pattern) => {
        const found = words.find((word) => pattern.test(word.text))
        return found?.right.toFixed(0)
      })
      assert.deepStrictEqual([phone, reference], ["264", "181"])
      const page_width_points = 595.28
      for (const { right } of words) assert.isAtMost(right, page_width_points - (20 / 25.4) * 72 + 0.1)
    })
  )

  it.effect("prints a number without letters from left to right in an Arabic title", () =>
    Effect.gen(function* () {
      const words = yield* Effect.flatMap(render({ number: "2026-0006" }, { language: "ar", country: "AE" }), pdfWords)
      const numbers = words.map(({ text }) => text).filter((text) => text.includes("0006"))
      assert.deepStrictEqual(new Set(numbers), new Set(["2026-0006"]))
    })
  )

  it.effect("begins each line of a text at the margin, and ends a Hebrew one at its left", () =>
    Effect.gen(function* () {
      const words = yield* Effect.flatMap(render({ notes: "שלום!\nEnglish." }), pdfWords)
      const leftOf = (text: string) => {
        const found = words.findLast((word) => word.text === text)
        return found === undefined ? undefined : Math.round(found.right - found.width)
      }
      const margin_points = Math.round((25 / 25.4) * 72)
      assert.deepStrictEqual([leftOf("!"), leftOf("English.")], [margin_points, margin_points])
    })
  )

  it.effect("keeps a short line on one page, and has no column for units that no line has", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 60 }, (_, index) => item(`Begin${index} ${"word ".repeat(30)} end${index}.`))
      const pages = yield* Effect.flatMap(render({ items }), pdfPages)
      for (const [index] of items.entries()) {
        const page = pages.find((text) => text.includes(`Begin${index} `))
        assert.include(page, ` end${index}.`)
      }
      const plain = yield* Effect.flatMap(render({ items: [item("x", { unit: "C62" })] }), pdfText)
      assert.notMatch(plain, /Unit(?! price)/)
    })
  )

  it.effect("keeps the last line, the payment and short terms on the page of the totals", () =>
    Effect.gen(function* () {
      for (let lines = 10; lines <= 28; lines++) {
        const items = Array.from({ length: lines }, (_, index) => item(`Line ${index + 1}.`))
        const pages = yield* Effect.flatMap(render({ items, terms: "Thirty days net." }), pdfPages)
        const page = pages.find((text) => text.includes("Amount due"))
        for (const part of [`Line ${lines}.`, "BE71 0961 2345 6769", "Thirty days net."]) assert.include(page, part)
        assert.strictEqual(page, pages.at(-1))
      }
    })
  )

  it.effect("lets long terms continue on the next page", () =>
    Effect.gen(function* () {
      const pages = yield* Effect.flatMap(render({ terms: `${"word ".repeat(1_500)} end.` }), pdfPages)
      assert.include(pages[0], "Terms")
      assert.include(pages[0], "BE71 0961 2345 6769")
      assert.include(pages.at(-1), "end.")
    })
  )

  it.effect("writes a long text of the footer beside the page number", () =>
    Effect.gen(function* () {
      const words = yield* Effect.flatMap(render({}, {}, "Footer. ".repeat(100)), pdfWords)
      const number = words.find(({ text }) => text === "/")
      const edges = words.filter(({ text }) => text === "Footer.").map(({ right }) => right)
      assert.isBelow(Math.max(...edges), (number?.right ?? 0) - (number?.width ?? 0) - 10)
    })
  )
})
