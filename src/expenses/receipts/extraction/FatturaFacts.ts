import { BigDecimal } from "effect"
import { zero } from "../../../kernel/Money.ts"
import { type Facts, stated } from "./InvoiceFacts.ts"
import { amountOf, optionalAmount, sumOf, textOf } from "./StatedAmounts.ts"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"

/**
 * Types of FatturaPA documents that request payment, and of those that return money. Documents of the other types are
 * not sent by a supplier to its customer: mostly, the buyer writes them.
 */
const invoice_types = new Set(["TD01", "TD02", "TD03", "TD05", "TD06", "TD24", "TD25", "TD26"])
const credit_note_types = new Set(["TD04", "TD08"])

/** Codes of UNTDID 4461 for the means of payment (ModalitaPagamento). */
const payment_codes: Readonly<Record<string, string>> = {
  MP01: "10",
  MP05: "30",
  MP08: "48",
  MP09: "49",
  MP10: "49",
  MP11: "49",
  MP16: "49",
  MP19: "59",
  MP20: "59",
  MP21: "59"
}

/** Returns the document of a FatturaPA; undefined for a file that holds several. */
export const fatturaBody = (root: XmlTree): XmlTree | undefined => {
  const bodies = all(root, "FatturaElettronicaBody")
  return bodies.length === 1 ? bodies[0] : undefined
}

/** Splits a FatturaPA with several documents; returns any other document unchanged. */
export const fatturaDocuments = (root: XmlTree): ReadonlyArray<XmlTree> => {
  const bodies = root.name === "FatturaElettronica" ? all(root, "FatturaElettronicaBody") : []
  if (bodies.length < 2) return [root]
  const common = root.children.filter(({ name }) => name !== "FatturaElettronicaBody")
  return bodies.map((body) => ({ ...root, children: [...common, body] }))
}

export const fatturaSupplier = (root: XmlTree): XmlTree | undefined =>
  at(root, "FatturaElettronicaHeader", "CedentePrestatore")

export const fatturaBuyerName = (root: XmlTree): string | undefined =>
  nameOf(at(root, "FatturaElettronicaHeader", "CessionarioCommittente", "DatiAnagrafici", "Anagrafica"))

const generalOf = (body: XmlTree | undefined) => at(body, "DatiGenerali", "DatiGeneraliDocumento")

export const fatturaKind = (root: XmlTree): "invoice" | "credit_note" | undefined => {
  const type = textAt(generalOf(fatturaBody(root)), "TipoDocumento") ?? ""
  if (credit_note_types.has(type)) return "credit_note"
  return invoice_types.has(type) ? "invoice" : undefined
}

/** Tells whether the buyer (cessionario o committente) issued the document in the name of the seller. */
export const isFatturaSelfBilled = (root: XmlTree): boolean =>
  textAt(root, "FatturaElettronicaHeader", "SoggettoEmittente") === "CC"

export const fatturaPayments = (root: XmlTree): ReadonlyArray<XmlTree> =>
  all(fatturaBody(root), "DatiPagamento").flatMap((terms) => all(terms, "DettaglioPagamento"))

export const fatturaFacts = (root: XmlTree): Facts => {
  const body = fatturaBody(root)
  const general = generalOf(body)
  const rows = all(at(body, "DatiBeniServizi"), "DatiRiepilogo")
  const tax = rows.length === 0 ? undefined : sumOf(rows.map((row) => amountOf(textAt(row, "Imposta"))))
  const taxable = sumOf(rows.map((row) => amountOf(textAt(row, "ImponibileImporto"))))
  const supplier = at(fatturaSupplier(root), "DatiAnagrafici")
  const vendor = nameOf(at(supplier, "Anagrafica"))
  return {
    vendor,
    seller: {
      names: stated([vendor]),
      numbers: stated([textAt(supplier, "IdFiscaleIVA", "IdCodice"), textAt(supplier, "CodiceFiscale")])
    },
    date: textAt(general, "Data"),
    currency: textAt(general, "Divisa"),
    reference: textAt(general, "Numero"),
    // A document need not state its total.
    total: textAt(general, "ImportoTotaleDocumento") ?? textOf(sumOf([tax, taxable, changeOf(general)])),
    extras: extrasOf(general, rows),
    tax: textOf(tax),
    taxes: rows.map((row) => ({
      rate: textAt(row, "AliquotaIVA"),
      taxable: textAt(row, "ImponibileImporto"),
      tax: textAt(row, "Imposta")
    })),
    payment_code: payment_codes[textAt(fatturaPayments(root)[0], "ModalitaPagamento") ?? ""]
  }
}

const nameOf = (names: XmlTree | undefined): string | undefined => {
  const person = [textAt(names, "Nome"), textAt(names, "Cognome")].filter((part) => part !== undefined).join(" ")
  return textAt(names, "Denominazione") ?? (person === "" ? undefined : person)
}

/**
 * The total exceeds the sum of the tax rows by discounts, charges and rounding. Suppliers differ about the stamp duty and
 * the rounding of a tax row: the taxable amounts contain them, or the total adds them. If the discounts or the rounding
 * cannot be read, the total has to be the sum of the tax rows alone.
 */
const extrasOf = (general: XmlTree | undefined, rows: ReadonlyArray<XmlTree>): Facts["extras"] => {
  const stamp = optionalAmount(textAt(general, "DatiBollo", "ImportoBollo"))
  const rounding = sumOf(rows.map((row) => optionalAmount(textAt(row, "Arrotondamento"))))
  const further = [[], [stamp], [rounding], [stamp, rounding]]
  const extras = further.flatMap((amounts) => sumOf([changeOf(general), ...amounts]) ?? [])
  return extras.length === 0 ? [zero] : extras
}

const changeOf = (general: XmlTree | undefined): BigDecimal.BigDecimal | undefined => {
  const changes = all(general, "ScontoMaggiorazione").map((change) => {
    // A discount that is stated only as a percentage has no amount.
    const amount = amountOf(textAt(change, "Importo"))
    return amount !== undefined && textAt(change, "Tipo") === "SC" ? BigDecimal.negate(amount) : amount
  })
  return sumOf([...changes, optionalAmount(textAt(general, "Arrotondamento"))])
}
