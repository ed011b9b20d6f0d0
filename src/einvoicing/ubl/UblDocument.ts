import { BigDecimal } from "effect"
import { element, textElement, xmlDocument, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EInvoiceLine, EInvoiceTax, EmbeddedAttachment } from "../invoice/EInvoice.ts"
import { adjustedTotal, attachmentReference, breakdownRate, decimalText, lineRate } from "../invoice/Written.ts"
import {
  type AmountElement,
  amountIn,
  documentAdjustment,
  lineDiscount,
  lineRounding,
  taxCategory
} from "./UblFigures.ts"
import { ublDelivery, ublParty, ublPayee } from "./UblParty.ts"

const schema = "urn:oasis:names:specification:ubl:schema:xsd:"
const components = {
  "xmlns:cac": `${schema}CommonAggregateComponents-2`,
  "xmlns:cbc": `${schema}CommonBasicComponents-2`
}

/** Names of the elements that differ between invoices and credit notes. */
const names = {
  invoice: { root: "Invoice", type_code: "InvoiceTypeCode", line: "InvoiceLine", quantity: "InvoicedQuantity" },
  credit_note: {
    root: "CreditNote",
    type_code: "CreditNoteTypeCode",
    line: "CreditNoteLine",
    quantity: "CreditedQuantity"
  }
} as const

/** Writes a UBL 2.1 Invoice or CreditNote as EN 16931-3-2 defines it. The same invoice always gives the same text. */
export const ublDocument = (invoice: EInvoice): string => {
  const { root, type_code } = names[invoice.kind]
  const amount = amountIn(invoice.currency)
  const isCredit = invoice.kind === "credit_note"
  const creditor = invoice.payment?.debit?.creditor ?? null
  return xmlDocument(root, { xmlns: `${schema}${root}-2`, ...components }, [
    textElement("cbc:CustomizationID", invoice.profile.customization),
    textElement("cbc:ProfileID", invoice.profile.process),
    textElement("cbc:ID", invoice.number),
    textElement("cbc:IssueDate", invoice.issue_date),
    isCredit ? null : textElement("cbc:DueDate", invoice.due_date),
    textElement(`cbc:${type_code}`, invoice.type_code),
    ...notes(invoice),
    textElement("cbc:DocumentCurrencyCode", invoice.currency),
    textElement("cbc:TaxCurrencyCode", invoice.accounting_tax?.currency ?? null),
    textElement("cbc:BuyerReference", invoice.buyer_reference),
    invoicePeriod(invoice),
    element("cac:OrderReference", textElement("cbc:ID", invoice.purchase_order)),
    precedingInvoice(invoice),
    element("cac:ContractDocumentReference", textElement("cbc:ID", invoice.contract_reference)),
    ...invoice.attachments.map(attachment),
    projectReference(invoice),
    element("cac:AccountingSupplierParty", ublParty(invoice.seller, invoice.payee === null ? creditor : null)),
    // EN 16931 allows a tax number other than the VAT identifier (BT-32) for the seller only.
    element("cac:AccountingCustomerParty", ublParty({ ...invoice.buyer, tax_registration: null }, null)),
    ublPayee(invoice.payee, creditor),
    ublDelivery(invoice),
    paymentMeans(invoice),
    element("cac:PaymentTerms", textElement("cbc:Note", invoice.payment_terms)),
    ...invoice.adjustments.map((adjustment) => documentAdjustment(adjustment, amount)),
    ...taxTotals(invoice, amount),
    monetaryTotal(invoice, amount),
    ...invoice.lines.map((line) => documentLine(invoice, line, amount))
  ])
}

/** UBL has no element for a note's subject (BT-21), so the text begins with it. Peppol allows one note (R002). */
const notes = ({ notes, profile }: EInvoice): ReadonlyArray<XmlPart> => {
  const texts = notes.map(({ subject, text }) => (subject === null ? text : `#${subject}#${text}`))
  return (profile.rules === "peppol" ? [texts.join("\n")] : texts).map((text) => textElement("cbc:Note", text))
}

const attachment = (of: EmbeddedAttachment, index: number): XmlPart =>
  element(
    "cac:AdditionalDocumentReference",
    textElement("cbc:ID", attachmentReference(index)),
    textElement("cbc:DocumentDescription", of.description),
    element(
      "cac:Attachment",
      textElement("cbc:EmbeddedDocumentBinaryObject", of.base64, { mimeCode: of.mime_type, filename: of.name })
    )
  )

/** BT-11. A UBL credit note has no project element, but a document reference of type 50. */
const projectReference = ({ kind, project_reference }: EInvoice): XmlPart => {
  if (project_reference === null) return null
  const id = textElement("cbc:ID", project_reference)
  if (kind === "invoice") return element("cac:ProjectReference", id)
  return element("cac:AdditionalDocumentReference", id, textElement("cbc:DocumentTypeCode", "50"))
}

const invoicePeriod = ({ delivery }: EInvoice): XmlPart =>
  delivery === null || "date" in delivery
    ? null
    : element(
        "cac:InvoicePeriod",
        textElement("cbc:StartDate", delivery.start),
        textElement("cbc:EndDate", delivery.end)
      )

const precedingInvoice = ({ preceding_invoice }: EInvoice): XmlPart =>
  preceding_invoice === null
    ? null
    : element(
        "cac:BillingReference",
        element(
          "cac:InvoiceDocumentReference",
          textElement("cbc:ID", preceding_invoice.number),
          textElement("cbc:IssueDate", preceding_invoice.issue_date)
        )
      )

/** Placeholder for the card network (such as VISA), which UBL requires but EN 16931 does not have. */
const unknown_card_network = "NA"

const paymentMeans = ({ due_date, kind, payment }: EInvoice): XmlPart =>
  payment === null
    ? null
    : element(
        "cac:PaymentMeans",
        textElement("cbc:PaymentMeansCode", payment.means_code),
        kind === "credit_note" ? textElement("cbc:PaymentDueDate", due_date) : null,
        textElement("cbc:PaymentID", payment.reference),
        element(
          "cac:CardAccount",
          textElement("cbc:PrimaryAccountNumberID", payment.card?.digits ?? null),
          payment.card === null ? null : textElement("cbc:NetworkID", unknown_card_network),
          textElement("cbc:HolderName", payment.card?.holder ?? null)
        ),
        element(
          "cac:PayeeFinancialAccount",
          textElement("cbc:ID", payment.account?.iban ?? null),
          textElement("cbc:Name", payment.account?.name ?? null),
          element("cac:FinancialInstitutionBranch", textElement("cbc:ID", payment.account?.bic ?? null))
        ),
        element(
          "cac:PaymentMandate",
          textElement("cbc:ID", payment.debit?.mandate ?? null),
          element("cac:PayerFinancialAccount", textElement("cbc:ID", payment.debit?.iban ?? null))
        )
      )

const taxTotals = (invoice: EInvoice, amount: AmountElement) => [
  element(
    "cac:TaxTotal",
    amount("cbc:TaxAmount", invoice.totals.tax),
    ...invoice.tax_breakdown.map((tax) => taxSubtotal(invoice, tax, amount))
  ),
  accountingTax(invoice)
]

const accountingTax = ({ accounting_tax }: EInvoice): XmlPart =>
  accounting_tax === null
    ? null
    : element("cac:TaxTotal", amountIn(accounting_tax.currency)("cbc:TaxAmount", accounting_tax.amount))

const taxSubtotal = (invoice: EInvoice, tax: EInvoiceTax, amount: AmountElement): XmlPart =>
  element(
    "cac:TaxSubtotal",
    amount("cbc:TaxableAmount", tax.taxable_amount),
    amount("cbc:TaxAmount", tax.tax_amount),
    taxCategory(
      "cac:TaxCategory",
      tax,
      breakdownRate(invoice, tax),
      textElement("cbc:TaxExemptionReasonCode", tax.exemption?.code ?? null),
      textElement("cbc:TaxExemptionReason", tax.exemption?.reason ?? null)
    )
  )

const monetaryTotal = (invoice: EInvoice, amount: AmountElement): XmlPart => {
  const { totals } = invoice
  const [discounts, charges] = [adjustedTotal(invoice, false), adjustedTotal(invoice, true)]
  return element(
    "cac:LegalMonetaryTotal",
    amount("cbc:LineExtensionAmount", totals.lines),
    amount("cbc:TaxExclusiveAmount", totals.tax_exclusive),
    amount("cbc:TaxInclusiveAmount", totals.tax_inclusive),
    discounts === null ? null : amount("cbc:AllowanceTotalAmount", discounts),
    charges === null ? null : amount("cbc:ChargeTotalAmount", charges),
    BigDecimal.isZero(totals.prepaid) ? null : amount("cbc:PrepaidAmount", totals.prepaid),
    BigDecimal.isZero(totals.rounding) ? null : amount("cbc:PayableRoundingAmount", totals.rounding),
    amount("cbc:PayableAmount", totals.payable)
  )
}

const documentLine = ({ currency, kind }: EInvoice, line: EInvoiceLine, amount: AmountElement): XmlPart =>
  element(
    `cac:${names[kind].line}`,
    textElement("cbc:ID", line.id),
    textElement(`cbc:${names[kind].quantity}`, decimalText(line.quantity), { unitCode: line.unit }),
    amount("cbc:LineExtensionAmount", line.net_amount),
    line.discount === null ? null : lineDiscount(line.discount, amount),
    line.rounding === null ? null : lineRounding(line.rounding, currency),
    element(
      "cac:Item",
      textElement("cbc:Description", line.description),
      textElement("cbc:Name", line.name),
      ...line.taxes.map((tax) => taxCategory("cac:ClassifiedTaxCategory", tax, lineRate(tax)))
    ),
    element("cac:Price", textElement("cbc:PriceAmount", decimalText(line.price), { currencyID: currency }))
  )
