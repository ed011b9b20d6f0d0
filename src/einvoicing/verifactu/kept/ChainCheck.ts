import { Option } from "effect"
import { textAt, xmlTree, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import type { Timestamp } from "../../../kernel/Calendar.ts"
import { isValidAt } from "../../../platform/crypto/signatures/Certificates.ts"
import { envelopedSignature } from "../../../platform/crypto/signatures/XmlSignature.ts"
import { dateText } from "../InvoiceRecord.ts"
import { cancellationHash, eventHash, registrationHash } from "../RecordHash.ts"
import type { KeptRecord } from "./KeptRecordsRepo.ts"
import type { StoredEvent } from "./RecordEventsRepo.ts"

/** The anomalies that a check can find, by their codes in the AEAT's list L1E. */
export const anomaly_names = {
  "01": "The content does not match the hash.",
  "02": "The signature is absent or does not match the content.",
  "03": "The stored columns or the form of the XML were changed.",
  "04": "The previous row is missing.",
  "05": "The next row is missing.",
  "08": "The stated hash of the previous row is wrong.",
  "11": "The time is before that of the previous row.",
  "13": "The time is in the future."
} as const
export type AnomalyCode = keyof typeof anomaly_names

export interface Link {
  readonly position: number
  readonly generated_at: Timestamp
  /** The hash in its own column, separate from the XML. */
  readonly hash: string
  readonly xml: string
  readonly isSigned: boolean
  /** The contents of the XML; undefined if the XML is unreadable. */
  readonly read: ReadLink | undefined
}

interface ReadLink {
  readonly hash: string
  readonly expected_hash: string
  /** Undefined for the first record or event of a chain. */
  readonly previous_hash: string | undefined
  readonly local_time: string
  /** False if a column of the table differs from the XML. */
  readonly isAsStored: boolean
}

/** Maximum difference between the clocks of two machines that write records (Orden HAC/1177/2024, art. 7 f). */
const clock_tolerance_ms = 60_000

interface Surroundings {
  /** Null for the first record or event, and if the previous one is unknown. */
  readonly previous: Link | null
  readonly now_ms: number
}

export const anomaliesOf = (link: Link, { now_ms, previous }: Surroundings): ReadonlyArray<AnomalyCode> => {
  const { generated_at, hash, isSigned, position, read, xml } = link
  const at_ms = Date.parse(generated_at)
  const found: ReadonlyArray<readonly [boolean, AnomalyCode]> = [
    [read === undefined || read.hash !== read.expected_hash, "01"],
    [isSigned && !isProperlySigned(xml, at_ms), "02"],
    [read !== undefined && (!read.isAsStored || read.hash !== hash || !isSameSecond(read.local_time, at_ms)), "03"],
    [previous === null ? position > 1 : previous.position !== position - 1, "04"],
    [read !== undefined && read.previous_hash !== (position === 1 ? undefined : previous?.hash), "08"],
    [previous !== null && Date.parse(previous.generated_at) > at_ms + clock_tolerance_ms, "11"],
    [at_ms > now_ms + clock_tolerance_ms, "13"]
  ]
  return found.flatMap(([isWrong, code]) => (isWrong ? [code] : []))
}

/** Compares whole seconds, because the XML contains no fractions of a second. */
const isSameSecond = (local_time: string, at_ms: number): boolean =>
  Math.floor(Date.parse(local_time) / 1_000) === Math.floor(at_ms / 1_000)

/** True if the certificate was valid at the time of the signature; it may have expired later. */
const isProperlySigned = (xml: string, at_ms: number): boolean =>
  Option.exists(
    envelopedSignature(xml),
    ({ certificates: [signer], fits }) => fits === true && signer !== undefined && isValidAt(signer, at_ms)
  )

export const linkOfRecord = (record: KeptRecord): Link => {
  const { generated_at, hash, position, state, xml } = record
  const tree = Option.getOrUndefined(xmlTree(xml))
  const read = tree === undefined ? undefined : readRecord(tree, record)
  return { position, generated_at, hash, xml, isSigned: state === "kept", read }
}

const readRecord = (tree: XmlTree, { issue_date, issuer, kind, number }: KeptRecord): ReadLink => {
  const text = (...path: ReadonlyArray<string>) => textAt(tree, ...path) ?? ""
  const suffix = kind === "registration" ? "" : "Anulada"
  const previous_hash = textAt(tree, "Encadenamiento", "RegistroAnterior", "Huella")
  const facts = {
    issuer: text("IDFactura", `IDEmisorFactura${suffix}`),
    number: text("IDFactura", `NumSerieFactura${suffix}`),
    date: text("IDFactura", `FechaExpedicionFactura${suffix}`),
    type: text("TipoFactura"),
    tax_total: text("CuotaTotal"),
    total: text("ImporteTotal"),
    generated_at: text("FechaHoraHusoGenRegistro"),
    previous_hash: previous_hash ?? ""
  }
  const isKind = tree.name === (kind === "registration" ? "RegistroAlta" : "RegistroAnulacion")
  return {
    hash: text("Huella"),
    expected_hash: kind === "registration" ? registrationHash(facts) : cancellationHash(facts),
    previous_hash,
    local_time: facts.generated_at,
    isAsStored: isKind && facts.issuer === issuer && facts.number === number && facts.date === dateText(issue_date)
  }
}

export const linkOfEvent = ({ generated_at, hash, position, type, xml }: StoredEvent): Link => {
  const tree = Option.getOrUndefined(xmlTree(xml))
  const read = tree === undefined ? undefined : readEvent(tree, type)
  return { position, generated_at, hash, xml, isSigned: true, read }
}

const readEvent = (tree: XmlTree, type: StoredEvent["type"]): ReadLink => {
  const text = (...path: ReadonlyArray<string>) => textAt(tree, "Evento", ...path) ?? ""
  const previous_hash = textAt(tree, "Evento", "Encadenamiento", "EventoAnterior", "HuellaEvento")
  const local_time = text("FechaHoraHusoGenEvento")
  return {
    hash: text("HuellaEvento"),
    expected_hash: eventHash({
      producer_nif: text("SistemaInformatico", "NIF"),
      system_id: text("SistemaInformatico", "IdSistemaInformatico"),
      version: text("SistemaInformatico", "Version"),
      installation: text("SistemaInformatico", "NumeroInstalacion"),
      taxpayer_nif: text("ObligadoEmision", "NIF"),
      type: text("TipoEvento"),
      previous_hash: previous_hash ?? "",
      generated_at: local_time
    }),
    previous_hash,
    local_time,
    isAsStored: text("TipoEvento") === type
  }
}

/** The time of an event as written in its XML, which the next event repeats. */
export const localTimeOf = ({ generated_at, xml }: Pick<StoredEvent, "generated_at" | "xml">): string =>
  textAt(Option.getOrUndefined(xmlTree(xml)), "Evento", "FechaHoraHusoGenEvento") ?? generated_at
