import { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { amountText, type BreakdownRow, breakdownOf, taxTotalOf, totalOf } from "./RecordAmounts.ts"
import { cancellationHash, registrationHash } from "./RecordHash.ts"
import { identityElement, issuerOf, personName, taxIdentityOf } from "./RecordParties.ts"

export const information_namespace =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/" +
  "SuministroInformacion.xsd"

/** The computer system that makes the records (SistemaInformatico), as its producer declares it. */
export interface InvoicingSystem {
  readonly producer_name: string
  readonly producer_nif: string
  readonly name: string
  /** Two letters or digits that the producer gave to the system. */
  readonly id: string
  readonly version: string
  readonly installation: string
}

export interface RecordKey {
  readonly issuer: string
  readonly number: string
  readonly issue_date: Day
}

export interface Link {
  /** Null for the first record. */
  readonly previous: (RecordKey & { readonly hash: string }) | null
  /** The time as in RFC 3339, in whole seconds and with the offset of the organization's time zone. */
  readonly generated_at: string
}

export interface InvoiceRecord extends RecordKey {
  readonly hash: string
  readonly xml: string
}

interface Registering {
  readonly system: InvoicingSystem
  readonly link: Link
  /** True when the AEAT has refused an earlier record of the document. */
  readonly isCorrection: boolean
  /** True for a credit note about an invoice that was recorded as a simplified one. */
  readonly isOfSimplified?: boolean
}

/** Writes the record of an issued document (RegistroAlta). */
export const registrationRecord = (invoice: EInvoice, registering: Registering): InvoiceRecord => {
  const { isCorrection, isOfSimplified, link, system } = registering
  const key = { issuer: issuerOf(invoice), number: numberOf(invoice.number), issue_date: invoice.issue_date }
  const date = dateText(invoice.issue_date)
  const type = isOfSimplified === true ? "R5" : typeOf(invoice)
  const [rows, sum] = [breakdownOf(invoice), totalOf(invoice)]
  const [tax_total, total] = [amountText(taxTotalOf(rows)), amountText(sum)]
  const { generated_at } = link
  const hash = registrationHash({ ...key, date, type, tax_total, total, generated_at, previous_hash: hashBefore(link) })
  const xml = recordDocument("RegistroAlta", [
    textElement("sf:IDVersion", "1.0"),
    element("sf:IDFactura", ...keyElements(key)),
    textElement("sf:NombreRazonEmisor", personName(invoice.seller.name)),
    textElement("sf:Subsanacion", isCorrection ? "S" : null),
    textElement("sf:RechazoPrevio", isCorrection ? "X" : null),
    textElement("sf:TipoFactura", type),
    ...correctionElements(invoice, key.issuer),
    textElement("sf:FechaOperacion", operationDate(invoice)),
    textElement("sf:DescripcionOperacion", descriptionOf(invoice)),
    textElement("sf:Macrodato", BigDecimal.isLessThan(BigDecimal.abs(sum), huge) ? null : "S"),
    recipientElement(invoice, type),
    element("sf:Desglose", ...rows.map(rowElement)),
    textElement("sf:CuotaTotal", tax_total),
    textElement("sf:ImporteTotal", total),
    ...closing(system, link, hash)
  ])
  return { ...key, hash, xml }
}

interface Cancelling extends Pick<Registering, "link" | "system"> {
  /** True if the record to cancel was stored here and never sent, so that the AEAT does not know it. */
  readonly isUnknown?: boolean
  /** True if the AEAT refused an earlier cancellation of the record. */
  readonly isRepeated?: boolean
}

/** Writes the record that cancels the record of a document (RegistroAnulacion). */
export const cancellationRecord = (key: RecordKey, { isRepeated, isUnknown, link, system }: Cancelling) => {
  const date = dateText(key.issue_date)
  const { generated_at } = link
  const hash = cancellationHash({ ...key, date, generated_at, previous_hash: hashBefore(link) })
  const xml = recordDocument("RegistroAnulacion", [
    textElement("sf:IDVersion", "1.0"),
    element(
      "sf:IDFactura",
      textElement("sf:IDEmisorFacturaAnulada", key.issuer),
      textElement("sf:NumSerieFacturaAnulada", key.number),
      textElement("sf:FechaExpedicionFacturaAnulada", date)
    ),
    textElement("sf:SinRegistroPrevio", isUnknown === true ? "S" : null),
    textElement("sf:RechazoPrevio", isRepeated === true ? "S" : null),
    ...closing(system, link, hash)
  ])
  return { ...key, hash, xml } satisfies InvoiceRecord
}

/** A record has no XML declaration, because the same bytes are embedded in the envelope that is sent. */
const recordDocument = (name: string, parts: ReadonlyArray<XmlPart>): string =>
  `<sf:${name} xmlns:sf="${information_namespace}">${parts.filter((part) => part !== null).join("")}</sf:${name}>`

/** Writes a day as the AEAT does: 31-12-2026. */
export const dateText = (day: Day): string => `${day.slice(8, 10)}-${day.slice(5, 7)}-${day.slice(0, 4)}`

export const numberOf = (number: string): string => number.trim()

const hashBefore = ({ previous }: Link): string => previous?.hash ?? ""

export const keyElements = ({ issue_date, issuer, number }: RecordKey): ReadonlyArray<XmlPart> => [
  textElement("sf:IDEmisorFactura", issuer),
  textElement("sf:NumSerieFactura", number),
  textElement("sf:FechaExpedicionFactura", dateText(issue_date))
]

/** Types of records: a full invoice, a simplified one, and corrections by their legal cause. */
type RecordType = "F1" | "F2" | "R1" | "R2" | "R3" | "R4" | "R5"

/** Causes that determine the type of a correction. The codes 01 to 16 are mistakes on the document (Facturae). */
const types_of_causes: ReadonlyArray<readonly [cause: RegExp, type: RecordType]> = [
  [/^R1$/, "R1"],
  [/^(R2|85)$/, "R2"],
  [/^R3$/, "R3"],
  [/^(R4|0[1-9]|1[0-6])$/, "R4"],
  [/^R5$/, "R5"]
]

/** Returns the type of a document's record. An invoice without an identified customer is a simplified one (F2). */
export const typeOf = (invoice: EInvoice): RecordType => {
  const isIdentified = taxIdentityOf(invoice.buyer) !== null
  if (invoice.kind === "invoice") return isIdentified ? "F1" : "F2"
  const named = types_of_causes.find(([cause]) => cause.test(invoice.corrective_cause ?? ""))?.[1]
  return named ?? (isIdentified ? "R1" : "R5")
}

export const isSimplified = (type: RecordType): boolean => type === "F2" || type === "R5"

/** Writes what a credit note corrects. It states the differences (I) and not a complete replacement invoice (S). */
const correctionElements = (invoice: EInvoice, issuer: string): ReadonlyArray<XmlPart> => {
  if (invoice.kind === "invoice") return []
  const { preceding_invoice: preceding } = invoice
  return [
    textElement("sf:TipoRectificativa", "I"),
    preceding === null
      ? null
      : element(
          "sf:FacturasRectificadas",
          element(
            "sf:IDFacturaRectificada",
            ...keyElements({ issuer, number: numberOf(preceding.number), issue_date: preceding.issue_date })
          )
        )
  ]
}

/** The day of the supply, if it is earlier than the issue date of the document. */
export const operationDate = ({ delivery, issue_date }: EInvoice): string | null => {
  if (delivery === null) return null
  const day = "date" in delivery ? delivery.date : delivery.end
  return day < issue_date ? dateText(day) : null
}

const description_characters_max = 500
const usual_description = "Factura"

const descriptionOf = ({ lines }: EInvoice): string => {
  const names = lines.map(({ name }) => name.replace(/\s+/g, " ").trim()).filter((name) => name !== "")
  return Array.from(names.join("; ")).slice(0, description_characters_max).join("").trim() || usual_description
}

/** A record whose total is at least this amount in euros must confirm that the total is not a mistake (Macrodato). */
const huge = BigDecimal.make(100_000_000n, 0)

const recipientElement = ({ buyer }: EInvoice, type: RecordType): XmlPart => {
  const identity = taxIdentityOf(buyer)
  return identity === null || isSimplified(type)
    ? null
    : element(
        "sf:Destinatarios",
        element("sf:IDDestinatario", textElement("sf:NombreRazon", personName(buyer.name)), identityElement(identity))
      )
}

const rowElement = ({ base, regime, tax, taxed, treatment }: BreakdownRow): XmlPart =>
  element(
    "sf:DetalleDesglose",
    textElement("sf:Impuesto", tax),
    textElement("sf:ClaveRegimen", regime),
    textElement(treatment.startsWith("E") ? "sf:OperacionExenta" : "sf:CalificacionOperacion", treatment),
    textElement("sf:TipoImpositivo", taxed === null ? null : BigDecimal.format(taxed.rate)),
    textElement("sf:BaseImponibleOimporteNoSujeto", amountText(base)),
    textElement("sf:CuotaRepercutida", taxed === null ? null : amountText(taxed.amount))
  )

export const systemElements = (system: InvoicingSystem): ReadonlyArray<XmlPart> => [
  textElement("sf:NombreRazon", system.producer_name),
  textElement("sf:NIF", system.producer_nif),
  textElement("sf:NombreSistemaInformatico", system.name),
  textElement("sf:IdSistemaInformatico", system.id),
  textElement("sf:Version", system.version),
  textElement("sf:NumeroInstalacion", system.installation)
]

/** The last part of both kinds of records: the chain, the system and the hash. */
const closing = (system: InvoicingSystem, { generated_at, previous }: Link, hash: string): ReadonlyArray<XmlPart> => [
  element(
    "sf:Encadenamiento",
    previous === null
      ? textElement("sf:PrimerRegistro", "S")
      : element("sf:RegistroAnterior", ...keyElements(previous), textElement("sf:Huella", previous.hash))
  ),
  element(
    "sf:SistemaInformatico",
    ...systemElements(system),
    // The program can also store records without sending them (N), and it serves many organizations (S).
    textElement("sf:TipoUsoPosibleSoloVerifactu", "N"),
    textElement("sf:TipoUsoPosibleMultiOT", "S"),
    textElement("sf:IndicadorMultiplesOT", "S")
  ),
  textElement("sf:FechaHoraHusoGenRegistro", generated_at),
  textElement("sf:TipoHuella", "01"),
  textElement("sf:Huella", hash)
]
