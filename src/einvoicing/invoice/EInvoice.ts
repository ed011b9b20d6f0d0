import type { BigDecimal } from "effect"
import type { TaxCategory } from "../../billing/lines/Tax.ts"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { Profile } from "./Profiles.ts"

/**
 * The semantic model of an invoice in EN 16931-1, with the terms that our documents use. UBL and CII are its two
 * syntaxes. The comments name the business terms (BT) and groups (BG). Null and empty text mean "not known".
 */
export interface EInvoice {
  /** BG-2. */
  readonly profile: Profile
  readonly kind: "invoice" | "credit_note"
  /** BT-1. */
  readonly number: string
  /** BT-2. */
  readonly issue_date: Day
  /** BT-9. */
  readonly due_date: Day | null
  /** BT-3, UNTDID 1001. */
  readonly type_code: string
  /** BT-5. */
  readonly currency: CurrencyCode
  /** BG-1. */
  readonly notes: ReadonlyArray<Note>
  /** BT-20. */
  readonly payment_terms: string | null
  /** BT-10. */
  readonly buyer_reference: string | null
  /** BT-11. */
  readonly project_reference: string | null
  /** BT-12. */
  readonly contract_reference: string | null
  /** BT-13. */
  readonly purchase_order: string | null
  /** BG-3: the invoice that a credit note corrects. */
  readonly preceding_invoice: { readonly number: string; readonly issue_date: Day } | null
  /** The cause for which a Spanish credit note corrects an invoice: R1 to R5, or a code of Facturae. */
  readonly corrective_cause: string | null
  /** BG-4. */
  readonly seller: Party
  /** BG-7. */
  readonly buyer: Party
  /** BG-10: the party that is paid in place of the seller. */
  readonly payee: Payee | null
  /** BT-72, or BG-14. */
  readonly delivery: DeliveryTime | null
  /** BG-15, with the name of the party that receives the delivery (BT-70). */
  readonly delivery_address: (PartyAddress & { readonly name: string | null }) | null
  /** BG-16. */
  readonly payment: PaymentInstructions | null
  /** BG-20 and BG-21. */
  readonly adjustments: ReadonlyArray<EInvoiceAdjustment>
  /** BG-24. */
  readonly attachments: ReadonlyArray<EmbeddedAttachment>
  /** BG-25. */
  readonly lines: ReadonlyArray<EInvoiceLine>
  /** BG-23. */
  readonly tax_breakdown: ReadonlyArray<EInvoiceTax>
  /**
   * The rate from the currency of the document to the seller's own; null if both currencies are the same or the rate
   * is unknown.
   */
  readonly exchange_rate: BigDecimal.BigDecimal | null
  /**
   * BT-6 and BT-111: the tax in the seller's own currency; null if the document has this currency or the exchange rate
   * is unknown.
   */
  readonly accounting_tax: { readonly currency: CurrencyCode; readonly amount: BigDecimal.BigDecimal } | null
  /** BG-22. */
  readonly totals: EInvoiceTotals
}

export interface Note {
  /** BT-21, UNTDID 4451. */
  readonly subject: string | null
  /** BT-22. */
  readonly text: string
}

/** The day on which goods or services were supplied, or the first and the last day of the period. */
export type DeliveryTime = { readonly date: Day } | { readonly start: Day; readonly end: Day }

export interface Party {
  /** BT-27 or BT-44. */
  readonly name: string
  /** BT-28 or BT-45. */
  readonly trading_name: string | null
  /** BT-31 or BT-48, with the prefix of the country. */
  readonly vat_identifier: string | null
  /** BT-32: the tax authority's number of the seller that is not a VAT identifier. */
  readonly tax_registration: string | null
  /** BT-30 or BT-47; the scheme is an ISO 6523 code. */
  readonly legal_registration: Identifier | null
  /** BT-33. */
  readonly legal_form: string | null
  /** BT-34 or BT-49; the scheme is an EAS code. The value is empty when the party is on no network. */
  readonly electronic_address: Identifier
  /** BG-5 or BG-8. */
  readonly address: PartyAddress
  /** BG-6; only a seller has a contact. */
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
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
}

export interface Payee {
  /** BT-59. */
  readonly name: string
  /** BT-60; the scheme is an ISO 6523 code. */
  readonly identifier: Identifier | null
  /** BT-61. */
  readonly registration_number: string | null
}

export interface PaymentInstructions {
  /** BT-81, UNTDID 4461. */
  readonly means_code: string
  /** BT-83: the structured reference. */
  readonly reference: string | null
  /** BG-17. */
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
  /** BT-151, UNCL 5305. */
  readonly category: TaxCategory
  /** BT-152, in percent. */
  readonly rate: BigDecimal.BigDecimal
  /** The VATEX code that the line or its tax rate names. FatturaPA divides exemptions further than the categories. */
  readonly exemption_code: string | null
}

export interface EInvoiceLine {
  /** BT-126. */
  readonly id: string
  /** BT-153. */
  readonly name: string
  /** BT-154: the whole text; null when the name (BT-153) is already the whole text. */
  readonly description: string | null
  /** BT-129. Negative when the unit price of the document is negative, because BT-146 may not be. */
  readonly quantity: BigDecimal.BigDecimal
  /** BT-130, UN/ECE Recommendation 20. */
  readonly unit: string
  /** BT-146: never negative (BR-27). */
  readonly price: BigDecimal.BigDecimal
  /** BT-131. */
  readonly net_amount: BigDecimal.BigDecimal
  /** BG-27, or BG-28 on a line with a negative amount, whose amount a discount raises as a charge does. */
  readonly discount: LineDiscount | null
  /**
   * Another BG-27 or BG-28: the amount that the line gains or loses because its net amount is rounded to a currency
   * without cents. Null where the net amount follows from quantity, price and discount (Peppol R120).
   */
  readonly rounding: LineDiscount | null
  /** EN 16931 allows exactly one tax on a line; a line of our documents may have several. */
  readonly taxes: ReadonlyArray<LineTax>
}

export interface LineDiscount {
  readonly is_charge: boolean
  /** BT-136 or BT-141 on a line, BT-92 or BT-99 on the document; never negative. */
  readonly amount: BigDecimal.BigDecimal
  /** BT-137 and BT-138 of a discount in percent; null for a discount of a fixed amount. */
  readonly percentage: { readonly base: BigDecimal.BigDecimal; readonly percent: BigDecimal.BigDecimal } | null
}

/** A discount (BG-20) or a charge (BG-21) on the whole document. */
export interface EInvoiceAdjustment extends LineDiscount {
  /** BT-97 or BT-104. */
  readonly reason: string
  /** EN 16931 allows exactly one tax, as on a line. */
  readonly taxes: ReadonlyArray<LineTax>
}

export interface EInvoiceTax extends LineTax {
  /** BT-116. */
  readonly taxable_amount: BigDecimal.BigDecimal
  /** BT-117. */
  readonly tax_amount: BigDecimal.BigDecimal
  /** BT-120 and BT-121. */
  readonly exemption: { readonly reason: string; readonly code: string | null } | null
}

interface EInvoiceTotals {
  /** BT-106. */
  readonly lines: BigDecimal.BigDecimal
  /** BT-107. */
  readonly discounts: BigDecimal.BigDecimal
  /** BT-108. */
  readonly charges: BigDecimal.BigDecimal
  /** BT-109: the sum of the lines less the discounts, plus the charges. */
  readonly tax_exclusive: BigDecimal.BigDecimal
  /** BT-110. */
  readonly tax: BigDecimal.BigDecimal
  /** BT-112. */
  readonly tax_inclusive: BigDecimal.BigDecimal
  /** BT-114. */
  readonly rounding: BigDecimal.BigDecimal
  /** BT-113: the amount that the buyer has paid when the document is written. */
  readonly prepaid: BigDecimal.BigDecimal
  /** BT-115. */
  readonly payable: BigDecimal.BigDecimal
}
