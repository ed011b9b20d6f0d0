import { BigDecimal } from "effect"
import { zero } from "../../../kernel/Money.ts"
import type { Facts } from "./EmbeddedInvoice.ts"
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
  return {
    vendor: nameOf(at(fatturaSupplier(root), "DatiAnagrafici", "Anagrafica")),
    date: textAt(general, "Data"),
    currency: textAt(general, "Divisa"),
    reference: textAt(general, "Numero"),
    // A document need not state its total.
    total: textAt(general, "ImportoTotaleDocumento") ?? textOf(sumOf([tax, taxable, changeOf(root)])),
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
 * The two amounts by which the total may exceed the sum of the tax rows: discounts, charges and rounding, first without
 * and then with the stamp duty. The tax rows contain the stamp duty only if the document has a line for it. If the
 * discounts or the rounding cannot be read, the total has to be the sum of the tax rows alone.
 */
export const fatturaExtras = (root: XmlTree): ReadonlyArray<BigDecimal.BigDecimal> => {
  const change = changeOf(root)
  const stamp = optionalAmount(textAt(generalOf(fatturaBody(root)), "DatiBollo", "ImportoBollo"))
  const extras = [change, sumOf([change, stamp])].filter((extra) => extra !== undefined)
  return extras.length === 0 ? [zero] : extras
}

/** An amount; undefined for one that the document lacks, or whose text is not an amount. */
type Amount = BigDecimal.BigDecimal | undefined

const changeOf = (root: XmlTree): Amount => {
  const general = generalOf(fatturaBody(root))
  const changes = all(general, "ScontoMaggiorazione").map((change) => {
    // A discount that is stated only as a percentage has no amount.
    const amount = amountOf(textAt(change, "Importo"))
    return amount !== undefined && textAt(change, "Tipo") === "SC" ? BigDecimal.negate(amount) : amount
  })
  return sumOf([...changes, optionalAmount(textAt(general, "Arrotondamento"))])
}

/** The form of amounts in FatturaPA. An exponent would make a number with millions of digits of a short text. */
const amount_text = /^[+-]?\d{1,15}(?:\.\d{1,8})?$/

const amountOf = (text = ""): Amount => (amount_text.test(text) ? BigDecimal.fromStringUnsafe(text) : undefined)

/** Reads an element that a document may omit, which means zero. */
const optionalAmount = (text = "0"): Amount => amountOf(text)

/** Returns no sum if one of the amounts is unknown: it would be silently too low. */
const sumOf = (amounts: ReadonlyArray<Amount>): Amount => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === amounts.length ? BigDecimal.sumAll(known) : undefined
}

const textOf = (amount: Amount): string | undefined =>
  amount === undefined ? undefined : BigDecimal.format(BigDecimal.normalize(amount))
