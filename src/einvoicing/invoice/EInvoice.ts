import type { BigDecimal } from "effect"
import type { TaxCategory } from "../../billing/lines/Tax.ts"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { ItalianTaxRegime } from "../../kernel/OrganizationSettings.ts"
import type { Profile } from "./Profiles.ts"

/**
 * An invoice or a credit note in the semantic model of EN 16931-1, which UBL and CII write as XML. The comments on the
 * fields name the business terms (BT) and groups (BG). Null and empty text mean "not known".
 */
export interface EInvoice {
  /** BG-2: process control. */
  readonly profile: Profile
  readonly kind: "invoice" | "credit_note"
  /** BT-1: invoice number. */
  readonly number: string
  /** BT-2: issue date. */
  readonly issue_date: Day
  /** BT-9: payment due date. */
  readonly due_date: Day | null
  /** BT-3: type of the invoice, a code of UNTDID 1001. */
  readonly type_code: string
  /** BT-5: invoice currency. */
  readonly currency: CurrencyCode
  /** BG-1: invoice notes. */
  readonly notes: ReadonlyArray<Note>
  /** BT-20: payment terms. */
  readonly payment_terms: string | null
  /** BT-10: buyer reference. */
  readonly buyer_reference: string | null
  /** BT-11: project reference. */
  readonly project_reference: string | null
  /** BT-12: contract reference. */
  readonly contract_reference: string | null
  /** BT-13: purchase order reference. */
  readonly purchase_order: string | null
  /** BG-3: the invoice that a credit note corrects. */
  readonly preceding_invoice: { readonly number: string; readonly issue_date: Day } | null
  /** The cause for which a Spanish credit note corrects an invoice: R1 to R5, or a code of Facturae. */
  readonly corrective_cause: string | null
  /** The kind of the supply, which decides the natura of a sale under the One Stop Shop in a FatturaPA. */
  readonly operation_nature: "goods" | "services" | "mixed" | null
  /** The seller's tax regime, which a FatturaPA states; null in documents that were issued by older versions. */
  readonly it_tax_regime: ItalianTaxRegime | null
  /** BG-4: seller. */
  readonly seller: Party
  /** BG-7: buyer. */
  readonly buyer: Party
  /** BG-10: the party that is paid in place of the seller. */
  readonly payee: Payee | null
  /** BT-72: delivery date; or BG-14: invoicing period. */
  readonly delivery: DeliveryTime | null
  /** BG-15: delivery address, with the name of the party that receives the delivery (BT-70). */
  readonly delivery_address: (PartyAddress & { readonly name: string | null }) | null
  /** BG-16: payment instructions. */
  readonly payment: PaymentInstructions | null
  /** BG-20 and BG-21: discounts and charges on the whole document. */
  readonly adjustments: ReadonlyArray<EInvoiceAdjustment>
  /** BG-24: additional supporting documents. */
  readonly attachments: ReadonlyArray<EmbeddedAttachment>
  /** BG-25: invoice lines. */
  readonly lines: ReadonlyArray<EInvoiceLine>
  /** BG-23: VAT breakdown. */
  readonly tax_breakdown: ReadonlyArray<EInvoiceTax>
  /** The rate from the document's currency to the seller's; null if both are the same or the rate is unknown. */
  readonly exchange_rate: BigDecimal.BigDecimal | null
  /**
   * BT-6 and BT-111: the tax in the seller's own currency; null if that is the document's currency or the rate is
   * unknown.
   */
  readonly accounting_tax: { readonly currency: CurrencyCode; readonly amount: BigDecimal.BigDecimal } | null
  /** BG-22: document totals. */
  readonly totals: EInvoiceTotals
}

export interface Note {
  /** BT-21: subject of the note, a code of UNTDID 4451. */
  readonly subject: string | null
  /** BT-22: text of the note. */
  readonly text: string
}

/** The day on which goods or services were supplied, or the first and the last day of the period. */
export type DeliveryTime = { readonly date: Day } | { readonly start: Day; readonly end: Day }

export interface Party {
  /** BT-27 or BT-44: name of the seller or the buyer. */
  readonly name: string
  /** BT-28 or BT-45: trading name of the seller or the buyer. */
  readonly trading_name: string | null
  /** BT-31 or BT-48: VAT identifier of the seller or the buyer, with the prefix of the country. */
  readonly vat_identifier: string | null
  /** BT-32: the seller's number at the tax authority, if this number is not a VAT identifier. */
  readonly tax_registration: string | null
  /** BT-30 or BT-47: legal registration identifier of the seller or the buyer; the scheme is an ISO 6523 code. */
  readonly legal_registration: Identifier | null
  /** BT-33: additional legal information of the seller. */
  readonly legal_form: string | null
  /** BT-34 or BT-49: address on the network; the scheme is an EAS code. The value is empty without such an address. */
  readonly electronic_address: Identifier
  /** BG-5 or BG-8: postal address of the seller or the buyer. */
  readonly address: PartyAddress
  /** BG-6: contact; only a seller has one. */
  readonly contact: {
    readonly name: string | null
    readonly phone: string | null
    readonly email: string | null
  } | null
}

export interface Identifier {
  readonly scheme: string | null
  readonly value: string
}

export interface PartyAddress {
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly postal_code: string | null
  readonly subdivision: string | null
  /** Country code (ISO 3166-1 alpha-2). */
  readonly country: string | null
}

export interface Payee {
  /** BT-59: payee name. */
  readonly name: string
  /** BT-60: payee identifier; the scheme is an ISO 6523 code. */
  readonly identifier: Identifier | null
  /** BT-61: legal registration identifier of the payee. */
  readonly registration_number: string | null
}

export interface PaymentInstructions {
  /** BT-81: means of payment, a code of UNTDID 4461. */
  readonly means_code: string
  /** BT-83: the structured payment reference. */
  readonly reference: string | null
  /** BG-17: credit transfer. */
  readonly account: { readonly iban: string; readonly bic: string | null; readonly name: string } | null
  /** BG-18: the last digits of a card (BT-87) and its holder (BT-88). */
  readonly card: { readonly digits: string; readonly holder: string | null } | null
  /** BG-19: the mandate (BT-89), the creditor identifier (BT-90) and the debited account (BT-91). */
  readonly debit: {
    readonly mandate: string
    readonly creditor: string | null
    readonly iban: string | null
  } | null
}

/** A file that is embedded in the document (BT-125), with its description (BT-123). */
export interface EmbeddedAttachment {
  readonly name: string
  readonly description: string | null
  readonly mime_type: string
  readonly base64: string
}

export interface LineTax {
  /** BT-151: VAT category of the line, a code of UNCL 5305. */
  readonly category: TaxCategory
  /** BT-152: VAT rate of the line, in percent. */
  readonly rate: BigDecimal.BigDecimal
  /** The VATEX code. FatturaPA distinguishes more exemptions than the VAT categories do. */
  readonly exemption_code: string | null
  /** The country of consumption under the One Stop Shop; null for the country of the seller. */
  readonly country: string | null
}

export interface EInvoiceLine {
  /** BT-126: line identifier. */
  readonly id: string
  /** BT-153: item name. */
  readonly name: string
  /** BT-154: the whole description; null when the name (BT-153) already contains all of it. */
  readonly description: string | null
  /** BT-129: quantity; negative when the unit price of our document is negative, because BT-146 may not be negative. */
  readonly quantity: BigDecimal.BigDecimal
  /** BT-130: unit of the quantity, a code of UN/ECE Recommendation 20. */
  readonly unit: string
  /** BT-146: unit price, which is never negative (BR-27). */
  readonly price: BigDecimal.BigDecimal
  /** BT-131: net amount of the line. */
  readonly net_amount: BigDecimal.BigDecimal
  /** A discount (BG-27), or a charge (BG-28) if the amount of the line is negative. */
  readonly discount: LineDiscount | null
  /**
   * The amount that the line gains (BG-28) or loses (BG-27) because its net amount is rounded to a currency without
   * cents. Null where the net amount follows from quantity, price and discount (Peppol R120).
   */
  readonly rounding: LineDiscount | null
  /** EN 16931 allows exactly one tax on a line; a line of our documents may have several. */
  readonly taxes: ReadonlyArray<LineTax>
}

export interface LineDiscount {
  readonly is_charge: boolean
  /** The amount on a line (BT-136, BT-141) or the document (BT-92, BT-99) is never negative. */
  readonly amount: BigDecimal.BigDecimal
  /** BT-137 and BT-138: base and percentage of a discount in percent; null for a discount of a fixed amount. */
  readonly percentage: { readonly base: BigDecimal.BigDecimal; readonly percent: BigDecimal.BigDecimal } | null
}

/** A discount (BG-20) or a charge (BG-21) on the whole document. */
export interface EInvoiceAdjustment extends LineDiscount {
  /** BT-97 or BT-104: reason of the discount or the charge. */
  readonly reason: string
  /** EN 16931 allows exactly one tax on each discount or charge. */
  readonly taxes: ReadonlyArray<LineTax>
}

export interface EInvoiceTax extends LineTax {
  /** BT-116: taxable amount of the VAT category. */
  readonly taxable_amount: BigDecimal.BigDecimal
  /** BT-117: tax amount of the VAT category. */
  readonly tax_amount: BigDecimal.BigDecimal
  /** BT-120 and BT-121: reason of the exemption, as text and as code. */
  readonly exemption: { readonly reason: string; readonly code: string | null } | null
}

interface EInvoiceTotals {
  /** BT-106: sum of the net amounts of the lines. */
  readonly lines: BigDecimal.BigDecimal
  /** BT-107: sum of the discounts on the document. */
  readonly discounts: BigDecimal.BigDecimal
  /** BT-108: sum of the charges on the document. */
  readonly charges: BigDecimal.BigDecimal
  /** BT-109: the sum of the lines less the discounts, plus the charges. */
  readonly tax_exclusive: BigDecimal.BigDecimal
  /** BT-110: total VAT amount. */
  readonly tax: BigDecimal.BigDecimal
  /** BT-112: total amount with VAT. */
  readonly tax_inclusive: BigDecimal.BigDecimal
  /** BT-114: rounding amount. */
  readonly rounding: BigDecimal.BigDecimal
  /** BT-113: the amount that the buyer has paid when the document is written. */
  readonly prepaid: BigDecimal.BigDecimal
  /** BT-115: amount due for payment. */
  readonly payable: BigDecimal.BigDecimal
}
