import { element, textElement, type XmlPart } from "../../../platform/documents/Xml.ts"
import {
  information_namespace,
  type InvoicingSystem,
  keyElements,
  type RecordKey,
  systemElements
} from "../InvoiceRecord.ts"
import { eventHash } from "../RecordHash.ts"
import { personName } from "../RecordParties.ts"

const event_namespace = information_namespace.replace("SuministroInformacion", "EventosSIF")

/** The kinds of events that Orden HAC/1177/2024, art. 9, requires, by their codes in list L2E. */
export const event_names = {
  "01": "start without VERI*FACTU",
  "02": "end without VERI*FACTU",
  "03": "check of invoice records",
  "04": "anomaly of an invoice record",
  "05": "check of events",
  "06": "anomaly of an event",
  "07": "restored backup",
  "08": "export of invoice records",
  "09": "export of events",
  "10": "summary"
} as const
type EventType = keyof typeof event_names
export const event_types: ReadonlyArray<EventType> = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10"]

interface ChainedEvent {
  readonly type: EventType
  /** The time that the event states, as in RFC 3339 and with the offset of the organization's time zone. */
  readonly local_time: string
  readonly hash: string
}

export interface EventContent {
  readonly type: EventType
  /** Null for events that have only a type. */
  readonly details: XmlPart
  /** Identifies an anomaly; null for other events. */
  readonly finding: string | null
}

interface Making {
  readonly system: InvoicingSystem
  readonly taxpayer: { readonly name: string; readonly nif: string }
  /** Null for the first event. */
  readonly previous: ChainedEvent | null
  readonly local_time: string
}

/** Writes an event (RegistroEvento, EventosSIF.xsd) without its signature. */
export const eventRecord = ({ details, type }: EventContent, making: Making) => {
  const { local_time, previous, system, taxpayer } = making
  const hash = eventHash({
    producer_nif: system.producer_nif,
    system_id: system.id,
    version: system.version,
    installation: system.installation,
    taxpayer_nif: taxpayer.nif,
    type,
    previous_hash: previous?.hash ?? "",
    generated_at: local_time
  })
  const event = element(
    "sf:Evento",
    element("sf:SistemaInformatico", ...systemElements(system)),
    element(
      "sf:ObligadoEmision",
      textElement("sf:NombreRazon", personName(taxpayer.name)),
      textElement("sf:NIF", taxpayer.nif)
    ),
    textElement("sf:FechaHoraHusoGenEvento", local_time),
    textElement("sf:TipoEvento", type),
    details === null ? null : element("sf:DatosPropiosEvento", details),
    element(
      "sf:Encadenamiento",
      previous === null
        ? textElement("sf:PrimerEvento", "S")
        : element("sf:EventoAnterior", ...eventElements(previous, "sf:FechaHoraHusoGenEvento"))
    ),
    textElement("sf:TipoHuella", "01"),
    textElement("sf:HuellaEvento", hash)
  )
  const version = textElement("sf:IDVersion", "1.0")
  return { hash, xml: `<sf:RegistroEvento xmlns:sf="${event_namespace}">${version}${event}</sf:RegistroEvento>` }
}

const eventElements = ({ hash, local_time, type }: ChainedEvent, time: string): ReadonlyArray<XmlPart> => [
  textElement("sf:TipoEvento", type),
  textElement(time, local_time),
  textElement("sf:HuellaEvento", hash)
]

const contentOf = (type: EventType, details: XmlPart = null, finding: string | null = null): EventContent => ({
  type,
  details,
  finding
})

export const started = contentOf("01")
export const ended = contentOf("02")
export const restored = contentOf("07")

/** The names of the four checks. The XML elements about a check contain its name, for records and for events. */
const checks = ["IntegridadHuellas", "IntegridadFirmas", "TrazabilidadCadena", "TrazabilidadFechas"]

/** The number of checked records or events is omitted if it has more than `digits_max` digits. */
const checkDetails = (rows: "Facturacion" | "Evento", count: number, digits_max: number): XmlPart =>
  element(
    `sf:LanzamientoProcesoDeteccionAnomaliasReg${rows}`,
    ...checks.flatMap((check) => [
      textElement(`sf:RealizadoProcesoSobre${check}Reg${rows}`, "S"),
      textElement(
        `sf:NumeroDeRegistros${rows}ProcesadosSobre${check}`,
        String(count).length > digits_max ? null : String(count)
      )
    ])
  )

export const checkedRecords = (count: number) => contentOf("03", checkDetails("Facturacion", count, 7))
export const checkedEvents = (count: number) => contentOf("05", checkDetails("Evento", count, 5))

interface Anomalous<About> {
  /** The code of the anomaly in list L1E of the AEAT. */
  readonly code: string
  readonly position: number
  readonly about: About
}

export const anomalousRecord = ({ about, code, position }: Anomalous<RecordKey>) =>
  contentOf(
    "04",
    element(
      "sf:DeteccionAnomaliasRegFacturacion",
      textElement("sf:TipoAnomalia", code),
      textElement("sf:OtrosDatosAnomalia", `Registro ${position}`),
      element("sf:RegistroFacturacionAnomalo", ...keyElements(about))
    ),
    `record ${position} ${code}`
  )

export const anomalousEvent = ({ about, code, position }: Anomalous<ChainedEvent>) =>
  contentOf(
    "06",
    element(
      "sf:DeteccionAnomaliasRegEvento",
      textElement("sf:TipoAnomalia", code),
      textElement("sf:OtrosDatosAnomalia", `Evento ${position}`),
      element("sf:RegEventoAnomalo", ...eventElements(about, "sf:FechaHoraHusoEvento"))
    ),
    `event ${position} ${code}`
  )

type HashedRecord = RecordKey & { readonly hash: string }

interface RecordSums {
  readonly registrations: number
  readonly cancellations: number
  /** Total tax of the registrations. `tax` and `total` have two decimals. */
  readonly tax: string
  readonly total: string
}

const boundaryElements = (first: HashedRecord, last: HashedRecord) =>
  [first, last].map((record, index) =>
    element(
      `sf:RegistroFacturacion${index === 0 ? "Inicial" : "Final"}Periodo`,
      ...keyElements(record),
      textElement("sf:Huella", record.hash)
    )
  )

/** The first and the last moment of a period, with the offset of the organization's time zone. */
interface LocalPeriod {
  readonly from: string
  readonly until: string
}

const periodElements = ({ from, until }: LocalPeriod) => [
  textElement("sf:FechaHoraHusoInicioPeriodoExport", from),
  textElement("sf:FechaHoraHusoFinPeriodoExport", until)
]

export const exportedRecords = (
  period: LocalPeriod,
  { cancellations, first, last, registrations, tax, total }: RecordSums & Record<"first" | "last", HashedRecord>
) =>
  contentOf(
    "08",
    element(
      "sf:ExportacionRegFacturacionPeriodo",
      ...periodElements(period),
      ...boundaryElements(first, last),
      textElement("sf:NumeroDeRegistrosFacturacionAltaExportados", String(registrations)),
      textElement("sf:SumaCuotaTotalAlta", tax),
      textElement("sf:SumaImporteTotalAlta", total),
      textElement("sf:NumeroDeRegistrosFacturacionAnulacionExportados", String(cancellations)),
      textElement("sf:RegistrosFacturacionExportadosDejanDeConservarse", "N")
    )
  )

export const exportedEvents = (
  period: LocalPeriod,
  { count, first, last }: Record<"first" | "last", ChainedEvent> & { readonly count: number }
) =>
  contentOf(
    "09",
    element(
      "sf:ExportacionRegEventoPeriodo",
      ...periodElements(period),
      element("sf:RegistroEventoInicialPeriodo", ...eventElements(first, "sf:FechaHoraHusoEvento")),
      element("sf:RegistroEventoFinalPeriodo", ...eventElements(last, "sf:FechaHoraHusoEvento")),
      textElement("sf:NumeroDeRegEventoExportados", String(count)),
      textElement("sf:RegEventoExportadosDejanDeConservarse", "N")
    )
  )

/** A summary lists all kinds of events but summaries (10), so that a zero says that no such event occurred. */
const summed_types = event_types.filter((type) => type !== "10")

export const summary = (
  counts: ReadonlyMap<EventType, number>,
  { cancellations, registrations, tax, total }: RecordSums,
  boundaries: { readonly first: HashedRecord; readonly last: HashedRecord } | null
) =>
  contentOf(
    "10",
    element(
      "sf:ResumenEventos",
      ...summed_types.map((type) =>
        element(
          "sf:TipoEvento",
          textElement("sf:TipoEvento", type),
          textElement("sf:NumeroDeEventos", String(counts.get(type) ?? 0))
        )
      ),
      ...(boundaries === null ? [] : boundaryElements(boundaries.first, boundaries.last)),
      textElement("sf:NumeroDeRegistrosFacturacionAltaGenerados", String(registrations)),
      textElement("sf:SumaCuotaTotalAlta", tax),
      textElement("sf:SumaImporteTotalAlta", total),
      textElement("sf:NumeroDeRegistrosFacturacionAnulacionGenerados", String(cancellations))
    )
  )
