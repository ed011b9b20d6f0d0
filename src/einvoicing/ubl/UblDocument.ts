import { BigDecimal } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { element, textElement, xmlDocument, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EInvoiceLine, EInvoiceTax, LineDiscount, Party, PartyAddress } from "../invoice/EInvoice.ts"
import { amountText, breakdownRate, decimalText, discountReason, lineRate, tradingName } from "../invoice/Written.ts"

const schema = "urn:oasis:names:specification:ubl:schema:xsd:"
const components = {
  "xmlns:cac": `${schema}CommonAggregateComponents-2`,
  "xmlns:cbc": `${schema}CommonBasicComponents-2`
}

/** The elements whose names the two kinds of document do not share. */
const names = {
  invoice: { root: "Invoice", type_code: "InvoiceTypeCode", line: "InvoiceLine", quantity: "InvoicedQuantity" },
  credit_note: {
    root: "CreditNote",
    type_code: "CreditNoteTypeCode",
    line: "CreditNoteLine",
    quantity: "CreditedQuantity"
  }
} as const

/** A UBL 2.1 Invoice or CreditNote (binding of EN 16931-3-2). The same facts give the same text. */
export const ublDocument = (invoice: EInvoice): string => {
  const { root, type_code } = names[invoice.kind]
  const amount = amountIn(invoice.currency)
  const isCredit = invoice.kind === "credit_note"
  return xmlDocument(root, { xmlns: `${schema}${root}-2`, ...components }, [
    textElement("cbc:CustomizationID", invoice.profile.customization),
    textElement("cbc:ProfileID", invoice.profile.process),
    textElement("cbc:ID", invoice.number),
    textElement("cbc:IssueDate", invoice.issue_date),
    isCredit ? null : textElement("cbc:DueDate", invoice.due_date),
    textElement(`cbc:${type_code}`, invoice.type_code),
    textElement("cbc:Note", invoice.note),
    textElement("cbc:DocumentCurrencyCode", invoice.currency),
    textElement("cbc:TaxCurrencyCode", invoice.accounting_tax?.currency ?? null),
    textElement("cbc:BuyerReference", invoice.buyer_reference),
    invoicePeriod(invoice),
    precedingInvoice(invoice),
    element("cac:AccountingSupplierParty", party(invoice.seller)),
    // Only a seller has a tax number that is no VAT identifier (BT-32).
    element("cac:AccountingCustomerParty", party({ ...invoice.buyer, tax_registration: null })),
    delivery(invoice),
    paymentMeans(invoice),
    element("cac:PaymentTerms", textElement("cbc:Note", invoice.payment_terms)),
    ...taxTotals(invoice, amount),
    monetaryTotal(invoice, amount),
    ...invoice.lines.map((line) => documentLine(invoice, line, amount))
  ])
}

type AmountElement = (name: string, amount: BigDecimal.BigDecimal) => XmlPart

const amountIn =
  (currency: CurrencyCode): AmountElement =>
  (name, amount) =>
    textElement(name, amountText(amount, currency), { currencyID: currency })

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

const party = (of: Party): XmlPart => {
  const { address, contact, electronic_address, legal_form, legal_registration } = of
  return element(
    "cac:Party",
    identifier("cbc:EndpointID", electronic_address),
    element("cac:PartyName", textElement("cbc:Name", tradingName(of))),
    addressElement("cac:PostalAddress", address),
    taxScheme(of.vat_identifier, "VAT"),
    taxScheme(of.tax_registration, "TAX"),
    element(
      "cac:PartyLegalEntity",
      textElement("cbc:RegistrationName", of.name),
      legal_registration === null ? null : identifier("cbc:CompanyID", legal_registration),
      textElement("cbc:CompanyLegalForm", legal_form)
    ),
    element(
      "cac:Contact",
      textElement("cbc:Name", contact?.name ?? null),
      textElement("cbc:Telephone", contact?.phone ?? null),
      textElement("cbc:ElectronicMail", contact?.email ?? null)
    )
  )
}

const addressElement = (name: string, address: PartyAddress): XmlPart =>
  element(
    name,
    textElement("cbc:StreetName", address.line1),
    textElement("cbc:AdditionalStreetName", address.line2),
    textElement("cbc:CityName", address.city),
    textElement("cbc:PostalZone", address.postal_code),
    textElement("cbc:CountrySubentity", address.subdivision),
    element("cac:Country", textElement("cbc:IdentificationCode", address.country))
  )

const identifier = (name: string, { scheme, value }: Party["electronic_address"]): XmlPart =>
  textElement(name, value, scheme === null || scheme === "" ? {} : { schemeID: scheme })

const taxScheme = (identifier: string | null, scheme: "VAT" | "TAX"): XmlPart =>
  identifier === null
    ? null
    : element("cac:PartyTaxScheme", textElement("cbc:CompanyID", identifier), taxSchemeOf(scheme))

const taxSchemeOf = (scheme: "VAT" | "TAX") => element("cac:TaxScheme", textElement("cbc:ID", scheme))

const delivery = ({ delivery, delivery_address }: EInvoice): XmlPart =>
  element(
    "cac:Delivery",
    delivery !== null && "date" in delivery ? textElement("cbc:ActualDeliveryDate", delivery.date) : null,
    delivery_address === null ? null : element("cac:DeliveryLocation", addressElement("cac:Address", delivery_address))
  )

const paymentMeans = ({ due_date, kind, payment }: EInvoice): XmlPart =>
  payment === null
    ? null
    : element(
        "cac:PaymentMeans",
        textElement("cbc:PaymentMeansCode", payment.means_code),
        kind === "credit_note" ? textElement("cbc:PaymentDueDate", due_date) : null,
        textElement("cbc:PaymentID", payment.reference),
        element(
          "cac:PayeeFinancialAccount",
          textElement("cbc:ID", payment.account?.iban ?? null),
          textElement("cbc:Name", payment.account?.name ?? null),
          element("cac:FinancialInstitutionBranch", textElement("cbc:ID", payment.account?.bic ?? null))
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

const taxCategory = (
  name: string,
  { category }: EInvoiceLine["taxes"][number],
  rate: string | null,
  ...exemption: ReadonlyArray<XmlPart>
): XmlPart =>
  element(name, textElement("cbc:ID", category), textElement("cbc:Percent", rate), ...exemption, taxSchemeOf("VAT"))

const monetaryTotal = ({ totals }: EInvoice, amount: AmountElement): XmlPart =>
  element(
    "cac:LegalMonetaryTotal",
    amount("cbc:LineExtensionAmount", totals.lines),
    amount("cbc:TaxExclusiveAmount", totals.tax_exclusive),
    amount("cbc:TaxInclusiveAmount", totals.tax_inclusive),
    BigDecimal.isZero(totals.prepaid) ? null : amount("cbc:PrepaidAmount", totals.prepaid),
    BigDecimal.isZero(totals.rounding) ? null : amount("cbc:PayableRoundingAmount", totals.rounding),
    amount("cbc:PayableAmount", totals.payable)
  )

const documentLine = ({ currency, kind }: EInvoice, line: EInvoiceLine, amount: AmountElement): XmlPart =>
  element(
    `cac:${names[kind].line}`,
    textElement("cbc:ID", line.id),
    textElement(`cbc:${names[kind].quantity}`, decimalText(line.quantity), { unitCode: line.unit }),
    amount("cbc:LineExtensionAmount", line.net_amount),
    line.discount === null ? null : lineDiscount(line.discount, amount),
    element(
      "cac:Item",
      textElement("cbc:Description", line.description),
      textElement("cbc:Name", line.name),
      ...line.taxes.map((tax) => taxCategory("cac:ClassifiedTaxCategory", tax, lineRate(tax)))
    ),
    element("cac:Price", textElement("cbc:PriceAmount", decimalText(line.price), { currencyID: currency }))
  )

const lineDiscount = ({ amount: of, is_charge, percentage }: LineDiscount, amount: AmountElement): XmlPart => {
  const reason = discountReason(is_charge)
  return element(
    "cac:AllowanceCharge",
    textElement("cbc:ChargeIndicator", String(is_charge)),
    textElement("cbc:AllowanceChargeReasonCode", reason.code),
    textElement("cbc:AllowanceChargeReason", reason.text),
    percentage === null ? null : textElement("cbc:MultiplierFactorNumeric", decimalText(percentage.percent)),
    amount("cbc:Amount", of),
    percentage === null ? null : amount("cbc:BaseAmount", percentage.base)
  )
}
