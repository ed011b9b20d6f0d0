import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoiceLine } from "../invoice/EInvoice.ts"
import { decimalText, discountReason, lineRate, rounding_reason, roundingText } from "../invoice/Written.ts"
import { type AmountElement, discountElement, taxElement } from "./CiiFigures.ts"

export const ciiLine = (line: EInvoiceLine, amount: AmountElement): XmlPart =>
  element(
    "ram:IncludedSupplyChainTradeLineItem",
    element("ram:AssociatedDocumentLineDocument", textElement("ram:LineID", line.id)),
    element(
      "ram:SpecifiedTradeProduct",
      textElement("ram:Name", line.name),
      textElement("ram:Description", line.description)
    ),
    element(
      "ram:SpecifiedLineTradeAgreement",
      element("ram:NetPriceProductTradePrice", textElement("ram:ChargeAmount", decimalText(line.price)))
    ),
    element(
      "ram:SpecifiedLineTradeDelivery",
      textElement("ram:BilledQuantity", decimalText(line.quantity), { unitCode: line.unit })
    ),
    element(
      "ram:SpecifiedLineTradeSettlement",
      ...line.taxes.map((tax) => taxElement(tax, lineRate(tax))),
      line.discount === null ? null : discountElement(line.discount, discountReason(line.discount.is_charge), amount),
      line.rounding === null
        ? null
        : discountElement(line.rounding, rounding_reason, (name, of) => textElement(name, roundingText(of))),
      element("ram:SpecifiedTradeSettlementLineMonetarySummation", amount("ram:LineTotalAmount", line.net_amount))
    )
  )
