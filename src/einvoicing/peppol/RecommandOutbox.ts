import { DateTime, Duration, Effect, Option } from "effect"
import { now, type Timestamp, timestampOf } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import {
  type Acceptance,
  type Answer,
  type Exchange,
  type NetworkMessage,
  NetworkRefused,
  NetworkUnavailable,
  type Transmission
} from "../providers/Provider.ts"
import { json_type, temporary, type Unanswered, type Unexpected } from "../providers/RestAnswer.ts"
import { OutcomeUnknown, type SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { peppolAddress } from "./PeppolAddress.ts"
import { progressOf } from "./InvoiceResponse.ts"
import type { ResponsesRepo } from "./ResponsesRepo.ts"
import { DocumentAnswer, DocumentsAnswer, SentAnswer } from "./RecommandApi.ts"
import type { recommandClient } from "./RecommandClient.ts"

/** Maximum time by which the clock of the access point may be behind ours. */
const skew = Duration.minutes(10)
/** Maximum time until the access point stores a document that it was sent, including a clock that is ahead of ours. */
const sent_within = Duration.hours(1)
/** That time is searched in parts of this length, so that the search ends soon after the document is found. */
const part = Duration.minutes(15)
const page_size = 200
/** Maximum number of pages of one part. */
const pages_max = 50

type Named = Pick<Transmission, "number" | "document_type">

interface Sender {
  readonly organization_id: OrganizationId
  readonly company_id: string
}

interface Outgoing {
  readonly transmission_id: string
  readonly recipient: string
  readonly xml: Uint8Array
  /** Identifiers of a message, whose type the access point cannot recognize by its content; absent for a document. */
  readonly service?: { readonly document_type: string; readonly process: string }
  /** Fails if nothing may be sent now. It is asked before sending, but not about an earlier attempt. */
  readonly permission: Answer<void>
}

interface Services {
  readonly once: SubmissionsOnce["Service"]
  readonly responses: ResponsesRepo["Service"]
}

/** Sends documents by Recommand, which answers once the access point of the recipient has the document. */
export const recommandOutbox = (
  { ask, call }: ReturnType<typeof recommandClient>,
  { once, responses }: Services,
  { company_id, organization_id }: Sender
) => {
  const company = encodeURIComponent(company_id)

  const document = (id: string) => call(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` })

  const send = (outgoing: Outgoing) =>
    call(SentAnswer, { method: "POST", path: `/${company}/send`, body: bodyOf(outgoing) }).pipe(
      Effect.catchTags({
        Unanswered: (error) => Effect.fail(unanswered(error)),
        Unexpected: (error) => Effect.fail(verdictOf(error, outgoing))
      }),
      Effect.flatMap(
        Effect.fnUntraced(function* ({ bytes, value: { id, sentOverPeppol } }) {
          const exchange = exchangeOf(outgoing, bytes)
          const message = "The access point did not send the document over Peppol."
          if (!sentOverPeppol) return yield* new NetworkRefused({ code: "refused", message, exchange })
          return { reference: id, at: yield* now, exchange }
        })
      )
    )

  /** Lists the documents that the company sent in a period, over all pages. */
  const sentIn = Effect.fnUntraced(function* (begin: DateTime.DateTime, end: DateTime.DateTime) {
    const [from, to] = [begin, end].map((time) => encodeURIComponent(DateTime.formatIso(time)))
    const found = []
    for (let page = 1; page <= pages_max; page++) {
      const query = `companyId=${company}&direction=outgoing&from=${from}&to=${to}&limit=${page_size}&page=${page}`
      const { documents, pagination } = yield* ask(DocumentsAnswer, { method: "GET", path: `/documents?${query}` })
      found.push(...documents)
      if (page >= pagination.totalPages) return found
    }
    // An incomplete list must not count as proof that a document is missing.
    return yield* new NetworkUnavailable({ message: "The access point lists too many documents." })
  })

  /** Finds an outgoing document by its bytes among those that were sent since an earlier attempt. */
  const recover = (outgoing: Outgoing) =>
    Effect.fnUntraced(function* (since: Timestamp) {
      const { recipient, transmission_id, xml } = outgoing
      const attempted = yield* once.content({ organization_id, transmission_id })
      const sha256 = sha256Hex(Option.getOrElse(attempted, () => xml))
      const attempted_at = DateTime.makeUnsafe(since)
      const last = DateTime.addDuration(attempted_at, sent_within)
      let begin = DateTime.subtractDuration(attempted_at, skew)
      while (DateTime.isLessThan(begin, last)) {
        const end: DateTime.Utc = DateTime.addDuration(begin, part)
        for (const { createdAt, id, receiverId } of yield* sentIn(begin, end)) {
          if (receiverId !== recipient) continue
          const { bytes, value } = yield* temporary(document(id))
          if (sha256Hex(new TextEncoder().encode(value.document.xml ?? "")) !== sha256) continue
          const acceptance: Acceptance = {
            reference: id,
            at: timestampOf(createdAt),
            exchange: exchangeOf(outgoing, bytes)
          }
          return Option.some(acceptance)
        }
        begin = end
      }
      return Option.none<Acceptance>()
    })

  const deliver = (outgoing: Outgoing) => {
    const { permission, service, transmission_id, xml } = outgoing
    return once.submit({
      key: { organization_id, transmission_id },
      content: service === undefined ? undefined : xml,
      send: Effect.andThen(permission, send(outgoing)),
      recover: recover(outgoing)
    })
  }

  const submit = ({ recipient, transmission_id, xml }: Transmission, permission: Answer<void>) =>
    deliver({ transmission_id, recipient: peppolAddress(recipient), xml, permission })

  /** Finds the responses of the recipient's access point to the document in an envelope. */
  const levelResponsesOf = Effect.fnUntraced(function* (envelope_id: string) {
    const found = yield* responses.levelResponses({ organization_id, envelope_id })
    return found.map(({ code, content, message_id, received_at }): NetworkMessage => {
      const isRefused = code === "RE"
      return {
        ...silent,
        id: message_id,
        at: received_at,
        code: isRefused ? "MLS-RE" : code,
        progress: isRefused ? "failed" : "delivered",
        reason: isRefused ? "The access point of the recipient refused the document." : null,
        receipt: { type: "message_level_status", content_type: "application/xml", bytes: content }
      }
    })
  })

  /** Finds the answers of the recipient; answers of other participants do not count. */
  const answersOf = Effect.fnUntraced(function* (named: Named, sender: string, since: Timestamp) {
    const found = yield* responses.answers({ organization_id, ...named, sender, since })
    return found.map(({ code, content, message_id, reason, received_at }): NetworkMessage => ({
      id: message_id,
      at: received_at,
      code,
      source: "recipient",
      progress: progressOf(code),
      reason,
      receipt: { type: "invoice_response", content_type: "application/xml", bytes: content }
    }))
  })

  const poll = Effect.fn("Recommand.poll")(function* (transmission_id: string, named: Named) {
    const reference = yield* once.reference({ organization_id, transmission_id })
    if (Option.isNone(reference)) return []
    const { value } = yield* temporary(document(reference.value))
    const { createdAt, envelopeId, id, receivedPeppolSignalMessage: signal, receiverId } = value.document
    const sent: NetworkMessage = {
      ...silent,
      id: `${id}:sent`,
      at: timestampOf(createdAt),
      code: "AS4",
      progress: "sent",
      receipt: signal === null ? null : { type: "as4_receipt", content_type: "application/xml", bytes: encoded(signal) }
    }
    const answers = receiverId === null ? [] : yield* answersOf(named, receiverId, timestampOf(createdAt))
    return [sent, ...(envelopeId === null ? [] : yield* levelResponsesOf(envelopeId)), ...answers]
  })

  return { deliver, submit, poll }
}

const silent = { source: "network", reason: null } as const

const encoded = (text: string) => new TextEncoder().encode(text)

const bodyOf = ({ recipient, service, xml }: Outgoing) => ({
  recipient,
  documentType: "xml",
  document: new TextDecoder().decode(xml),
  ...(service === undefined ? {} : { doctypeId: service.document_type, processId: service.process })
})

const exchangeOf = (outgoing: Outgoing, bytes: Uint8Array): Exchange => ({
  request: { content_type: json_type, bytes: encoded(JSON.stringify(bodyOf(outgoing))) },
  response: { content_type: json_type, bytes }
})

const unanswered = ({ left, message }: Unanswered) =>
  left ? new OutcomeUnknown({ message }) : new NetworkUnavailable({ message })

const validation_failed = /validation failed/i

/**
 * Only a 400 about a broken rule is a verdict: the access point also answers 400 to its own failures, even after it has
 * sent the document. After 401 to 404 an operator has to fix the connection; 422 means that the recipient could not be
 * reached.
 */
const verdictOf = ({ answer, message, status }: Unexpected, outgoing: Outgoing) => {
  if (status === 400 && validation_failed.test(message)) {
    return new NetworkRefused({
      code: "malformed_document",
      message,
      exchange: exchangeOf(outgoing, answer.bytes)
    })
  }
  const isCertain = [401, 402, 403, 404, 413, 422].includes(status)
  return isCertain ? new NetworkUnavailable({ message }) : new OutcomeUnknown({ message })
}
