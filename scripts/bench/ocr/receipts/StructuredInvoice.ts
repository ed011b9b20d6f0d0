import { isoDay } from "./Formats.ts"
import { decimal, percent, sum } from "./Money.ts"
import type { Sale } from "./Sale.ts"

/** Writes the invoice as XML: as Factur-X or ZUGFeRD (UN/CEFACT CII), or as UBL in the way Peppol uses it. */
export const structuredInvoice = (sale: Sale): { readonly name: string; readonly xml: string } => {
  if (sale.random.chance(0.3)) return { name: "invoice.xml", xml: ubl(sale) }
  return { name: sale.random.pick(["factur-x.xml", "factur-x.xml", "zugferd-invoice.xml"]), xml: cii(sale) }
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
const category = (permille: number) => (permille === 0 ? "Z" : "S")
const netOf = ({ basket }: Sale) => sum(basket.groups.map((group) => group.net))

const cii = (sale: Sale): string => {
  const { basket, buyer, day, reference, region, vendor } = sale
  const compact = isoDay(day).replaceAll("-", "")
  const taxes = basket.groups.map(
    ({ net, permille, tax }) => `      <ram:ApplicableTradeTax>
        <ram:CalculatedAmount>${decimal(tax)}</ram:CalculatedAmount>
        <ram:TypeCode>VAT</ram:TypeCode>
        <ram:BasisAmount>${decimal(net)}</ram:BasisAmount>
        <ram:CategoryCode>${category(permille)}</ram:CategoryCode>
        <ram:RateApplicablePercent>${percent(permille)}</ram:RateApplicablePercent>
      </ram:ApplicableTradeTax>`
  )
  const party = (name: string) => `<ram:Name>${escaped(name)}</ram:Name>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext>
    <ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
  </rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument>
    <ram:ID>${escaped(reference)}</ram:ID>
    <ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="102">${compact}</udt:DateTimeString></ram:IssueDateTime>
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty>${party(vendor.name)}</ram:SellerTradeParty>
      <ram:BuyerTradeParty>${party(buyer.name)}</ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery/>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>${region.currency}</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>30</ram:TypeCode></ram:SpecifiedTradeSettlementPaymentMeans>
${taxes.join("\n")}
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:TaxBasisTotalAmount>${decimal(netOf(sale))}</ram:TaxBasisTotalAmount>
        <ram:TaxTotalAmount currencyID="${region.currency}">${decimal(basket.tax)}</ram:TaxTotalAmount>
        <ram:GrandTotalAmount>${decimal(basket.total)}</ram:GrandTotalAmount>
        <ram:DuePayableAmount>${decimal(basket.payable)}</ram:DuePayableAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`
}

const ubl = (sale: Sale): string => {
  const { basket, buyer, day, reference, region, vendor } = sale
  const money = (cents: number) => `currencyID="${region.currency}">${decimal(cents)}`
  const taxes = basket.groups.map(
    ({ net, permille, tax }) => `    <cac:TaxSubtotal>
      <cbc:TaxableAmount ${money(net)}</cbc:TaxableAmount>
      <cbc:TaxAmount ${money(tax)}</cbc:TaxAmount>
      <cac:TaxCategory>
        <cbc:ID>${category(permille)}</cbc:ID>
        <cbc:Percent>${percent(permille)}</cbc:Percent>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:TaxCategory>
    </cac:TaxSubtotal>`
  )
  const party = (name: string) =>
    `<cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>${escaped(name)}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>${escaped(reference)}</cbc:ID>
  <cbc:IssueDate>${isoDay(day)}</cbc:IssueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>${region.currency}</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty>${party(vendor.name)}</cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty>${party(buyer.name)}</cac:AccountingCustomerParty>
  <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode></cac:PaymentMeans>
  <cac:TaxTotal>
    <cbc:TaxAmount ${money(basket.tax)}</cbc:TaxAmount>
${taxes.join("\n")}
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:LineExtensionAmount ${money(netOf(sale))}</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount ${money(netOf(sale))}</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount ${money(basket.total)}</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount ${money(basket.payable)}</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>
</Invoice>
`
}
