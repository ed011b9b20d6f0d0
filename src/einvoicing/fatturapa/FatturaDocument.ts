import { BigDecimal } from "effect"
import { element, textElement, xmlDocument, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EmbeddedAttachment } from "../invoice/EInvoice.ts"
import { amountText } from "./FatturaFigures.ts"
import { linesElement } from "./FatturaLines.ts"
import { addressElement, buyerElement, destinationOf, sellerElement, transmitterOf } from "./FatturaParties.ts"
import { paymentElement } from "./FatturaPayment.ts"
import { isReference, referenceElement } from "./FatturaReferences.ts"
import { ascii, fitsLatin, isLatin, latin, latinElement } from "./FatturaText.ts"
import { inEuro } from "./InEuro.ts"
import { bearsStamp, isElsewhere, splitTotal } from "./Natura.ts"
import type { ItalianTaxRegime } from "../../kernel/OrganizationSettings.ts"

const namespaces = { "xmlns:p": "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2" }

interface FatturaSending {
  /** Identifies the file among all files of the sender: 1 to 10 letters and digits. */
  readonly progressive: string
  readonly regime: ItalianTaxRegime
}

/**
 * Writes a FatturaPA 1.2 file, which contains one document in euros. The same invoice always gives the same text.
 */
export const fatturaDocument = (document: EInvoice, sending: FatturaSending): string => {
  const invoice = inEuro(document)
  const { format } = destinationOf(invoice)
  return xmlDocument("p:FatturaElettronica", { versione: format, ...namespaces }, [
    element(
      "FatturaElettronicaHeader",
      transmission(invoice, sending.progressive),
      sellerElement(invoice, sending.regime),
      buyerElement(invoice)
    ),
    element(
      "FatturaElettronicaBody",
      element(
        "DatiGenerali",
        generalData(invoice),
        referenceElement("DatiOrdineAcquisto", invoice.purchase_order),
        referenceElement("DatiContratto", invoice.contract_reference),
        precedingInvoice(invoice),
        delivery(invoice)
      ),
      linesElement(invoice),
      paymentElement(invoice),
      ...invoice.attachments.map(attachment)
    )
  ])
}

const transmission = (invoice: EInvoice, progressive: string): XmlPart => {
  const { code, format, pec } = destinationOf(invoice)
  return element(
    "DatiTrasmissione",
    element("IdTrasmittente", textElement("IdPaese", "IT"), textElement("IdCodice", transmitterOf(invoice.seller))),
    textElement("ProgressivoInvio", progressive),
    textElement("FormatoTrasmissione", format),
    textElement("CodiceDestinatario", code),
    textElement("PECDestinatario", pec)
  )
}

const document_types = { invoice: "TD01", credit_note: "TD04" } as const

const stamp_duty = BigDecimal.make(2n, 0)

const generalData = (invoice: EInvoice): XmlPart => {
  const { currency, issue_date, kind, number, totals } = invoice
  const { rounding, tax_inclusive } = totals
  return element(
    "DatiGeneraliDocumento",
    textElement("TipoDocumento", document_types[kind]),
    textElement("Divisa", currency),
    textElement("Data", issue_date),
    textElement("Numero", ascii(number)),
    bearsStamp(invoice)
      ? element("DatiBollo", textElement("BolloVirtuale", "SI"), textElement("ImportoBollo", amountText(stamp_duty)))
      : null,
    textElement(
      "ImportoTotaleDocumento",
      amountText(BigDecimal.sumAll([tax_inclusive, rounding, splitTotal(invoice)]))
    ),
    BigDecimal.isZero(rounding) ? null : textElement("Arrotondamento", amountText(rounding)),
    ...textsOf(invoice).flatMap(reasonElements)
  )
}

/**
 * Returns the free texts, the tax of other countries, which is part of the total but of no field, and the references
 * for which FatturaPA has no field or only a shorter one.
 */
export const textsOf = (invoice: EInvoice): ReadonlyArray<string> => {
  const { buyer_reference, contract_reference, notes, payment_terms, project_reference, purchase_order } = invoice
  return [
    ...notes.map(({ text }) => text),
    ...(payment_terms === null ? [] : [payment_terms]),
    ...invoice.tax_breakdown
      .filter(isElsewhere)
      .map(({ country, rate, tax_amount }) => `IVA ${country} ${BigDecimal.format(rate)}%: ${amountText(tax_amount)}`),
    ...labelled("Ordine", isReference(purchase_order) ? null : purchase_order),
    ...labelled("Contratto", isReference(contract_reference) ? null : contract_reference),
    ...labelled("Commessa", project_reference),
    ...labelled("Riferimento", buyer_reference)
  ]
}

const labelled = (label: string, text: string | null) => (text === null ? [] : [`${label}: ${text}`])

const reason_characters_max = 200

const reasonElements = (text: string): ReadonlyArray<XmlPart> =>
  (latin(text).match(new RegExp(`.{1,${reason_characters_max}}`, "g")) ?? []).map((part) =>
    latinElement("Causale", part)
  )

const precedingInvoice = ({ preceding_invoice }: EInvoice): XmlPart =>
  preceding_invoice === null
    ? null
    : element(
        "DatiFattureCollegate",
        textElement("IdDocumento", ascii(preceding_invoice.number)),
        textElement("Data", preceding_invoice.issue_date)
      )

/** Writes the delivery address if it is complete. */
const delivery = ({ delivery_address: address }: EInvoice): XmlPart => {
  if (address === null) return null
  const { city, country, line1, postal_code } = address
  const isPostal = country !== "IT" || /^\d{5}$/.test(postal_code ?? "")
  const isComplete = country !== null && isPostal && [line1, city].every((part) => part !== null && isAddressText(part))
  return isComplete ? element("DatiTrasporto", addressElement("IndirizzoResa", address)) : null
}

const isAddressText = (text: string): boolean => /\S/.test(text) && fitsLatin(text, 60)

const file_name_characters_max = 60
const file_description_characters_max = 100

const attachment = ({ base64, description, name }: EmbeddedAttachment): XmlPart => {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toUpperCase() ?? null
  return element(
    "Allegati",
    latinElement("NomeAttachment", shortened(name)),
    textElement("FormatoAttachment", extension),
    description !== null && isLatin(description)
      ? latinElement("DescrizioneAttachment", latin(description).slice(0, file_description_characters_max))
      : null,
    textElement("Attachment", base64)
  )
}

/** Keeps the end of a long file name, with its extension. */
const shortened = (name: string): string => latin(name).slice(-file_name_characters_max)
