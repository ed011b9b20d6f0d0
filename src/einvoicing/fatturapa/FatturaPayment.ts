import { BigDecimal } from "effect"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { amountText } from "./FatturaFigures.ts"
import { codeElement, fitsLatin, latinElement } from "./FatturaText.ts"

/** CondizioniPagamento: the whole amount is paid in one payment. */
const at_once = "TP02"
const transfer = "MP05"

/** Means of payment (ModalitaPagamento) by their codes of UNTDID 4461. */
const means: Readonly<Record<string, string>> = {
  "10": "MP01",
  "30": transfer,
  "48": "MP08",
  "49": "MP16",
  "58": transfer,
  "59": "MP19"
}

const beneficiary_characters_max = 200
const reference_characters_max = 60
const bic_pattern = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/

/** Writes how the amount due is to be paid; nothing for a credit note or when nothing is due. */
export const paymentElement = (invoice: EInvoice): XmlPart => {
  const { due_date, kind, payee, payment, seller, totals } = invoice
  if (kind === "credit_note" || !BigDecimal.isPositive(totals.payable)) return null
  const account = payment?.account ?? null
  const beneficiary = payee?.name ?? account?.name ?? seller.name
  const bic = account?.bic ?? ""
  return element(
    "DatiPagamento",
    textElement("CondizioniPagamento", at_once),
    element(
      "DettaglioPagamento",
      fitsLatin(beneficiary, beneficiary_characters_max) ? latinElement("Beneficiario", beneficiary) : null,
      textElement("ModalitaPagamento", means[payment?.means_code ?? ""] ?? transfer),
      textElement("DataScadenzaPagamento", due_date),
      textElement("ImportoPagamento", amountText(totals.payable)),
      textElement("IBAN", account?.iban.replace(/\s/g, "") ?? null),
      textElement("BIC", bic_pattern.test(bic) ? bic : null),
      codeElement("CodicePagamento", payment?.reference ?? null, reference_characters_max)
    )
  )
}
