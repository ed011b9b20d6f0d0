import { addDays, printRate } from "../Formats.ts"
import type { Language } from "../Receipt.ts"
import type { Sale } from "../Sale.ts"

/** An A4 invoice or hotel bill, which `sheet.typ` typesets. */
interface Sheet {
  readonly font: string
  readonly layout: "letterhead" | "two_columns" | "plain"
  readonly color: string
  readonly vendor: ReadonlyArray<string>
  readonly "buyer-label": string
  readonly buyer: ReadonlyArray<string>
  readonly title: string
  readonly facts: ReadonlyArray<readonly [string, string]>
  readonly head: ReadonlyArray<string>
  readonly lines: ReadonlyArray<ReadonlyArray<string>>
  readonly totals: ReadonlyArray<readonly [string, string]>
  readonly total: readonly [string, string]
  readonly taxes: ReadonlyArray<ReadonlyArray<string>>
  readonly footer: ReadonlyArray<string>
}

interface SheetWords {
  readonly title: string
  readonly number: string
  readonly date: string
  readonly due: string
  readonly period: string
  readonly buyer: string
  readonly head: ReadonlyArray<string>
  readonly net: string
  readonly total: ReadonlyArray<string>
  readonly taxes: ReadonlyArray<string>
  readonly terms: string
}

const words: Readonly<Record<Language, SheetWords>> = {
  en: {
    title: "INVOICE",
    number: "Invoice number",
    date: "Invoice date",
    due: "Due date",
    period: "Service period",
    buyer: "Bill to",
    head: ["Description", "Qty", "Unit price", "VAT", "Amount"],
    net: "Subtotal excl. VAT",
    total: ["Total due", "TOTAL", "Amount due"],
    taxes: ["VAT rate", "Net amount", "VAT amount"],
    terms: "Please pay within 30 days to the account below."
  },
  fr: {
    title: "FACTURE",
    number: "Facture n°",
    date: "Date de facture",
    due: "Date d'échéance",
    period: "Période",
    buyer: "Client",
    head: ["Désignation", "Qté", "Prix unitaire", "TVA", "Montant HT"],
    net: "Total HT",
    total: ["Total TTC", "NET À PAYER", "Montant total TTC"],
    taxes: ["Taux TVA", "Base HT", "Montant TVA"],
    terms: "Paiement à 30 jours par virement bancaire."
  },
  nl: {
    title: "FACTUUR",
    number: "Factuurnummer",
    date: "Factuurdatum",
    due: "Vervaldatum",
    period: "Periode",
    buyer: "Aan",
    head: ["Omschrijving", "Aantal", "Prijs", "BTW", "Bedrag"],
    net: "Totaal excl. BTW",
    total: ["Totaal incl. BTW", "Te betalen", "TOTAAL"],
    taxes: ["BTW-tarief", "Over", "BTW-bedrag"],
    terms: "Gelieve te betalen binnen 30 dagen."
  },
  de: {
    title: "RECHNUNG",
    number: "Rechnungsnummer",
    date: "Rechnungsdatum",
    due: "Zahlbar bis",
    period: "Leistungszeitraum",
    buyer: "Rechnung an",
    head: ["Bezeichnung", "Menge", "Einzelpreis", "USt", "Gesamt"],
    net: "Nettobetrag",
    total: ["Rechnungsbetrag", "Gesamtbetrag", "Bruttobetrag"],
    taxes: ["USt-Satz", "Netto", "USt-Betrag"],
    terms: "Bitte überweisen Sie den Betrag innerhalb von 30 Tagen."
  },
  es: {
    title: "FACTURA",
    number: "Factura nº",
    date: "Fecha de factura",
    due: "Vencimiento",
    period: "Periodo",
    buyer: "Cliente",
    head: ["Concepto", "Cant.", "Precio", "IVA", "Importe"],
    net: "Base imponible",
    total: ["Total factura", "TOTAL", "Total a pagar"],
    taxes: ["Tipo IVA", "Base", "Cuota"],
    terms: "Forma de pago: transferencia a 30 días."
  },
  it: {
    title: "FATTURA",
    number: "Fattura n.",
    date: "Data fattura",
    due: "Scadenza",
    period: "Periodo",
    buyer: "Spett.le",
    head: ["Descrizione", "Q.tà", "Prezzo", "IVA", "Importo"],
    net: "Totale imponibile",
    total: ["Totale documento", "TOTALE FATTURA", "Totale da pagare"],
    taxes: ["Aliquota IVA", "Imponibile", "Imposta"],
    terms: "Pagamento: bonifico bancario 30 giorni."
  }
}

export const sheetOf = (sale: Sale): Sheet => {
  const { amount, basket, buyer, date, day, money, random, reference, region, vendor } = sale
  const labels = words[region.language]
  const tax = random.pick(region.taxName)
  const rate = (permille: number) => `${printRate(region, permille, random.pick([0, 0, 2]))}%`
  const issuedFirst = random.chance(0.8)
  const facts: Array<readonly [string, string]> = [[labels.number, reference]]
  const days: ReadonlyArray<readonly [string, string]> = [
    [labels.date, date(day)],
    [labels.due, date(addDays(day, random.pick([14, 30])))]
  ]
  facts.push(...(issuedFirst ? days : days.toReversed()))
  if (random.chance(0.4)) facts.push([labels.period, `${date(addDays(day, -31))} - ${date(addDays(day, -1))}`])
  return {
    font: random.pick(["Noto Sans", "Noto Sans", "Libertinus Serif", "New Computer Modern"]),
    layout: random.pick(["letterhead", "two_columns", "plain"]),
    color: random.pick(["#1f3a5f", "#0b6e4f", "#8a1c1c", "#222222", "#5b3a8c"]),
    vendor: [vendor.name, ...vendor.address, vendor.tax_number, vendor.phone],
    "buyer-label": labels.buyer,
    buyer: [buyer.name, random.code("## Example Lane"), buyer.city],
    title: labels.title,
    facts,
    head: labels.head,
    lines: basket.lines.map((line) => [
      line.name,
      String(line.quantity),
      amount(line.unit_price),
      rate(line.permille),
      amount(line.total)
    ]),
    totals: [
      ...(basket.discount === 0
        ? []
        : ([[`${sale.word("discount")} ${basket.discount_percent}%`, amount(basket.discount)]] as const)),
      [labels.net, amount(basket.subtotal + basket.discount)],
      ...basket.groups.map((group) => [`${tax} ${rate(group.permille)}`, amount(group.tax)] as const)
    ],
    total: [random.pick(labels.total), money(basket.payable)],
    taxes:
      basket.groups.length > 1
        ? [labels.taxes, ...basket.groups.map((group) => [rate(group.permille), amount(group.net), amount(group.tax)])]
        : [],
    footer: [labels.terms, `IBAN ${region.country}${random.code("## #### #### #### ####")}  ${vendor.domain}`]
  }
}
