import { assert, describe, it } from "vitest"
import { invoicePdf } from "../../../src/billing/printing/documents/InvoicePdfDocument.ts"
import type { PrintedCustomer, PrintedOrganization } from "../../../src/billing/correspondence/Correspondents.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { direct_debit, fullInvoice } from "../../support/files/FullDocuments.ts"
import { customer, decimal, invoice, organization, taxed } from "../../support/files/PrintedInvoices.ts"

const documentOf = (changes: Parameters<typeof invoice>[0], reader: Partial<PrintedCustomer> = {}) =>
  invoicePdf({ invoice: invoice(changes), customer: { ...customer, ...reader }, organization })
const valueOf = (rows: ReadonlyArray<{ readonly label: string; readonly value: string }>, label: string) =>
  rows.find((row) => row.label === label)?.value

const registrationOf = (country: string, language: string, registration_number: string) => {
  const seller = { ...organization, country, registration_number }
  const { footer } = invoicePdf({ invoice: invoice(), customer: { ...customer, language }, organization: seller })
  return footer.flat().find((line) => line.endsWith(registration_number))
}

const labelsOf = (name: string, rate: string, language: string) =>
  invoicePdf({
    invoice: invoice({ tax_breakdown: [taxed({ name, rate: decimal(rate) })] }),
    customer: { ...customer, language, country: null },
    organization
  }).totals.map(({ label }) => label.replaceAll(/[\u00a0\u202f]/g, " "))

describe("what the law requires on an invoice", () => {
  it("says why a line has no tax, also when the tax rate states the reason", () => {
    const by_rate = documentOf({ tax_breakdown: [taxed({ name: "Verlegd", category: "AE", rate: decimal("0") })] })
    assert.deepStrictEqual(by_rate.sections, [{ title: "Tax", text: "Reverse charge" }])
    assert.strictEqual(by_rate.totals[1]?.label, "Verlegd on 100.00")
    const untaxed = taxed({ tax_rate_id: null, name: "No tax", category: "Z", rate: decimal("0") })
    const named = documentOf({ tax_breakdown: [untaxed] }, { language: "de" })
    assert.deepStrictEqual([named.totals[1]?.label, named.sections], ["Ohne USt. auf 100,00", []])
  })

  it.each([
    ["AE", "VATEX-IT-S-22", "Scissione dei pagamenti", /^Operazione soggetta alla scissione dei pagamenti /],
    ["E", "VATEX-IT-N1", "Operazione esclusa dalla base imponibile (art. 15, DPR 633/1972)", /^Operazione esclusa /],
    ["E", "VATEX-IT-N2-2", "Operazione non soggetta", /^Operazione non soggetta$/],
    ["E", "VATEX-IT-N4", "Operazione esente", /^Operazione esente$/],
    ["AE", "VATEX-IT-N6-1", "Inversione contabile", /^Inversione contabile$/]
  ] as const)("names the Italian treatment of %s with %s in the totals and the note", (category, code, name, note) => {
    const group = taxed({ tax_rate_id: null, name: "Exempt", category, rate: decimal("0"), exemption_code: code })
    const { sections, totals } = documentOf({ tax_breakdown: [group] }, { language: "it" })
    assert.strictEqual(totals[1]?.label, `${name} su 100,00`)
    assert.match(sections[0]?.text ?? "", note)
  })

  it("states the tax in the organization's currency and the rate of exchange", () => {
    const dollars = { currency: CurrencyCode.make("USD"), exchange_rate: decimal("0.9137") }
    const { facts, totals } = documentOf(dollars)
    assert.deepStrictEqual(totals[2], { label: "Tax in EUR", value: "€203.38", strong: false })
    assert.strictEqual(valueOf(facts, "Exchange rate"), "1 USD = 0.9137 EUR")
    const euros = documentOf({ exchange_rate: decimal("1") })
    assert.isUndefined(valueOf(euros.totals, "Tax in EUR"))
    assert.isUndefined(valueOf(euros.facts, "Exchange rate"))
  })

  it("prints delivery, references, discounts, charges and what was paid in advance", () => {
    const full = invoicePdf({ invoice: fullInvoice, customer, organization })
    for (const [label, value] of [
      ["Delivery date", "27 February 2026"],
      ["Delivery period", "1 – 28 February 2026"],
      ["Transaction", "Supply of goods and services"],
      ["Your order", "PO-1"],
      ["Your reference", "BR-2"],
      ["Contract", "C-3"],
      ["Project", "P-4"]
    ] as const) {
      assert.strictEqual(valueOf(full.facts, label), value)
    }
    assert.deepStrictEqual(full.sections[0], { title: "Delivery address", text: "Xq, Xq 1, 1000 Xq, Belgium" })
    assert.deepStrictEqual(
      full.totals.slice(0, 6).map(({ label, value }) => `${label}: ${value}`),
      [
        "Before discount: US$140.70",
        "Discount: −US$14.07",
        "Sum of the lines: US$126.63",
        "Xq (10%): −US$1.81",
        "Xq: US$5.00",
        "Subtotal: US$129.82"
      ]
    )
    assert.deepStrictEqual(
      full.totals.slice(-5).map(({ label, value }) => `${label}: ${value}`),
      [
        "Paid in advance: −US$2.00",
        "Paid: −US$3.00",
        "Refunded: US$3.00",
        "Due before credit notes: US$132.29",
        "Credited: −US$4.00"
      ]
    )
  })

  it("says how an invoice that needs no transfer is paid", () => {
    const rowsOf = (changes: Parameters<typeof invoice>[0]) =>
      documentOf(changes).payment?.rows.map(({ label, value }) => `${label}: ${value}`)
    assert.deepStrictEqual(rowsOf({ payment_means: direct_debit }), [
      "Means of payment: Direct debit",
      "Mandate reference: MD-5",
      "Creditor identifier: BE69ZZZ050D000000008",
      "Debited account: BE71 0961 2345 6769"
    ])
    const none = { mandate_reference: null, creditor_identifier: null, debited_iban: null }
    const card = { method: "card" as const, ...none, card_last_digits: "1234", card_holder: "Ana Blau" }
    const paid = { payment_means: card, balance_due: decimal("0") }
    assert.deepStrictEqual(rowsOf(paid), ["Means of payment: Card", "Card: •••• 1234", "Card holder: Ana Blau"])
    assert.isNull(documentOf(paid).payment?.qr)
    const payee = { name: "Factor NV", identifier: "0202239951", identifier_scheme: "0208", registration_number: null }
    assert.include(rowsOf({ payee }) ?? [], "Beneficiary: Factor NV (0202239951)")
    const to_factor = { method: "bank_transfer" as const, ...none, card_last_digits: null, card_holder: null }
    const factored = { payee, payment_means: { ...to_factor, iban: "BE71096123456769" } }
    const rows = rowsOf(factored) ?? []
    assert.deepStrictEqual(rows.slice(0, 2), ["Beneficiary: Factor NV (0202239951)", "IBAN: BE71 0961 2345 6769"])
    assert.notInclude(rows.join(), "BIC")
  })

  it("has the seller's legal particulars in the footer of the page", () => {
    const seller = {
      ...organization,
      country: "DE",
      tax_number: "143/262/10459",
      register_court: "Amtsgericht München",
      registration_number: "HRB 1234",
      share_capital: "25.000 €",
      managing_directors: "Ana Blau"
    }
    const { footer, sender } = invoicePdf({
      invoice: invoice(),
      customer: { ...customer, language: "de" },
      organization: seller
    })
    assert.deepStrictEqual(footer, [
      ["Atelier Nord BV", "Besloten vennootschap", "Stammkapital 25.000 €", "Geschäftsführung Ana Blau"],
      ["Amtsgericht München", "Registernummer HRB 1234", "Steuernummer 143/262/10459"],
      ["www.ateliernord.example", "hello@ateliernord.example"]
    ])
    assert.strictEqual(sender.lines.at(-1), "Steuernummer 143/262/10459")
  })

  it.each([
    ["AT", "de", "ATU12345678", "UID-Nr.", "Ihre UID-Nr."],
    ["AT", "de", "12 345/6789", "Steuernummer", "Ihre Steuernummer"],
    ["CH", "de", "CHE-123.456.788 MWST", "MWST-Nr.", "Ihre MWST-Nr."],
    ["CH", "fr", "CHE-123.456.788 TVA", "N° TVA", "Votre n° TVA"],
    ["GB", "en", "123456782", "VAT number", "Your VAT number"],
    ["FR", "en", "FR83404833048", "VAT number", "Your VAT number"],
    ["GR", "en", "EL094014201", "VAT number", "Your VAT number"],
    ["PL", "pl", "PL5260250995", "NIP", "NIP nabywcy"],
    ["BE", "pl", "BE0202239951", "Numer VAT", "Numer VAT nabywcy"],
    ["US", "en", "12-3456789", "Tax number", "Your tax number"],
    ["GB", "de", "GB123456782", "USt-IdNr.", "Ihre USt-IdNr."]
  ])("names the tax number as people of %s say in %s: %s", (country, language, tax_number, own, yours) => {
    const { facts, sender } = invoicePdf({
      invoice: invoice(),
      customer: { ...customer, country, language, tax_number },
      organization: { ...organization, country, tax_number }
    })
    assert.strictEqual(sender.lines.at(-1), `${own} ${tax_number}`)
    assert.deepInclude(facts, { label: yours, value: tax_number })
  })

  it("names the registration number as the seller's country does, in the language of the document", () => {
    assert.deepStrictEqual(
      [
        registrationOf("NL", "nl", "12345678"),
        registrationOf("BE", "nl", "0202.239.951"),
        registrationOf("BE", "fr", "0202.239.951"),
        registrationOf("DE", "nl", "HRB 1234"),
        registrationOf("FR", "fr", "732 829 320"),
        registrationOf("FR", "en", "73282932000074"),
        registrationOf("FR", "fr", "RCS Paris 1")
      ],
      [
        "KVK-nummer 12345678",
        "Ondernemingsnummer 0202.239.951",
        "N° d’entreprise 0202.239.951",
        "Registratienummer HRB 1234",
        "SIREN 732 829 320",
        "SIRET 73282932000074",
        "N° d’immatriculation RCS Paris 1"
      ]
    )
  })

  it("writes the percentage in the name of a usual rate as in the lines, and keeps a name that a user typed", () => {
    assert.include(labelsOf("TVA 2.1%", "2.1", "fr"), "TVA 2,1 % sur 100,00")
    assert.include(labelsOf("TVA 2,1 %", "2.1", "en"), "TVA 2.1% on 100.00")
    assert.include(labelsOf("USt 7%", "7", "de"), "USt 7 % auf 100,00")
    assert.include(labelsOf("Réduit 2.1%", "2.1", "fr"), "Réduit 2.1% sur 100,00")
    assert.include(labelsOf("TVA 2.1%", "5.5", "fr"), "TVA 2.1% sur 100,00")
  })

  it("states the French terms of payment to a business, and the organization's own words anywhere", () => {
    const french = { ...organization, country: "FR" }
    const wordingOf = (seller: Partial<PrintedOrganization>, buyer: Partial<PrintedCustomer> = {}) =>
      invoicePdf({
        invoice: invoice(),
        customer: { ...customer, language: "fr", ...buyer },
        organization: { ...french, ...seller }
      })
        .sections.find(({ title }) => title === "Conditions de règlement")
        ?.text.split("\n") ?? []
    const [penalty, recovery, discount] = wordingOf({})
    assert.match(penalty ?? "", /^Pénalités de retard\u00a0: .* majoré de 10 points de pourcentage/)
    assert.match(recovery ?? "", /40 €/)
    assert.strictEqual(discount, "Pas d’escompte pour paiement anticipé.")
    assert.deepStrictEqual(wordingOf({}, { tax_number: null }), [])
    assert.strictEqual(wordingOf({ late_payment_penalty: "12 % l’an." })[0], "12 % l’an.")
    assert.deepStrictEqual(wordingOf({ late_payment_penalty: " ", early_payment_discount: "" }), wordingOf({}))
    assert.deepStrictEqual(wordingOf({ country: "BE", late_payment_penalty: "12 % l’an." }), ["12 % l’an."])
    assert.deepStrictEqual(wordingOf({ country: "BE" }), [])
  })

  it("shows a website without its scheme, which would not fit on the line", () => {
    const seller = { ...organization, website: "https://brouwerij-de-zwaan.example.com/" }
    const { footer } = invoicePdf({ invoice: invoice(), customer, organization: seller })
    assert.include(footer.flat(), "brouwerij-de-zwaan.example.com")
  })
})
