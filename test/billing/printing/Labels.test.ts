import { assert, describe, it } from "vitest"
import { creditNotePdf } from "../../../src/billing/printing/documents/CreditNotePdfDocument.ts"
import { invoicePdf } from "../../../src/billing/printing/documents/InvoicePdfDocument.ts"
import { exemptionReason } from "../../../src/billing/printing/ExemptionReasons.ts"
import { quotePdf } from "../../../src/billing/printing/documents/QuotePdfDocument.ts"
import { labelsIn } from "../../../src/billing/printing/labels/Labels.ts"
import { type PageLanguage, pageLanguages } from "../../../src/platform/pages/PageLanguage.ts"
import { customer, organization } from "../../support/files/PrintedInvoices.ts"
import { fullCreditNote, fullInvoice, fullQuote } from "../../support/files/FullDocuments.ts"
import { leavesOf } from "../../platform/pages/Leaves.ts"

const foreign = pageLanguages.filter((language) => language !== "en")

const wordsOf = (texts: ReadonlyArray<string>) =>
  new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}’-]{3,}/gu) ?? []))

const textsIn = (language: PageLanguage) => leavesOf(labelsIn[language]).map(([, text]) => text)

describe("the labels of documents", () => {
  it("leave no English word of ours on a document in another language", () => {
    const english = wordsOf(textsIn("en"))
    for (const language of foreign) {
      const known = wordsOf(textsIn(language))
      const suspicious = new Set([...english].filter((word) => !known.has(word)))
      const parties = { customer: { ...customer, language }, organization }
      const sheets = [
        invoicePdf({ invoice: fullInvoice, ...parties, sandbox: true }),
        creditNotePdf({ note: fullCreditNote, ...parties, clearance: null, sandbox: true }),
        quotePdf({ quote: fullQuote, ...parties })
      ]
      for (const sheet of sheets) {
        const printed = leavesOf(sheet).flatMap(([path, text]) => (path.endsWith("/svg") ? [] : [text]))
        assert.deepStrictEqual(
          [...wordsOf(printed)].filter((word) => suspicious.has(word)),
          [],
          language
        )
      }
    }
  })

  it("mark a void invoice with the word of its page, and not with that of an overdue one", () => {
    for (const language of pageLanguages) {
      const invoice = { ...fullInvoice, status: "void" as const }
      const { draft } = invoicePdf({ invoice, customer: { ...customer, language }, organization, sandbox: false })
      assert.strictEqual(draft, labelsIn[language].state.void)
      assert.notStrictEqual(draft, labelsIn[language].state.overdue)
    }
  })
})

const termsIn = (language: PageLanguage, terms: string) => {
  const invoice = { ...fullInvoice, terms }
  const { sections } = invoicePdf({ invoice, customer: { ...customer, language }, organization, sandbox: false })
  return sections.find(({ title }) => title === labelsIn[language].document.terms)?.text
}

describe("cash discounts in payment terms", () => {
  it("are printed as sentences, although XRechnung has them in a form for programs", () => {
    const written = "Danke!\r\n #SKONTO#TAGE=14#PROZENT=2.50#\n#SKONTO#TAGE=1#PROZENT=1.00#BASISBETRAG=1357.93#\n#4"
    assert.strictEqual(
      termsIn("de", written),
      "Danke!\n2,5\u00a0% Skonto bei Zahlung innerhalb von 14 Tagen.\n" +
        "1\u00a0% Skonto auf 1.357,93\u00a0$ bei Zahlung innerhalb von 1 Tag.\n#4"
    )
    assert.strictEqual(termsIn("en", "#SKONTO#TAGE=14#PROZENT=2.00#\n"), "2% discount if paid within 14 days.")
    for (const language of pageLanguages) {
      const text = termsIn(language, written) ?? ""
      assert.notMatch(text, /SKONTO|[{}|]|undefined/, language)
      assert.strictEqual(text.split("\n").length, 4)
    }
  })
})

const reason = (category: "E" | "AE" | "K" | "G" | "O", exemption_code?: string, country = "BE") =>
  exemptionReason({ category, exemption_code }, "en", country)

describe("exemptionReason", () => {
  it("names the article that the code or the category stands for", () => {
    assert.strictEqual(reason("E"), "Exempt from tax")
    assert.strictEqual(reason("E", "VATEX-EU-132-1I"), "Exempt from tax (Article 132(1)(i) of Directive 2006/112/EC)")
    assert.strictEqual(reason("E", "VATEX-EU-79-C"), "Exempt from tax (Article 79(c) of Directive 2006/112/EC)")
    assert.strictEqual(reason("E", "VATEX-EU-F"), "Margin scheme – Second-hand goods")
    assert.strictEqual(reason("E", "VATEX-FR-FRANCHISE"), "TVA non applicable, art. 293 B du CGI")
    assert.strictEqual(reason("K"), "Intra-Community supply, exempt from VAT (Article 138 of Directive 2006/112/EC)")
    assert.strictEqual(reason("AE"), "Reverse charge")
    assert.strictEqual(reason("O"), "Not subject to VAT")
  })

  it("names no European law for a seller elsewhere, and no reason for what is taxed", () => {
    assert.match(reason("G") ?? "", /Article 146/)
    assert.strictEqual(reason("G", undefined, "CH"), "Export")
    for (const category of ["S", "Z", "L", "M"] as const) assert.isNull(exemptionReason({ category }, "de", "DE"))
  })
})
