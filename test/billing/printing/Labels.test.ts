import { assert, describe, it } from "@effect/vitest"
import { creditNotePdf } from "../../../src/billing/credit-notes/CreditNotePdfDocument.ts"
import { creditNoteLabels } from "../../../src/billing/credit-notes/CreditNoteLabels.ts"
import { invoicePdf } from "../../../src/billing/invoices/InvoicePdfDocument.ts"
import { portalTexts } from "../../../src/billing/portal/PortalTexts.ts"
import { documentLabels } from "../../../src/billing/printing/DocumentLabels.ts"
import { detailLabels } from "../../../src/billing/printing/mentions/DetailLabels.ts"
import { exemptionReason } from "../../../src/billing/printing/mentions/ExemptionReasons.ts"
import { sandboxLabels } from "../../../src/billing/printing/mentions/SandboxLabels.ts"
import { sellerLabels } from "../../../src/billing/printing/mentions/SellerLabels.ts"
import { taxLabels } from "../../../src/billing/printing/mentions/TaxLabels.ts"
import { quoteLabels } from "../../../src/billing/quotes/QuoteLabels.ts"
import { quotePdf } from "../../../src/billing/quotes/QuotePdfDocument.ts"
import { pageLanguages } from "../../../src/platform/pages/PageLanguage.ts"
import { customer, organization } from "../../support/PrintedInvoices.ts"
import { fullCreditNote, fullInvoice, fullQuote } from "../../support/FullDocuments.ts"

const tables = {
  documentLabels,
  detailLabels,
  taxLabels,
  sellerLabels,
  sandboxLabels,
  creditNoteLabels,
  quoteLabels,
  portalTexts
}
const foreign = pageLanguages.filter((language) => language !== "en")

/** Words that the languages share with English. */
const shared: { readonly [language in (typeof pageLanguages)[number]]?: ReadonlySet<string> } = {
  fr: new Set(["Description", "Notes", "Type"]),
  nl: new Set(["Project", "Type"]),
  es: new Set(["Total"])
}

const leavesOf = (value: unknown, path = ""): ReadonlyArray<readonly [path: string, text: string]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}/${key}`))
    : [[path, String(value)]]

const wordsOf = (texts: ReadonlyArray<string>) =>
  new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}’-]{3,}/gu) ?? []))

const labelsIn = (language: (typeof pageLanguages)[number]) =>
  Object.values(tables).flatMap((table) => leavesOf(table[language]).map(([, text]) => text))

describe("the labels of documents", () => {
  it("are words of their own in every language but for those that languages share", () => {
    for (const language of foreign) {
      for (const [name, table] of Object.entries(tables)) {
        const english = new Map(leavesOf(table.en))
        const texts = leavesOf(table[language])
        assert.deepStrictEqual(
          texts.map(([path]) => path),
          [...english.keys()],
          `${name} in ${language}`
        )
        const untranslated = texts.filter(([path, text]) => text === english.get(path))
        const wrong = untranslated.filter(([, text]) => shared[language]?.has(text) !== true)
        assert.deepStrictEqual(wrong, [], `${name} in ${language}`)
      }
    }
  })

  it("leave no English word of ours on a document in another language", () => {
    const english = wordsOf(labelsIn("en"))
    for (const language of foreign) {
      const known = wordsOf(labelsIn(language))
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
