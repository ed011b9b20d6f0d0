import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { type ClearanceStamp, clearanceModelOf } from "../../../src/billing/printing/ClearanceStamps.ts"
import type { PrintedCustomer } from "../../../src/billing/correspondence/Correspondents.ts"
import { creditNotePdf, creditNoteTemplate } from "../../../src/billing/printing/documents/CreditNotePdfDocument.ts"
import type {
  CreditNotePdfDocument,
  PrintedCreditNote
} from "../../../src/billing/printing/documents/CreditNotePdfDocument.ts"
import { price } from "../../../src/billing/lines/Totals.ts"
import { Day, Timestamp } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { zero } from "../../../src/kernel/Money.ts"
import { PdfTest, renderPdf } from "../../support/files/PdfTest.ts"
import { pdfPages, pdfText } from "../../support/files/PdfText.ts"
import { customer, decimal, organization, taxed } from "../../support/files/PrintedInvoices.ts"

const day = Schema.decodeSync(Day)
const timestamp = Schema.decodeSync(Timestamp)
const euro = CurrencyCode.make("EUR")

const lines = (count: number) =>
  price(
    Array.from({ length: count }, (_, index) => ({
      description: `Item ${index + 1}.`,
      quantity: decimal("2"),
      unit: "HUR",
      unit_price: decimal("10.01"),
      discount: zero,
      discount_type: "percent" as const,
      tax_exempt: true,
      tax_exemption_reason: "AE" as const,
      tax_rates: []
    })),
    euro
  )

const note = (changes: Partial<PrintedCreditNote> = {}): PrintedCreditNote => ({
  number: "CN-2026-0007",
  draft_reference: "DRAFT-17",
  issue_date: day("2026-03-09"),
  created_at: timestamp("2026-03-08T10:00:00.000Z"),
  currency: euro,
  exchange_rate: null,
  credit_note_type_code: "381",
  details: {},
  reason: "Two boxes came back",
  original_invoice: { number: "INV-2026-0042", issue_date: day("2026-03-01") },
  ...lines(1),
  ...changes
})

const seal = "k3Jx".repeat(86)
const stamp: ClearanceStamp = {
  identifier: "6F1C2A44-6A7E-4B0B-9C0D-3D1E2F4A5B6C",
  stamped_at: timestamp("2026-03-09T11:12:13.000Z"),
  seal,
  qr: "https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=6F1C2A44-6A7E-4B0B-9C0D-3D1E2F4A5B6C"
}

const clearanceIn = (country: string, given: ClearanceStamp | null) =>
  Option.getOrNull(Option.map(clearanceModelOf(country), (model) => ({ model, stamp: given })))

const documentOf = (
  changes: Partial<PrintedCreditNote> = {},
  reader: Partial<PrintedCustomer> = {},
  clearance: Parameters<typeof creditNotePdf>[0]["clearance"] = null
) => creditNotePdf({ note: note(changes), customer: { ...customer, ...reader }, organization, clearance })
const render = (document: CreditNotePdfDocument) => renderPdf(creditNoteTemplate, document)

describe("creditNotePdf", () => {
  it("names the note and the invoice it corrects in the reader's language", () => {
    const titles = ["en", "fr", "nl", "de", "es", "it"].map((language) => documentOf({}, { language }).title)
    assert.deepStrictEqual(titles, [
      "Credit note CN-2026-0007",
      "Avoir CN-2026-0007",
      "Creditnota CN-2026-0007",
      "Rechnungskorrektur CN-2026-0007",
      "Nota de crédito CN-2026-0007",
      "Nota di credito CN-2026-0007"
    ])
    const { due, facts } = documentOf({}, { language: "fr", country: "FR" })
    assert.deepStrictEqual(
      facts.map(({ label, value }) => `${label}: ${value}`),
      [
        "Numéro d’avoir: CN-2026-0007",
        "Date d’émission: 9 mars 2026",
        "Sur facture: INV-2026-0042",
        "Date de facture: 1er mars 2026",
        "Votre n° de TVA: DE123456789",
        "Type: 381 – Avoir"
      ]
    )
    assert.deepStrictEqual([due.label, due.value.replaceAll(/\s/g, " ")], ["Montant crédité", "20,02 €"])
  })

  it("tells a business in Belgium to repay the VAT that it deducted", () => {
    const wordingIn = (language: string, reader: Partial<PrintedCustomer> = {}) =>
      documentOf({ tax_breakdown: [taxed({})] }, { language, ...reader }).sections.at(-1)?.text
    assert.match(wordingIn("nl") ?? "", /^Btw terug te storten aan de Staat /)
    assert.match(wordingIn("fr") ?? "", /^TVA à reverser à l’État /)
    assert.match(wordingIn("es") ?? "", /^El IVA debe reintegrarse al Estado /)
    assert.strictEqual(wordingIn("nl", { tax_number: null }), "Two boxes came back")
    assert.notMatch(documentOf({}, { language: "nl" }).sections.at(-1)?.text ?? "", /Staat/)
  })

  it("is a corrective invoice in Spain", () => {
    const spanish = { ...organization, country: "ES" }
    const reader = { ...customer, language: "es" }
    const { facts, title } = creditNotePdf({ note: note(), customer: reader, organization: spanish, clearance: null })
    assert.strictEqual(title, "Factura rectificativa CN-2026-0007")
    assert.deepInclude(facts, { label: "Número de rectificativa", value: "CN-2026-0007" })
    assert.deepInclude(facts, { label: "Tipo", value: "381 – Factura rectificativa" })
  })

  it("has neither number nor date on a draft", () => {
    const { date, draft, facts, title } = documentOf({ number: null, issue_date: null })
    assert.strictEqual(title, "Credit note DRAFT-17")
    assert.strictEqual(draft, "Draft")
    assert.isFalse(facts.some(({ label }) => label === "Issue date"))
    assert.deepStrictEqual(date, { year: 2026, month: 3, day: 8 })
  })

  it("names the exchange rate, the tax in the seller's currency and the cause of a correction", () => {
    const { facts, sections, totals } = documentOf({
      currency: CurrencyCode.make("USD"),
      exchange_rate: decimal("0.9137"),
      credit_note_type_code: "261",
      details: { corrective_cause: { code: "R1", text: "Devolución" }, purchase_order: "PO-1" }
    })
    const shown = facts.map(({ label, value }) => `${label}: ${value}`)
    assert.include(shown, "Exchange rate: 1 USD = 0.9137 EUR")
    assert.include(shown, "Type: 261 – Self-billed credit note")
    assert.include(shown, "Your order: PO-1")
    assert.deepInclude(totals, { label: "Tax in EUR", value: "€0.00", strong: false })
    assert.deepInclude(sections, { title: "Cause of correction", text: "R1 – Devolución" })
  })

  it("does not confuse the sandbox with the authority", () => {
    const { clearance, sandbox } = creditNotePdf({
      note: note(),
      customer,
      organization,
      clearance: clearanceIn("PL", stamp),
      sandbox: true
    })
    assert.match(sandbox ?? "", /^Test: /)
    assert.deepStrictEqual(clearance, {
      title: "Krajowy System e-Faktur (KSeF)",
      rows: [{ label: "Test reference", value: stamp.identifier }],
      seal: null,
      qr: null,
      missing: "Simulated: the tax authority has not cleared this document."
    })
  })

  it("shows the rounding of the payable total when there is one", () => {
    const { totals } = documentOf({ rounding_adjustment: decimal("0.01") })
    assert.deepStrictEqual(totals.at(-1), { label: "Rounding", value: "€0.01", strong: false })
  })

  it("has a clearance block in clearance countries only: Italy, Poland, Romania and Mexico", () => {
    for (const country of ["IT", "PL", "RO", "MX"]) {
      assert.isNotNull(documentOf({}, {}, clearanceIn(country, null)).clearance)
    }
    for (const country of ["BE", "FR", "DE", "ES"]) assert.isNull(clearanceIn(country, stamp))
  })

  it("says that it is not stamped yet, or prints identifier, moment, seal and QR code", () => {
    const open = documentOf({}, {}, clearanceIn("PL", null)).clearance
    assert.deepStrictEqual(open, {
      title: "Krajowy System e-Faktur (KSeF)",
      rows: [],
      seal: null,
      qr: null,
      missing: "Not yet stamped by the tax authority."
    })
    const stamped = documentOf({}, {}, clearanceIn("MX", stamp)).clearance
    assert.deepStrictEqual(stamped?.rows, [
      { label: "Folio fiscal (UUID)", value: stamp.identifier },
      { label: "Stamped", value: "2026-03-09 11:12:13 UTC" }
    ])
    assert.deepStrictEqual(stamped?.seal, { label: "Sello digital del SAT", value: stamp.seal })
    assert.include(stamped?.qr?.svg ?? "", "<svg")
    assert.isNull(stamped?.missing)
  })
})

layer(PdfTest, { excludeTestServices: true })("the credit note as a PDF", (it) => {
  it.effect("is an archivable file whose texts can be copied, the same bytes for the same note", () =>
    Effect.gen(function* () {
      const pdf = yield* render(documentOf())
      assert.include(new TextDecoder("latin1").decode(pdf), "<pdfaid:part>3</pdfaid:part>")
      const text = yield* pdfText(pdf)
      for (const shown of [
        "CN-2026-0007",
        "INV-2026-0042",
        "Two boxes came back",
        "Reverse charge",
        "€20.02",
        "1 / 1"
      ]) {
        assert.include(text, shown)
      }
      assert.deepStrictEqual(yield* render(documentOf()), pdf)
    })
  )

  it.effect("prints the stamp of a clearance country, and says when there is none yet", () =>
    Effect.gen(function* () {
      const text = yield* Effect.flatMap(render(documentOf({}, {}, clearanceIn("MX", stamp))), pdfText)
      for (const shown of ["SAT (CFDI 4.0)", stamp.identifier, "2026-03-09 11:12:13 UTC", "Sello digital del SAT"]) {
        assert.include(text, shown)
      }
      assert.include(text.replaceAll(/\s/g, ""), seal)
      const open = yield* Effect.flatMap(render(documentOf({}, {}, clearanceIn("IT", null))), pdfText)
      assert.include(open, "Sistema di Interscambio (SdI)")
      assert.include(open, "Not yet stamped by the tax authority.")
    })
  )

  it.effect("repeats the column heads and counts the pages of a long note", () =>
    Effect.gen(function* () {
      const pages = yield* Effect.flatMap(render(documentOf(lines(80))), pdfPages)
      assert.isAbove(pages.length, 2)
      for (const [index, page] of pages.entries()) {
        assert.include(page, `${index + 1} / ${pages.length}`)
        assert.strictEqual(page.includes("Unit price"), page.includes("Item "))
      }
    })
  )
})
