const dense = (xml: string) => xml.replaceAll(/>\n *</g, "><")

export const crossIndustryInvoice = () =>
  dense(`<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocument><ram:ID>000123</ram:ID><ram:TypeCode>380</ram:TypeCode>
<ram:IssueDateTime><udt:DateTimeString format="102">20260227</udt:DateTimeString></ram:IssueDateTime>
</rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Café Zürich &amp; Söhne</ram:Name>
</ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Muster GmbH</ram:Name></ram:BuyerTradeParty>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode></ram:SpecifiedTradeSettlementPaymentMeans>
<ram:ApplicableTradeTax><ram:CalculatedAmount>20.55</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>
<ram:BasisAmount>97.85</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>
<ram:RateApplicablePercent>21.00</ram:RateApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation>
<ram:LineTotalAmount>97.85</ram:LineTotalAmount><ram:TaxBasisTotalAmount>97.85</ram:TaxBasisTotalAmount>
<ram:TaxTotalAmount currencyID="EUR">20.55</ram:TaxTotalAmount><ram:GrandTotalAmount>118.40</ram:GrandTotalAmount>
<ram:DuePayableAmount>18.40</ram:DuePayableAmount>
</ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`)

/** Returns the same invoice in ZUGFeRD 1, in which some elements have other names. */
export const oldZugferd = () =>
  crossIndustryInvoice()
    .replaceAll("CrossIndustryInvoice", "CrossIndustryDocument")
    .replaceAll("ExchangedDocument", "HeaderExchangedDocument")
    .replaceAll(":SupplyChainTradeTransaction", ":SpecifiedSupplyChainTradeTransaction")
    .replaceAll("ApplicableHeaderTrade", "ApplicableSupplyChainTrade")
    .replaceAll("RateApplicablePercent", "ApplicablePercent")
    .replaceAll("SettlementHeaderMonetarySummation", "SettlementMonetarySummation")

export const ublInvoice = () =>
  dense(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:ID>000123</cbc:ID><cbc:IssueDate>2026-02-27</cbc:IssueDate>
<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Café Zürich &amp; Söhne</cbc:Name></cac:PartyName>
<cac:PartyLegalEntity><cbc:RegistrationName>Café Zürich SA</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>
</cac:AccountingSupplierParty>
<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode></cac:PaymentMeans>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">20.55</cbc:TaxAmount>
<cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">97.85</cbc:TaxableAmount>
<cbc:TaxAmount currencyID="EUR">20.55</cbc:TaxAmount>
<cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>21.00</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">97.85</cbc:LineExtensionAmount>
<cbc:TaxInclusiveAmount currencyID="EUR">118.40</cbc:TaxInclusiveAmount>
<cbc:PayableAmount currencyID="EUR">18.40</cbc:PayableAmount></cac:LegalMonetaryTotal></Invoice>`)

/** The same invoices with a rounding of the amount to pay (BT-114). */
export const ublRounding = (amount: string): string =>
  ublInvoice().replace(
    "<cbc:PayableAmount",
    `<cbc:PayableRoundingAmount currencyID="EUR">${amount}</cbc:PayableRoundingAmount>$&`
  )
export const ciiRounding = (amount: string): string =>
  crossIndustryInvoice().replace("<ram:GrandTotal", `<ram:RoundingAmount>${amount}</ram:RoundingAmount>$&`)
