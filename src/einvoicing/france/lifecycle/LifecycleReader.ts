import { Option, Schema } from "effect"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { xmlText } from "../../../platform/documents/XmlBytes.ts"
import { isDay, Timestamp, timestampOf } from "../../../kernel/Calendar.ts"
import { DocumentType } from "../../providers/Network.ts"
import type { NetworkMessage } from "../../providers/Provider.ts"
import { messageTree, statedStatus } from "../../received/reading/StatedStatus.ts"
import { french_credit_notes } from "../../countries/FrenchCodes.ts"

export const LifecycleStatus = Schema.Struct({
  number: Schema.String,
  document_type: DocumentType,
  code: Schema.String,
  source: Schema.Literals(["network", "recipient"]),
  reason: Schema.NullOr(Schema.String),
  /** The time that the message states, read as UTC because its format has no time zone; null if it states none. */
  stated_at: Schema.NullOr(Timestamp)
})
export type LifecycleStatus = typeof LifecycleStatus.Type

/** The type of life cycle messages that platforms send; messages of sellers and buyers have type 23. */
const platform_message = "305"
/** Maximum number of statuses that are read from one message. */
export const statuses_per_message_max = 300

/**
 * Reads a life cycle message (CDAR), which names one document or several; empty for any other file. A status that the
 * message repeats counts once.
 */
export const lifecycleStatuses = (bytes: Uint8Array): ReadonlyArray<LifecycleStatus> => {
  const root = Option.getOrUndefined(messageTree(xmlText(bytes)))
  const distinct = new Map(
    statedIn(root).map(({ stated_at, ...status }) => [JSON.stringify(status), { ...status, stated_at }])
  )
  return [...distinct.values()].slice(0, statuses_per_message_max)
}

const statedIn = (root: XmlTree | undefined): ReadonlyArray<LifecycleStatus> =>
  all(root, "AcknowledgementDocument").flatMap((message) => {
    const source = textAt(message, "TypeCode") === platform_message ? "network" : "recipient"
    const stated_at = timeOf(textAt(message, "IssueDateTime", "DateTimeString") ?? "")
    return all(message, "ReferenceReferencedDocument").flatMap((document) => {
      const [number, code] = [textAt(document, "IssuerAssignedID"), textAt(document, "ProcessConditionCode")]
      const isCreditNote = french_credit_notes.has(textAt(document, "TypeCode") ?? "")
      const document_type = isCreditNote ? ("credit_note" as const) : ("invoice" as const)
      return Option.match(statedStatus({ number, code, reasons: reasonsOf(document) }), {
        onNone: () => [],
        onSome: (status): ReadonlyArray<LifecycleStatus> => [{ ...status, document_type, source, stated_at }]
      })
    })
  })

/** Reads a time of format 204 (UNTDID 2379), such as 20260701161000; null if there is no such time. */
const timeOf = (text: string): Timestamp | null => {
  const [, year, month, day, hour, minute, second] = time_204.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  const time = `${date}T${hour}:${minute}:${second}Z`
  return isDay(date) && Number.isFinite(Date.parse(time)) ? timestampOf(time) : null
}

/** PostgreSQL has no year 0. */
const time_204 = /^([1-9]\d{3})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/

/** Returns all reasons that a message gives for the status of a document, each with its code. */
const reasonsOf = (document: XmlTree): ReadonlyArray<string> =>
  all(document, "SpecifiedDocumentStatus").flatMap((status) => {
    const code = textAt(status, "ReasonCode")
    const texts = [textAt(status, "Reason"), textAt(at(status, "IncludedNote"), "Content")]
    const text = texts.filter((part) => part !== undefined).join(" ")
    return code === undefined ? [] : [text === "" ? code : `${code}: ${text}`]
  })

/** Returns the state that corresponds to a status of the French life cycle (XP Z12-012); null for mere information. */
export const progressOf = (code: string): NetworkMessage["progress"] => progress[code] ?? null

const progress: Readonly<Record<string, NetworkMessage["progress"]>> = {
  // 200: deposited at the seller's platform.
  "200": "submitted",
  // 201: issued by the seller's platform. 202: received by the buyer's platform.
  "201": "sent",
  "202": "sent",
  // 203: made available to the buyer. 204: taken in charge by the buyer.
  "203": "delivered",
  "204": "delivered",
  // 205: approved by the buyer. 210: refused by the buyer.
  "205": "accepted",
  "210": "rejected",
  // 213: rejected by a platform. 221: routing error.
  "213": "rejected",
  "221": "rejected",
  // 501: unreadable for a platform.
  "501": "failed"
}
