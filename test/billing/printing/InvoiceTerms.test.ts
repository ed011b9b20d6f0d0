import { assert, describe, it } from "vitest"
import type { PrintedCustomer, PrintedOrganization } from "../../../src/billing/printing/Correspondents.ts"
import { invoicePdf } from "../../../src/billing/invoices/InvoicePdfDocument.ts"
import { direct_debit } from "../../support/FullDocuments.ts"
import { customer, decimal, invoice, organization } from "../../support/PrintedInvoices.ts"

describe("a printed invoice", () => {
  it("says how an invoice is paid that asks for no transfer", () => {
    const rowsOf = (changes: Parameters<typeof invoice>[0]) =>
      invoicePdf({ invoice: invoice(changes), customer, organization }).payment?.rows.map(
        ({ label, value }) => `${label}: ${value}`
      )
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
    assert.isNull(invoicePdf({ invoice: invoice(paid), customer, organization }).payment?.qr)
    const payee = { name: "Factor NV", identifier: "0202239951", identifier_scheme: "0208", registration_number: null }
    assert.include(rowsOf({ payee }) ?? [], "Beneficiary: Factor NV (0202239951)")
  })

  it("has the seller's legal particulars at the foot of the page", () => {
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
    assert.match(penalty ?? "", /^Pénalités de retard : .* majoré de 10 points de pourcentage/)
    assert.match(recovery ?? "", /40 €/)
    assert.strictEqual(discount, "Pas d’escompte pour paiement anticipé.")
    assert.deepStrictEqual(wordingOf({}, { tax_number: null }), [])
    assert.strictEqual(wordingOf({ late_payment_penalty: "12 % l’an." })[0], "12 % l’an.")
    assert.deepStrictEqual(wordingOf({ country: "BE", late_payment_penalty: "12 % l’an." }), ["12 % l’an."])
    assert.deepStrictEqual(wordingOf({ country: "BE" }), [])
  })
})
