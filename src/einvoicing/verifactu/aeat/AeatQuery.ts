import { Option } from "effect"
import { at, textAt, xmlTree, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import type { Day } from "../../../kernel/Calendar.ts"
import { element, textElement, type XmlPart } from "../../../platform/documents/Xml.ts"
import { dateText, information_namespace } from "../InvoiceRecord.ts"
import { soapMessage } from "./AeatEnvelope.ts"

const query_namespace = information_namespace.replace("SuministroInformacion", "ConsultaLR")

/** Identifies a document as the AEAT does. The date is written as 31-12-2026. */
export interface DocumentName {
  readonly issuer: string
  readonly number: string
  readonly date: string
}

interface Question {
  readonly issuer: string
  readonly issuer_name: string
  /** Month of the supplies, such as 2026-03. A document without a day of supply is listed under its own month. */
  readonly month: string
  /** The first and the last day on which the documents were issued; null for any day. */
  readonly days: { readonly first: Day; readonly last: Day } | null
  /** The number of the document to find; null for all documents. */
  readonly number: string | null
  /** The last document of the previous page; null for the first page. */
  readonly after: DocumentName | null
}

/** Writes the SOAP message that requests the AEAT's records of a taxpayer. */
export const questionOf = ({ after, days, issuer, issuer_name, month, number }: Question): string =>
  soapMessage(
    [
      `<sfLRC:ConsultaFactuSistemaFacturacion xmlns:sfLRC="${query_namespace}" xmlns:sf="${information_namespace}">`,
      element(
        "sfLRC:Cabecera",
        textElement("sf:IDVersion", "1.0"),
        element("sf:ObligadoEmision", textElement("sf:NombreRazon", issuer_name), textElement("sf:NIF", issuer))
      ),
      element(
        "sfLRC:FiltroConsulta",
        element(
          "sfLRC:PeriodoImputacion",
          textElement("sf:Ejercicio", month.slice(0, 4)),
          textElement("sf:Periodo", month.slice(5))
        ),
        textElement("sfLRC:NumSerieFactura", number),
        days === null ? null : daysElement(days),
        after === null ? null : afterElement(after)
      ),
      "</sfLRC:ConsultaFactuSistemaFacturacion>"
    ].join("")
  )

const daysElement = ({ first, last }: NonNullable<Question["days"]>): XmlPart =>
  element(
    "sfLRC:FechaExpedicionFactura",
    element(
      "sf:RangoFechaExpedicion",
      textElement("sf:Desde", dateText(first)),
      textElement("sf:Hasta", dateText(last))
    )
  )

const afterElement = ({ date, issuer, number }: DocumentName): XmlPart =>
  element(
    "sfLRC:ClavePaginacion",
    textElement("sf:IDEmisorFactura", issuer),
    textElement("sf:NumSerieFactura", number),
    textElement("sf:FechaExpedicionFactura", date)
  )

export interface HeldRecord extends DocumentName {
  readonly state: "Correcto" | "AceptadoConErrores" | "Anulado"
  /** Null if the answer does not contain the hash of the record. */
  readonly hash: string | null
  readonly request: string | null
  readonly code: string | null
  readonly reason: string | null
  /** The part of the answer about this record, byte for byte. */
  readonly xml: string
}

interface Page {
  readonly held: ReadonlyArray<HeldRecord>
  /** The document after which the next page begins; null for the last page. */
  readonly next: DocumentName | null
}

/** Matches one record. Each record is read separately, because a page may be larger than the XML reader allows. */
const record_pattern =
  /<(?:[\w.-]+:)?RegistroRespuestaConsultaFactuSistemaFacturacion>[^]*?<\/(?:[\w.-]+:)?RegistroRespuestaConsultaFactuSistemaFacturacion>/g

/** Reads a page of records in an answer of the AEAT. Returns none for an error message or any other text. */
export const pageOf = (text: string): Option.Option<Page> =>
  Option.flatMapNullishOr(xmlTree(text.replaceAll(record_pattern, "")), (root) => {
    const answer = at(root, "Body", "RespuestaConsultaFactuSistemaFacturacion")
    if (answer === undefined || textAt(answer, "ResultadoConsulta") === undefined) return null
    const key = at(answer, "ClavePaginacion")
    const hasMore = textAt(answer, "IndicadorPaginacion") === "S"
    return {
      held: (text.match(record_pattern) ?? []).flatMap((xml) =>
        Option.toArray(Option.flatMap(xmlTree(xml), (record) => heldOf(record, xml)))
      ),
      next: hasMore && key !== undefined ? nameOf(key) : null
    }
  })

const states = new Set(["Correcto", "AceptadoConErrores", "Anulado"])
const isState = (text: string): text is HeldRecord["state"] => states.has(text)

const heldOf = (record: XmlTree, xml: string): Option.Option<HeldRecord> => {
  const name = nameOf(at(record, "IDFactura"))
  const status = at(record, "EstadoRegistro")
  const state = textAt(status, "EstadoRegistro") ?? ""
  if (name === null || !isState(state)) return Option.none()
  return Option.some({
    ...name,
    state,
    hash: textAt(record, "DatosRegistroFacturacion", "Huella") ?? null,
    request: textAt(record, "DatosPresentacion", "IdPeticion") ?? null,
    code: textAt(status, "CodigoErrorRegistro") ?? null,
    reason: textAt(status, "DescripcionErrorRegistro") ?? null,
    xml
  })
}

const nameOf = (key: XmlTree | undefined): DocumentName | null => {
  const issuer = textAt(key, "IDEmisorFactura")
  const number = textAt(key, "NumSerieFactura")
  const date = textAt(key, "FechaExpedicionFactura")
  return issuer === undefined || number === undefined || date === undefined ? null : { issuer, number, date }
}
