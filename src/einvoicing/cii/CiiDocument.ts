import { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { element, textElement, xmlDocument, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EInvoiceTax } from "../invoice/EInvoice.ts"
import { amountText, breakdownRate } from "../invoice/Written.ts"
import { amountIn, type AmountElement, taxElement } from "./CiiFigures.ts"
import { ciiLine } from "./CiiLine.ts"
import { ciiAddress, ciiParty } from "./CiiParty.ts"

const schema = "urn:un:unece:uncefact:data:standard:"
const namespaces = {
  "xmlns:rsm": `${schema}CrossIndustryInvoice:100`,
  "xmlns:ram": `${schema}ReusableAggregateBusinessInformationEntity:100`,
  "xmlns:qdt": `${schema}QualifiedDataType:100`,
  "xmlns:udt": `${schema}UnqualifiedDataType:100`
}

/** UNTDID 2379: CCYYMMDD. */
const day_format = { format: "102" }

/**
 * A Cross Industry Invoice (binding of EN 16931-3-3), which credit notes are too, by their type code. The same facts
 * give the same text.
 */
export const ciiDocument = (invoice: EInvoice): string => {
  const amount = amountIn(invoice.currency)
  return xmlDocument("rsm:CrossIndustryInvoice", namespaces, [
    element(
      "rsm:ExchangedDocumentContext",
      element("ram:BusinessProcessSpecifiedDocumentContextParameter", textElement("ram:ID", invoice.profile.process)),
      element("ram:GuidelineSpecifiedDocumentContextParameter", textElement("ram:ID", invoice.profile.customization))
    ),
    element(
      "rsm:ExchangedDocument",
      textElement("ram:ID", invoice.number),
      textElement("ram:TypeCode", invoice.type_code),
      dayElement("ram:IssueDateTime", invoice.issue_date),
      element("ram:IncludedNote", textElement("ram:Content", invoice.note))
    ),
    element(
      "rsm:SupplyChainTradeTransaction",
      ...invoice.lines.map((line) => ciiLine(line, amount)),
      agreement(invoice),
      delivery(invoice) ?? "<ram:ApplicableHeaderTradeDelivery/>",
      settlement(invoice, amount)
    )
  ])
}

const dayElement = (name: string, day: Day | null, type = "udt:DateTimeString"): XmlPart =>
  element(name, textElement(type, day?.replaceAll("-", "") ?? null, day_format))

const agreement = (invoice: EInvoice): XmlPart =>
  element(
    "ram:ApplicableHeaderTradeAgreement",
    textElement("ram:BuyerReference", invoice.buyer_reference),
    ciiParty("ram:SellerTradeParty", invoice.seller),
    // Only a seller has a tax number that is no VAT identifier (BT-32).
    ciiParty("ram:BuyerTradeParty", { ...invoice.buyer, tax_registration: null })
  )

const delivery = ({ delivery, delivery_address }: EInvoice): XmlPart =>
  element(
    "ram:ApplicableHeaderTradeDelivery",
    delivery_address === null ? null : element("ram:ShipToTradeParty", ciiAddress(delivery_address)),
    delivery !== null && "date" in delivery
      ? element("ram:ActualDeliverySupplyChainEvent", dayElement("ram:OccurrenceDateTime", delivery.date))
      : null
  )

const settlement = (invoice: EInvoice, amount: AmountElement): XmlPart =>
  element(
    "ram:ApplicableHeaderTradeSettlement",
    textElement("ram:PaymentReference", invoice.payment?.reference ?? null),
    textElement("ram:TaxCurrencyCode", invoice.accounting_tax?.currency ?? null),
    textElement("ram:InvoiceCurrencyCode", invoice.currency),
    paymentMeans(invoice),
    ...invoice.tax_breakdown.map((tax) => taxGroup(invoice, tax, amount)),
    invoicingPeriod(invoice),
    element(
      "ram:SpecifiedTradePaymentTerms",
      textElement("ram:Description", invoice.payment_terms),
      dayElement("ram:DueDateDateTime", invoice.due_date)
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

const monetarySummation = ({ accounting_tax, currency, totals }: EInvoice, amount: AmountElement): XmlPart =>
  element(
    "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
    amount("ram:LineTotalAmount", totals.lines),
    amount("ram:TaxBasisTotalAmount", totals.tax_exclusive),
    // Of the amounts only these name their currency, because there may be two of them.
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

const precedingInvoice = ({ preceding_invoice }: EInvoice): XmlPart =>
  preceding_invoice === null
    ? null
    : element(
        "ram:InvoiceReferencedDocument",
        textElement("ram:IssuerAssignedID", preceding_invoice.number),
        dayElement("ram:FormattedIssueDateTime", preceding_invoice.issue_date, "qdt:DateTimeString")
      )
