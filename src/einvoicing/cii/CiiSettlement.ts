import { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EInvoiceAdjustment, EInvoiceTax } from "../invoice/EInvoice.ts"
import { adjustedTotal, amountText, breakdownRate, discountReason, lineRate } from "../invoice/Written.ts"
import { type AmountElement, discountElement, taxElement, tradeTax } from "./CiiFigures.ts"
import { ciiPayee } from "./CiiParty.ts"

/** Code of the date format CCYYMMDD in UNTDID 2379. */
const day_format = { format: "102" }

export const dayElement = (name: string, day: Day | null, type = "udt:DateTimeString"): XmlPart =>
  element(name, textElement(type, day?.replaceAll("-", "") ?? null, day_format))

/** Writes the payment instructions, the taxes, the discounts and charges, the totals and the preceding invoice. */
export const ciiSettlement = (invoice: EInvoice, amount: AmountElement): XmlPart =>
  element(
    "ram:ApplicableHeaderTradeSettlement",
    textElement("ram:CreditorReferenceID", invoice.payment?.debit?.creditor ?? null),
    textElement("ram:PaymentReference", invoice.payment?.reference ?? null),
    textElement("ram:TaxCurrencyCode", invoice.accounting_tax?.currency ?? null),
    textElement("ram:InvoiceCurrencyCode", invoice.currency),
    ciiPayee(invoice.payee),
    paymentMeans(invoice),
    ...invoice.tax_breakdown.map((tax) => taxGroup(invoice, tax, amount)),
    invoicingPeriod(invoice),
    ...invoice.adjustments.map((adjustment) => documentAdjustment(adjustment, amount)),
    element(
      "ram:SpecifiedTradePaymentTerms",
      textElement("ram:Description", invoice.payment_terms),
      dayElement("ram:DueDateDateTime", invoice.due_date),
      textElement("ram:DirectDebitMandateID", invoice.payment?.debit?.mandate ?? null)
    ),
    monetarySummation(invoice, amount),
    precedingInvoice(invoice)
  )

const paymentMeans = ({ payment }: EInvoice): XmlPart =>
  payment === null
    ? null
    : element(
        "ram:SpecifiedTradeSettlementPaymentMeans",
        textElement("ram:TypeCode", payment.means_code),
        element(
          "ram:ApplicableTradeSettlementFinancialCard",
          textElement("ram:ID", payment.card?.digits ?? null),
          textElement("ram:CardholderName", payment.card?.holder ?? null)
        ),
        element("ram:PayerPartyDebtorFinancialAccount", textElement("ram:IBANID", payment.debit?.iban ?? null)),
        element(
          "ram:PayeePartyCreditorFinancialAccount",
          textElement("ram:IBANID", payment.account?.iban ?? null),
          textElement("ram:AccountName", payment.account?.name ?? null)
        ),
        element(
          "ram:PayeeSpecifiedCreditorFinancialInstitution",
          textElement("ram:BICID", payment.account?.bic ?? null)
        )
      )

const taxGroup = (invoice: EInvoice, tax: EInvoiceTax, amount: AmountElement): XmlPart =>
  taxElement(tax, breakdownRate(invoice, tax), {
    amount: amount("ram:CalculatedAmount", tax.tax_amount),
    reason: textElement("ram:ExemptionReason", tax.exemption?.reason ?? null),
    basis: amount("ram:BasisAmount", tax.taxable_amount),
    code: textElement("ram:ExemptionReasonCode", tax.exemption?.code ?? null)
  })

const invoicingPeriod = ({ delivery }: EInvoice): XmlPart =>
  delivery === null || "date" in delivery
    ? null
    : element(
        "ram:BillingSpecifiedPeriod",
        dayElement("ram:StartDateTime", delivery.start),
        dayElement("ram:EndDateTime", delivery.end)
      )

const documentAdjustment = (adjustment: EInvoiceAdjustment, amount: AmountElement): XmlPart =>
  discountElement(
    adjustment,
    { ...discountReason(adjustment.is_charge), text: adjustment.reason },
    amount,
    adjustment.taxes.map((tax) => tradeTax("ram:CategoryTradeTax", tax, lineRate(tax)))
  )

const monetarySummation = (invoice: EInvoice, amount: AmountElement): XmlPart => {
  const { accounting_tax, currency, totals } = invoice
  const [discounts, charges] = [adjustedTotal(invoice, false), adjustedTotal(invoice, true)]
  return element(
    "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
    amount("ram:LineTotalAmount", totals.lines),
    charges === null ? null : amount("ram:ChargeTotalAmount", charges),
    discounts === null ? null : amount("ram:AllowanceTotalAmount", discounts),
    amount("ram:TaxBasisTotalAmount", totals.tax_exclusive),
    // Only tax totals state their currency, because there may be two of them (BT-110, BT-111).
    textElement("ram:TaxTotalAmount", amountText(totals.tax, currency), { currencyID: currency }),
    accounting_tax === null
      ? null
      : textElement("ram:TaxTotalAmount", amountText(accounting_tax.amount, accounting_tax.currency), {
          currencyID: accounting_tax.currency
        }),
    BigDecimal.isZero(totals.rounding) ? null : amount("ram:RoundingAmount", totals.rounding),
    amount("ram:GrandTotalAmount", totals.tax_inclusive),
    BigDecimal.isZero(totals.prepaid) ? null : amount("ram:TotalPrepaidAmount", totals.prepaid),
    amount("ram:DuePayableAmount", totals.payable)
  )
}

const precedingInvoice = ({ preceding_invoice }: EInvoice): XmlPart =>
  preceding_invoice === null
    ? null
    : element(
        "ram:InvoiceReferencedDocument",
        textElement("ram:IssuerAssignedID", preceding_invoice.number),
        dayElement("ram:FormattedIssueDateTime", preceding_invoice.issue_date, "qdt:DateTimeString")
      )
