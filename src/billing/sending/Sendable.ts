import type { Effect, Option } from "effect"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"
import type { Mailing } from "./DocumentMail.ts"
import { deliveryOf, type DocumentMailRow, type DocumentSend, type Issued } from "./DocumentSendsRepo.ts"
import type { Delivery, SendBody } from "./Send.ts"
import type { KeptNumber } from "./SendErrors.ts"

export interface Sent {
  readonly issued: Issued | null
  readonly deliveries: ReadonlyArray<Delivery>
  /** Number of messages of this send that the mail server accepted. Messages of an earlier send do not count. */
  readonly mailed: number
  /** True if the service sent the messages later than the request that issued the document. */
  readonly resumed: boolean
}

export interface Prepared {
  readonly recipients: ReadonlyArray<string>
  /** Null if the document was issued before. */
  readonly issued: Issued | null
}

/** A document that can be sent, with the rules of its kind. */
export interface Sendable<Answer, Refused, Gone, R> {
  readonly kind: DocumentKind
  readonly id: number
  readonly body: SendBody
  /**
   * Refuses what may not be sent; issues the document if it is a draft. `continues` is true if a crash interrupted the
   * previous send.
   */
  readonly prepare: (continues: boolean) => Effect.Effect<Prepared, Refused, R>
  readonly mailing: (issued: Issued | null) => Effect.Effect<Mailing, Gone | PdfRefused, R>
  /** Marks the document as sent when a message was mailed. Runs in the transaction that finishes the send. */
  readonly finish: (sent: Sent) => Effect.Effect<Answer, Gone, R>
  readonly answer: (sent: Sent) => Effect.Effect<Answer, Gone, R>
  /** Locks what `undo` changes, before the transaction writes an audit entry, because the audit log is locked last. */
  readonly hold: (issued: Issued) => Effect.Effect<void, Gone, R>
  /**
   * Makes the document a draft again, in the transaction that concludes the send. Returns the number if it is kept.
   * `isExpired` is true after `sending_time_max`: an invoice or a quote then stays issued.
   */
  readonly undo: (issued: Issued, isExpired: boolean) => Effect.Effect<Option.Option<KeptNumber>, Gone, R>
}

/** Records that the mail server finally refused messages. Runs in the transaction that records their results. */
export type Refuse<Gone, R> = (refused: ReadonlyArray<Delivery>) => Effect.Effect<void, Gone, R>

export const sentOf = (
  { issued }: Pick<DocumentSend, "issued">,
  mails: ReadonlyArray<DocumentMailRow>,
  resumed: boolean
): Sent => ({
  issued,
  resumed,
  deliveries: mails.map(deliveryOf),
  mailed: mails.filter(({ inherited, state }) => state === "accepted" && !inherited).length
})
