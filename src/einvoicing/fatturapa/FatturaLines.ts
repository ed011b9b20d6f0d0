import { BigDecimal } from "effect"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EInvoiceAdjustment, EInvoiceLine, LineTax } from "../invoice/EInvoice.ts"
import { amountText, lineFigures, type PriceChange, priceText } from "./FatturaFigures.ts"
import { codeElement, latinElement } from "./FatturaText.ts"
import { statedTax, type SummaryRow, summaryOf } from "./Natura.ts"

const unit_characters_max = 10
const law_characters_max = 100

/** FatturaPA has no discount on the document, so each such discount becomes a line. */
export const linesElement = (invoice: EInvoice): XmlPart =>
  element(
    "DatiBeniServizi",
    ...invoice.lines.map((line, index) => lineElement(invoice, line, index + 1)),
    ...invoice.adjustments.map((adjustment, index) =>
      adjustmentElement(invoice, adjustment, invoice.lines.length + index + 1)
    ),
    ...summaryOf(invoice).map(summaryElement)
  )

export const textOf = ({ description, name }: EInvoiceLine): string => description ?? name

const lineElement = (invoice: EInvoice, line: EInvoiceLine, number: number): XmlPart => {
  const { change, price, quantity } = lineFigures(line)
  const period = periodOf(invoice)
  return element(
    "DettaglioLinee",
    textElement("NumeroLinea", String(number)),
    latinElement("Descrizione", textOf(line)),
    textElement("Quantita", priceText(quantity)),
    codeElement("UnitaMisura", line.unit, unit_characters_max),
    textElement("DataInizioPeriodo", period.start),
    textElement("DataFinePeriodo", period.end),
    textElement("PrezzoUnitario", priceText(price)),
    changeElement(change),
    textElement("PrezzoTotale", amountText(line.net_amount)),
    ...taxElements(line.taxes, invoice)
  )
}

const periodOf = ({ delivery }: EInvoice) => {
  if (delivery === null) return { start: null, end: null }
  return "date" in delivery ? { start: delivery.date, end: delivery.date } : delivery
}

const changeElement = (change: PriceChange | null): XmlPart =>
  change === null
    ? null
    : element(
        "ScontoMaggiorazione",
        textElement("Tipo", change.type),
        change.percent === null
          ? textElement("Importo", priceText(change.amount))
          : textElement("Percentuale", amountText(change.percent))
      )

const discount_line = "SC"
const expense_line = "AC"

const adjustmentElement = (invoice: EInvoice, adjustment: EInvoiceAdjustment, number: number): XmlPart => {
  const { amount, is_charge, reason, taxes } = adjustment
  const signed = is_charge ? amount : BigDecimal.negate(amount)
  return element(
    "DettaglioLinee",
    textElement("NumeroLinea", String(number)),
    textElement("TipoCessionePrestazione", is_charge ? expense_line : discount_line),
    latinElement("Descrizione", reason),
    textElement("PrezzoUnitario", priceText(signed)),
    textElement("PrezzoTotale", amountText(signed)),
    ...taxElements(taxes, invoice)
  )
}

const taxElements = (taxes: ReadonlyArray<LineTax>, invoice: EInvoice): ReadonlyArray<XmlPart> =>
  taxes.flatMap((tax) => {
    const { natura, rate } = statedTax(tax, invoice)
    return [textElement("AliquotaIVA", amountText(rate)), textElement("Natura", natura)]
  })

/** The tax is due when the document is issued. */
const due_at_once = "I"
/** The customer pays the tax to the state. */
const split_payment = "S"

const summaryElement = ({ isSplit, law, natura, rate, tax_amount, taxable_amount }: SummaryRow): XmlPart =>
  element(
    "DatiRiepilogo",
    textElement("AliquotaIVA", amountText(rate)),
    textElement("Natura", natura),
    textElement("ImponibileImporto", amountText(taxable_amount)),
    textElement("Imposta", amountText(tax_amount)),
    natura === null ? textElement("EsigibilitaIVA", isSplit ? split_payment : due_at_once) : null,
    natura === null || law === null ? null : latinElement("RiferimentoNormativo", law.slice(0, law_characters_max))
  )
