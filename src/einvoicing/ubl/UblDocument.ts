import { BigDecimal } from "effect"
import { exponentOf, type CurrencyCode } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { element, textElement, xmlDocument, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EInvoiceLine, EInvoiceTax, LineDiscount, LineTax, Party, PartyAddress } from "./EInvoice.ts"

/** With the process below, what the API calls `peppol-bis-billing-3`. */
const customization = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
const process = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"

const schema = "urn:oasis:names:specification:ubl:schema:xsd:"
const components = {
  "xmlns:cac": `${schema}CommonAggregateComponents-2`,
  "xmlns:cbc": `${schema}CommonBasicComponents-2`
}

/** UNCL 5189: discount. */
const discount_code = "95"

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

/** UBL 2.1 Invoice or CreditNote of Peppol BIS Billing 3 (binding of EN 16931-3-2). The same facts give the same text. */
export const ublDocument = (invoice: EInvoice): string => {
  const { root, type_code } = names[invoice.kind]
  const amount = amountIn(invoice.currency)
  const isCredit = invoice.kind === "credit_note"
  return xmlDocument(root, { xmlns: `${schema}${root}-2`, ...components }, [
    textElement("cbc:CustomizationID", customization),
    textElement("cbc:ProfileID", process),
    textElement("cbc:ID", invoice.number),
    textElement("cbc:IssueDate", invoice.issue_date),
    isCredit ? null : textElement("cbc:DueDate", invoice.due_date),
    textElement(`cbc:${type_code}`, invoice.type_code),
    textElement("cbc:Note", invoice.note),
    textElement("cbc:DocumentCurrencyCode", invoice.currency),
    textElement("cbc:TaxCurrencyCode", invoice.accounting_tax?.currency ?? null),
    textElement("cbc:BuyerReference", invoice.buyer_reference),
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

/** Amounts of money may not have more (UBL-DT-01), whatever the currency has. */
export const amount_decimals_max = 2

type AmountElement = (name: string, amount: BigDecimal.BigDecimal) => XmlPart

const amountIn =
  (currency: CurrencyCode): AmountElement =>
  (name, amount) =>
    textElement(name, formatAmount(amount, Math.min(exponentOf(currency), amount_decimals_max)), {
      currencyID: currency
    })

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
    element("cac:PartyName", textElement("cbc:Name", of.trading_name ?? of.name)),
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

const delivery = ({ delivery }: EInvoice): XmlPart =>
  delivery === null
    ? null
    : element(
        "cac:Delivery",
        textElement("cbc:ActualDeliveryDate", delivery.date),
        element("cac:DeliveryLocation", addressElement("cac:Address", delivery.address))
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

const taxTotals = ({ accounting_tax, tax_breakdown, totals }: EInvoice, amount: AmountElement) => [
  element("cac:TaxTotal", amount("cbc:TaxAmount", totals.tax), ...tax_breakdown.map((tax) => taxSubtotal(tax, amount))),
  accounting_tax === null
    ? null
    : element("cac:TaxTotal", amountIn(accounting_tax.currency)("cbc:TaxAmount", accounting_tax.amount))
]

const taxSubtotal = (tax: EInvoiceTax, amount: AmountElement): XmlPart =>
  element(
    "cac:TaxSubtotal",
    amount("cbc:TaxableAmount", tax.taxable_amount),
    amount("cbc:TaxAmount", tax.tax_amount),
    taxCategory(
      "cac:TaxCategory",
      tax,
      textElement("cbc:TaxExemptionReasonCode", tax.exemption?.code ?? null),
      textElement("cbc:TaxExemptionReason", tax.exemption?.reason ?? null)
    )
  )

/** What is not subject to tax has no rate, not a rate of zero (BR-O-05). */
const taxCategory = (name: string, { category, rate }: LineTax, ...exemption: ReadonlyArray<XmlPart>): XmlPart =>
  element(
    name,
    textElement("cbc:ID", category),
    category === "O" ? null : textElement("cbc:Percent", BigDecimal.format(rate)),
    ...exemption,
    taxSchemeOf("VAT")
  )

const monetaryTotal = ({ totals }: EInvoice, amount: AmountElement): XmlPart =>
  element(
    "cac:LegalMonetaryTotal",
    amount("cbc:LineExtensionAmount", totals.lines),
    amount("cbc:TaxExclusiveAmount", totals.tax_exclusive),
    amount("cbc:TaxInclusiveAmount", totals.tax_inclusive),
    BigDecimal.isZero(totals.rounding) ? null : amount("cbc:PayableRoundingAmount", totals.rounding),
    amount("cbc:PayableAmount", totals.payable)
  )

const documentLine = ({ currency, kind }: EInvoice, line: EInvoiceLine, amount: AmountElement): XmlPart =>
  element(
    `cac:${names[kind].line}`,
    textElement("cbc:ID", line.id),
    textElement(`cbc:${names[kind].quantity}`, BigDecimal.format(line.quantity), { unitCode: line.unit }),
    amount("cbc:LineExtensionAmount", line.net_amount),
    line.discount === null ? null : lineDiscount(line.discount, amount),
    element(
      "cac:Item",
      textElement("cbc:Description", line.description),
      textElement("cbc:Name", line.name),
      ...line.taxes.map((tax) => taxCategory("cac:ClassifiedTaxCategory", tax))
    ),
    // A price is no amount of money: it has as many decimals as it needs.
    element("cac:Price", textElement("cbc:PriceAmount", BigDecimal.format(line.price), { currencyID: currency }))
  )

const lineDiscount = ({ amount: of, is_charge, percentage }: LineDiscount, amount: AmountElement): XmlPart =>
  element(
    "cac:AllowanceCharge",
    textElement("cbc:ChargeIndicator", String(is_charge)),
    is_charge ? null : textElement("cbc:AllowanceChargeReasonCode", discount_code),
    textElement("cbc:AllowanceChargeReason", "Discount"),
    percentage === null ? null : textElement("cbc:MultiplierFactorNumeric", BigDecimal.format(percentage.percent)),
    amount("cbc:Amount", of),
    percentage === null ? null : amount("cbc:BaseAmount", percentage.base)
  )
