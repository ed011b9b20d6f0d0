import { BigDecimal, Struct } from "effect"
import type { Correspondents, PostalAddress, PrintedOrganization } from "../../billing/correspondence/Correspondents.ts"
import { isText, readerOf } from "../../billing/printing/DocumentFormat.ts"
import { exemptionReason } from "../../billing/printing/ExemptionReasons.ts"
import { creditWording } from "../../billing/printing/SellerFacts.ts"
import type { TaxGroup } from "../../billing/lines/Tax.ts"
import type { LineItem } from "../../billing/lines/LineItem.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { zero } from "../../kernel/Money.ts"
import type { EInvoice, EInvoiceTax, EmbeddedAttachment, Note, PartyAddress } from "../invoice/EInvoice.ts"
import { withDiscountLineEnded } from "../invoice/CashDiscount.ts"
import { frenchNotes, withFrenchKind, withFrenchProcess } from "./FrenchMentions.ts"
import { einvoiceAdjustment, type SourceAdjustment } from "./FromAdjustment.ts"
import { einvoiceLine } from "../invoice/FromLineItem.ts"
import { payeeOf, paymentOf, type SourcePayment } from "./FromPayment.ts"
import { addressOf, buyerOf, type ElectronicAddress, type Recipient, sellerOf } from "./FromParties.ts"
import { accountingTax, taxBreakdown } from "./FromTaxes.ts"
import type { Profile } from "../invoice/Profiles.ts"

/** Fields that an e-invoice takes from its document as they are. */
const carried = [
  "kind",
  "number",
  "issue_date",
  "due_date",
  "type_code",
  "currency",
  "exchange_rate",
  "delivery",
  "project_reference",
  "contract_reference",
  "purchase_order",
  "operation_nature",
  "preceding_invoice"
] as const

export interface SourceDocument extends SourcePayment, Pick<EInvoice, (typeof carried)[number]> {
  readonly items: ReadonlyArray<LineItem>
  readonly discounts: ReadonlyArray<SourceAdjustment>
  readonly charges: ReadonlyArray<SourceAdjustment>
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
  readonly subtotal: BigDecimal.BigDecimal
  readonly tax_total: BigDecimal.BigDecimal
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
  /** Payments received, less refunds. */
  readonly paid: BigDecimal.BigDecimal
  readonly delivery_address: (PostalAddress & { readonly name: string | null }) | null
  readonly buyer_reference: string | null
  /** The reason for which a Spanish credit note corrects an invoice. */
  readonly corrective_cause: { readonly code: string; readonly text: string | null } | null
  readonly attachments: ReadonlyArray<EmbeddedAttachment>
  readonly notes: string | null
  readonly terms: string | null
}

/** The profile of an e-invoice, and the electronic addresses of its sender and its recipient. */
export interface Exchange {
  readonly profile: Profile
  /** Null while the organization is on no network. Peppol and France require an address; EN 16931 alone does not. */
  readonly sender: ElectronicAddress | null
  /** Null while the customer is on no network. */
  readonly recipient: Recipient | null
}

/** EAS code of the Leitweg-ID, which identifies the receiving office and so serves as the buyer reference. */
const leitweg_scheme = "0204"
/** Placeholder ("not available") for a buyer reference that the buyer did not give. */
const no_reference = "NA"

/** Maps a document to the semantic model of EN 16931, with the parties as printed on the document. */
export const einvoiceOf = (
  document: SourceDocument,
  { customer, organization }: Correspondents,
  { profile, recipient, sender }: Exchange,
  accounting_currency: CurrencyCode
): EInvoice => {
  const parties = { customer, organization }
  const isItalian = profile.rules === "italy"
  // A FatturaPA refers to the law in Italian, whatever the language of the printed document.
  const language = isItalian ? "it" : readerOf(parties).language
  const isOwnForm = isItalian || profile.rules === "spain"
  const tax_breakdown = taxBreakdown(
    document.tax_breakdown,
    (tax) => exemptionReason(tax, language, organization.country),
    isOwnForm
  )
  // Except in the formats of Italy and Spain, a document that is not subject to VAT may not state a VAT identifier
  // (BR-O-02).
  const identified = isOwnForm || tax_breakdown.some(({ category }) => category !== "O")
  const buyer_address = addressOf(customer, recipient?.country_code ?? null)
  const discounts = document.discounts.map(einvoiceAdjustment(false))
  const charges = document.charges.map(einvoiceAdjustment(true))
  return {
    ...Struct.pick(document, carried),
    profile: withFrenchProcess(profile, document.operation_nature),
    notes: notesOf(document, parties, profile),
    payment_terms: paymentTerms(document, organization, profile),
    buyer_reference: buyerReference(document, profile, recipient),
    corrective_cause: document.corrective_cause?.code ?? null,
    it_tax_regime: organization.it_tax_regime,
    seller: sellerOf(organization, sender, identified),
    buyer: buyerOf(customer, buyer_address, recipient, identified),
    payee: payeeOf(document, organization.name, profile),
    delivery_address: deliveryAddress(document, buyer_address, tax_breakdown),
    payment: paymentOf(document, parties),
    adjustments: [...discounts, ...charges],
    attachments: document.attachments.map(withFrenchKind(profile)),
    lines: document.items.map((item) => einvoiceLine(item, document.currency)),
    tax_breakdown,
    accounting_tax: accountingTax(document, accounting_currency),
    totals: totalsOf(document, discounts, charges)
  }
}

const totalsOf = (
  document: SourceDocument,
  discounts: EInvoice["adjustments"],
  charges: EInvoice["adjustments"]
): EInvoice["totals"] => {
  // The organization refunds an overpayment outside this document, so the prepaid amount is at most the total.
  const prepaid = BigDecimal.max(zero, BigDecimal.min(document.paid, document.total))
  return {
    lines: BigDecimal.sumAll(document.items.map(({ line_total }) => line_total)),
    discounts: BigDecimal.sumAll(discounts.map(({ amount }) => amount)),
    charges: BigDecimal.sumAll(charges.map(({ amount }) => amount)),
    tax_exclusive: document.subtotal,
    tax: document.tax_total,
    tax_inclusive: BigDecimal.sum(document.subtotal, document.tax_total),
    rounding: document.rounding_adjustment,
    prepaid,
    payable: BigDecimal.subtract(document.total, prepaid)
  }
}

const notesOf = (document: SourceDocument, parties: Correspondents, profile: Profile): ReadonlyArray<Note> => {
  const { corrective_cause: cause, kind, notes, tax_total } = document
  const { organization: seller } = parties
  const wording = kind === "credit_note" ? creditWording(parties, tax_total, readerOf(parties).language) : null
  const own = [
    wording === null ? notes : [notes, wording].filter(isText).join("\n"),
    cause === null ? null : [cause.code, cause.text].filter((part) => part !== null).join(" ")
  ]
  return [
    ...(profile.rules === "france" ? frenchNotes(seller) : []),
    ...own.flatMap((text) => (text === null ? [] : [{ subject: null, text }]))
  ]
}

/**
 * Returns the payment terms (BT-20): those of the document and, for an invoice, those of the organization for late and
 * early payment, which the PDF prints, too. The organization's terms are omitted in France, where they are notes, and
 * in the formats of Italy and Spain, which have no place for them.
 */
const paymentTerms = ({ kind, terms }: SourceDocument, seller: PrintedOrganization, { rules }: Profile) => {
  const isUsual = kind === "invoice" && !["france", "italy", "spain"].includes(rules)
  const own = isUsual ? [seller.late_payment_penalty, seller.early_payment_discount] : []
  const texts = [terms, ...own].filter((text) => text !== null && text.trim() !== "")
  return texts.length === 0 ? null : withDiscountLineEnded(texts.join("\n"))
}

const buyerReference = (document: SourceDocument, profile: Profile, recipient: Exchange["recipient"]) => {
  if (document.buyer_reference !== null) return document.buyer_reference
  if (recipient?.scheme === leitweg_scheme) return recipient.value
  // Peppol requires a buyer reference or an order reference (R003), Germany always the buyer reference (DE-R-015).
  return profile.rules === "peppol" ? no_reference : null
}

/** Returns the delivery address. An intra-community supply needs one (BR-IC-12), by default that of the buyer. */
const deliveryAddress = (document: SourceDocument, buyer: PartyAddress, taxes: ReadonlyArray<EInvoiceTax>) => {
  const { delivery_address: given } = document
  if (given !== null) return { ...addressOf(given, null), name: given.name }
  return taxes.some(({ category }) => category === "K") ? { ...buyer, name: null } : null
}
