import { Option } from "effect"
import { all, at, textAt, xmlTree, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { element, textElement, xmlDocument } from "../../../platform/documents/Xml.ts"
import { information_namespace } from "../InvoiceRecord.ts"

const soap_namespace = "http://schemas.xmlsoap.org/soap/envelope/"
const supply_namespace = information_namespace.replace("SuministroInformacion", "SuministroLR")

interface Shipment {
  readonly issuer: string
  readonly issuer_name: string
  /** True when the records could not be sent at the time of their creation. */
  readonly isLate: boolean
  /** The last day on which the organization uses VERI*FACTU, if the message announces it; otherwise null. */
  readonly last_day: string | null
  /** Whole records, which are in the envelope byte for byte. */
  readonly records: ReadonlyArray<string>
}

export const envelopeOf = (shipment: Shipment): string => soapMessage(messageOf(shipment))

export const soapMessage = (content: string): string =>
  xmlDocument("soapenv:Envelope", { "xmlns:soapenv": soap_namespace }, [element("soapenv:Body", content)])

/** Writes the content of the message (RegFactuSistemaFacturacion). */
export const messageOf = ({ isLate, issuer, issuer_name, last_day, records }: Shipment): string =>
  [
    `<sfLR:RegFactuSistemaFacturacion xmlns:sfLR="${supply_namespace}" xmlns:sf="${information_namespace}">`,
    element(
      "sfLR:Cabecera",
      element("sf:ObligadoEmision", textElement("sf:NombreRazon", issuer_name), textElement("sf:NIF", issuer)),
      element(
        "sf:RemisionVoluntaria",
        textElement("sf:FechaFinVeriFactu", last_day === null ? null : last_day.split("-").toReversed().join("-")),
        textElement("sf:Incidencia", isLate ? "S" : null)
      )
    ),
    ...records.map((record) => element("sfLR:RegistroFactura", record)),
    "</sfLR:RegFactuSistemaFacturacion>"
  ].join("")

export interface AnswerLine {
  readonly number: string
  /** The issue date in the spelling of the AEAT: 31-12-2026. */
  readonly date: string
  readonly kind: "registration" | "cancellation"
  readonly state: "Correcto" | "AceptadoConErrores" | "Incorrecto"
  readonly code: string | null
  readonly reason: string | null
  /** For a duplicate: the state of the earlier record of the same document, and the request that delivered it. */
  readonly earlier: { readonly state: string; readonly request: string | null } | null
  /** The part of the answer about this record, byte for byte. */
  readonly xml: string
}

interface AeatAnswer {
  /** The code by which anybody can verify the answer; null if every record is refused. */
  readonly csv: string | null
  readonly wait_seconds: number
  readonly lines: ReadonlyArray<AnswerLine>
}

/** The AEAT refused the whole message. */
interface AeatFault {
  readonly fault: string
}

const wait_seconds_default = 60
const wait_seconds_max = 3_600

/** Reads the answer of the AEAT. Returns none for any other text. */
export const answerOf = (text: string): Option.Option<AeatAnswer | AeatFault> =>
  Option.flatMapNullishOr(xmlTree(text), (root) => {
    const body = at(root, "Body")
    const fault = at(body, "Fault")
    if (fault !== undefined) return { fault: textAt(fault, "faultstring") ?? "The AEAT refuses the message." }
    const answer = at(body, "RespuestaRegFactuSistemaFacturacion")
    if (answer === undefined || textAt(answer, "EstadoEnvio") === undefined) return null
    const parts = text.match(/<(?:[\w.-]+:)?RespuestaLinea>[^]*?<\/(?:[\w.-]+:)?RespuestaLinea>/g) ?? []
    const wait = Number(textAt(answer, "TiempoEsperaEnvio"))
    return {
      csv: textAt(answer, "CSV") ?? null,
      wait_seconds: Number.isFinite(wait) && wait > 0 ? Math.min(wait, wait_seconds_max) : wait_seconds_default,
      lines: all(answer, "RespuestaLinea").flatMap((line, index) => lineOf(line, parts[index] ?? ""))
    }
  })

const states = new Set(["Correcto", "AceptadoConErrores", "Incorrecto"])
const isState = (text: string): text is AnswerLine["state"] => states.has(text)

const lineOf = (line: XmlTree, xml: string): ReadonlyArray<AnswerLine> => {
  const number = textAt(line, "IDFactura", "NumSerieFactura")
  const date = textAt(line, "IDFactura", "FechaExpedicionFactura")
  const state = textAt(line, "EstadoRegistro")
  if (number === undefined || date === undefined || state === undefined || !isState(state)) return []
  const earlier = textAt(line, "RegistroDuplicado", "EstadoRegistroDuplicado")
  return [
    {
      number,
      date,
      kind: textAt(line, "Operacion", "TipoOperacion") === "Anulacion" ? "cancellation" : "registration",
      state,
      code: textAt(line, "CodigoErrorRegistro") ?? null,
      reason: textAt(line, "DescripcionErrorRegistro") ?? null,
      earlier:
        earlier === undefined
          ? null
          : { state: earlier, request: textAt(line, "RegistroDuplicado", "IdPeticionRegistroDuplicado") ?? null },
      xml
    }
  ]
}
