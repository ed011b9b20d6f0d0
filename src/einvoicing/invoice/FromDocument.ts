import { BigDecimal, Option } from "effect"
import type { Correspondents, PostalAddress } from "../../billing/printing/Correspondents.ts"
import { readerOf } from "../../billing/printing/DocumentFormat.ts"
import { documentLabels } from "../../billing/printing/DocumentLabels.ts"
import type { TaxCategory, TaxGroup } from "../../billing/lines/Tax.ts"
import type { ExemptionCategory, LineItem } from "../../billing/lines/LineItem.ts"
import type { Day } from "../../kernel/Calendar.ts"
import { convertedTax } from "../../billing/lines/VatGroups.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { zero } from "../../kernel/Money.ts"
import type { DeliveryTime, EInvoice, EInvoiceTax, PartyAddress, PaymentInstructions } from "./EInvoice.ts"
import { withDiscountLineEnded } from "./CashDiscount.ts"
import { einvoiceLine } from "./FromLineItem.ts"
import { buyerRegistration, registrationIn, vatIdentifier } from "./PartyIdentifiers.ts"
import { peppolBilling, type Profile } from "./Profiles.ts"

/** What an invoice and a credit note are both made of. */
export interface SourceDocument {
  readonly kind: EInvoice["kind"]
  readonly number: string
  readonly issue_date: Day
  readonly due_date: Day | null
  readonly type_code: string
  readonly currency: CurrencyCode
  readonly exchange_rate: BigDecimal.BigDecimal | null
  readonly items: ReadonlyArray<LineItem>
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
  readonly subtotal: BigDecimal.BigDecimal
  readonly tax_total: BigDecimal.BigDecimal
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
  /** Payments that were not paid back. */
  readonly paid: BigDecimal.BigDecimal
  readonly delivery: DeliveryTime | null
  readonly payment_reference: string | null
  readonly notes: string | null
  readonly terms: string | null
  readonly preceding_invoice: EInvoice["preceding_invoice"]
}

/** How the document travels, and from whom to whom. */
export interface Exchange {
  readonly profile: Profile
  /** Null while the organization is on no network. Only Peppol's own rules find fault with a wrong address. */
  readonly sender: ElectronicAddress | null
  /** Null while the customer is on no network. */
  readonly recipient: (ElectronicAddress & { readonly country_code: string | null }) | null
}

interface ElectronicAddress {
  /** EAS code. */
  readonly scheme: string
  readonly value: string
}

/** A Leitweg-ID names the office that the invoice is for, which is what a buyer reference is. */
const leitweg_scheme = "0204"
/** Peppol requires a reference (R003) where the buyer gave none: "not available". */
const no_reference = "NA"

/** The document as EN 16931 sees it, with the parties as they are printed on it. */
export const einvoiceOf = (
  document: SourceDocument,
  { customer, organization }: Correspondents,
  { profile, recipient, sender }: Exchange,
  accounting_currency: CurrencyCode
): EInvoice => {
  const { language } = readerOf({ customer, organization })
  const tax_breakdown = taxesOf(document.tax_breakdown, documentLabels[language].exemptions)
  // Who is not subject to VAT does not name a VAT identifier, nor the buyer's (BR-O-02).
  const identified = tax_breakdown.some(({ category }) => category !== "O")
  const buyer_address = addressOf(customer, recipient?.country_code ?? null)
  // What was paid beyond the total is owed back, which is no matter of this document.
  const prepaid = BigDecimal.max(zero, BigDecimal.min(document.paid, document.total))
  const seller_vat = vatIdentifier(organization.tax_number)
  return {
    profile,
    kind: document.kind,
    number: document.number,
    issue_date: document.issue_date,
    due_date: document.due_date,
    type_code: document.type_code,
    currency: document.currency,
    note: document.notes,
    payment_terms: document.terms === null ? null : withDiscountLineEnded(document.terms),
    buyer_reference: buyerReference(profile, recipient),
    preceding_invoice: document.preceding_invoice,
    seller: {
      name: organization.name,
      trading_name: null,
      vat_identifier: identified ? seller_vat : null,
      tax_registration: seller_vat === null ? organization.tax_number : null,
      legal_registration: registrationIn(organization.country, organization.registration_number),
      legal_form: organization.legal_form,
      electronic_address: sender ?? nowhere,
      address: addressOf(organization, null),
      contact: {
        name: organization.contact_name ?? organization.name,
        phone: organization.contact_phone,
        email: organization.contact_email
      }
    },
    buyer: {
      name: customer.name,
      trading_name: null,
      vat_identifier: identified ? vatIdentifier(customer.tax_number) : null,
      tax_registration: vatIdentifier(customer.tax_number) === null ? customer.tax_number : null,
      legal_registration: recipient === null ? null : buyerRegistration(buyer_address.country, recipient),
      legal_form: null,
      electronic_address: recipient ?? nowhere,
      address: buyer_address,
      contact: null
    },
    delivery: document.delivery,
    delivery_address: deliveryAddress(buyer_address, tax_breakdown),
    payment: paymentOf(document, { customer, organization }),
    lines: document.items.map(einvoiceLine),
    tax_breakdown,
    accounting_tax: accountingTax(document, accounting_currency),
    totals: {
      lines: document.subtotal,
      tax_exclusive: document.subtotal,
      tax: document.tax_total,
      tax_inclusive: BigDecimal.sum(document.subtotal, document.tax_total),
      rounding: document.rounding_adjustment,
      prepaid,
      payable: BigDecimal.subtract(document.total, prepaid)
    }
  }
}

const nowhere = { scheme: null, value: "" }

const buyerReference = (profile: Profile, recipient: Exchange["recipient"]) => {
  if (recipient?.scheme === leitweg_scheme) return recipient.value
  return profile === peppolBilling ? no_reference : null
}

const addressOf = (printed: PostalAddress, country: string | null): PartyAddress => ({
  line1: printed.address_line1,
  line2: printed.address_line2,
  city: printed.city,
  postal_code: printed.postal_code,
  subdivision: printed.state,
  country: printed.country ?? country
})

/** One group for each category and rate (BR-S-08), whatever the number of the organization's rates behind it. */
const taxesOf = (
  groups: ReadonlyArray<TaxGroup>,
  reasons: Readonly<Record<ExemptionCategory, string>>
): ReadonlyArray<EInvoiceTax> => {
  const taxes: Array<EInvoiceTax> = []
  for (const { category, exemption_code, rate, tax_amount, taxable_amount } of groups) {
    const index = taxes.findIndex((tax) => tax.category === category && BigDecimal.equals(tax.rate, rate))
    const same = taxes[index]
    const exemption = exemptionOf(category, exemption_code, reasons)
    if (same === undefined) taxes.push({ category, rate, taxable_amount, tax_amount, exemption })
    else {
      taxes[index] = {
        ...same,
        // Rates with different codes are one group here, which has no code of its own then.
        exemption: same.exemption?.code === exemption?.code ? exemption : exemptionOf(category, undefined, reasons),
        taxable_amount: BigDecimal.sum(same.taxable_amount, taxable_amount),
        tax_amount: BigDecimal.sum(same.tax_amount, tax_amount)
      }
    }
  }
  return taxes
}

/** CEF VATEX. "Exempt" has a code for each article of the law: only the tax rate can say which. */
const exemption_codes: Readonly<Record<ExemptionCategory, string | null>> = {
  E: null,
  AE: "VATEX-EU-AE",
  K: "VATEX-EU-IC",
  G: "VATEX-EU-G",
  O: "VATEX-EU-O"
}

const isExemption = (category: TaxCategory): category is ExemptionCategory => category in exemption_codes

const exemptionOf = (
  category: TaxCategory,
  code: string | undefined,
  reasons: Readonly<Record<ExemptionCategory, string>>
) => (isExemption(category) ? { reason: reasons[category], code: code ?? exemption_codes[category] } : null)

/** BR-IC-12: a document that names no other address was supplied at the buyer's. */
const deliveryAddress = (address: PartyAddress, taxes: ReadonlyArray<EInvoiceTax>) =>
  taxes.some(({ category }) => category === "K") ? address : null

const credit_transfer = "30"
const sepa_credit_transfer = "58"
const not_defined = "1"

const paymentOf = (
  document: SourceDocument,
  { customer, organization }: Correspondents
): PaymentInstructions | null => {
  if (document.kind === "credit_note") return null
  const { bic, iban, name } = organization
  const reference = document.payment_reference
  if (iban === null) return reference === null ? null : { means_code: not_defined, reference, account: null }
  const isDanish = organization.country === "DK" && customer.country === "DK"
  // Danish suppliers may not call it a credit transfer at home (DK-R-005).
  const abroad_code = isDanish ? not_defined : credit_transfer
  const means_code = document.currency === "EUR" ? sepa_credit_transfer : abroad_code
  return { means_code, reference, account: { iban, bic, name } }
}

const accountingTax = ({ currency, exchange_rate, tax_breakdown }: SourceDocument, own: CurrencyCode) =>
  Option.fromNullishOr(exchange_rate).pipe(
    Option.filter(() => currency !== own),
    Option.map((rate) => ({ currency: own, amount: convertedTax(tax_breakdown, rate, own) })),
    Option.getOrNull
  )
