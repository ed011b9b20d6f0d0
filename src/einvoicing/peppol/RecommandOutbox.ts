import { Array, DateTime, Duration, Effect, Option, Schema } from "effect"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import {
  type Acceptance,
  type Exchange,
  type NetworkMessage,
  NetworkRefused,
  NetworkUnavailable,
  type Transmission
} from "../providers/Provider.ts"
import { temporary, type Unanswered, type Unexpected } from "../providers/RestAnswer.ts"
import { OutcomeUnknown, type SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { peppolAddress } from "./PeppolAddress.ts"
import { DocumentAnswer, DocumentsAnswer, LevelResponse, SentAnswer } from "./RecommandApi.ts"
import { json_type, type recommandClient } from "./RecommandClient.ts"

/** The clock of the access point may be slow by this much. */
const skew = Duration.minutes(10)
const page_size = 200
const pages_max = 10

interface Sender {
  readonly organization_id: OrganizationId
  readonly company_id: string
}

/** Sends documents by Recommand, which answers once the access point of the recipient has the document. */
export const recommandOutbox = (
  { ask, call }: ReturnType<typeof recommandClient>,
  once: SubmissionsOnce["Service"],
  { company_id, organization_id }: Sender
) => {
  const company = encodeURIComponent(company_id)

  const document = (id: string) => call(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` })

  const send = (transmission: Transmission) =>
    call(SentAnswer, { method: "POST", path: `/${company}/send`, body: bodyOf(transmission) }).pipe(
      Effect.catchTags({
        Unanswered: (error) => Effect.fail(unanswered(error)),
        Unexpected: (error) => Effect.fail(verdictOf(error, transmission))
      }),
      Effect.flatMap(
        Effect.fnUntraced(function* ({ bytes, value: { id, sentOverPeppol } }) {
          const exchange = exchangeOf(transmission, bytes)
          const message = "The access point did not send the document over Peppol."
          if (!sentOverPeppol) return yield* new NetworkRefused({ code: "refused", message, exchange })
          return { reference: id, at: yield* now, exchange }
        })
      )
    )

  /** Lists documents of the company since a time, page by page. */
  const listed = (query: string, since: string) =>
    Effect.gen(function* () {
      const from = DateTime.formatIso(DateTime.subtractDuration(DateTime.makeUnsafe(since), skew))
      const found = []
      for (let page = 1; page <= pages_max; page++) {
        const path = `/documents?companyId=${company}&${query}&from=${encodeURIComponent(from)}&limit=${page_size}&page=${page}`
        const { documents, pagination } = yield* ask(DocumentsAnswer, { method: "GET", path })
        found.push(...documents)
        if (page >= pagination.totalPages) return found
      }
      // An incomplete list must not count as proof that a document is missing.
      return yield* new NetworkUnavailable({ message: "The access point lists too many documents." })
    })

  /** Finds the document among those that were sent since the attempt, by its bytes. */
  const recover = (transmission: Transmission) =>
    Effect.fnUntraced(function* (since: Timestamp) {
      const sent = yield* listed("direction=outgoing", since)
      const recipient = peppolAddress(transmission.recipient)
      for (const { createdAt, id, receiverId } of sent) {
        if (receiverId !== recipient) continue
        const { bytes, value } = yield* temporary(document(id))
        if (sha256Hex(new TextEncoder().encode(value.document.xml ?? "")) !== transmission.sha256) continue
        const acceptance: Acceptance = {
          reference: id,
          at: timeOf(createdAt),
          exchange: exchangeOf(transmission, bytes)
        }
        return Option.some(acceptance)
      }
      return Option.none<Acceptance>()
    })

  const submit = (transmission: Transmission) =>
    once.submit({
      key: { organization_id, transmission_id: transmission.transmission_id },
      send: send(transmission),
      recover: recover(transmission)
    })

  /** The messages of the recipient's access point about an envelope. */
  const responses = Effect.fnUntraced(function* (envelope: string, since: string) {
    const received = yield* listed("direction=incoming&type=messageLevelResponse", since)
    return Array.flatMap(received, ({ createdAt, id, parsed }) =>
      Option.toArray(
        Option.filter(decodeResponse(parsed), ({ envelopeId }) => envelopeId === envelope).pipe(
          Option.map(({ responseCode }) => ({ id, code: responseCode, at: timeOf(createdAt) }))
        )
      )
    )
  })

  const poll = Effect.fn("Recommand.poll")(function* (transmission_id: string) {
    const reference = yield* once.reference({ organization_id, transmission_id })
    if (Option.isNone(reference)) return []
    const { value } = yield* temporary(document(reference.value))
    const { createdAt, envelopeId, id, receivedPeppolSignalMessage: signal } = value.document
    const sent: NetworkMessage = {
      ...silent,
      id: `${id}:sent`,
      at: timeOf(createdAt),
      code: "AS4",
      progress: "sent",
      receipt: signal === null ? null : { type: "as4_receipt", content_type: "application/xml", bytes: encoded(signal) }
    }
    const answers = envelopeId === null ? [] : yield* responses(envelopeId, createdAt)
    const told: Array<NetworkMessage> = [sent]
    for (const answer of answers) {
      const { value: response } = yield* temporary(document(answer.id))
      const bytes = encoded(response.document.xml ?? "")
      const isRefused = answer.code === "RE"
      told.push({
        ...silent,
        ...answer,
        code: isRefused ? "MLS-RE" : answer.code,
        progress: isRefused ? "failed" : "delivered",
        reason: isRefused ? "The access point of the recipient refused the document." : null,
        receipt: { type: "message_level_status", content_type: "application/xml", bytes }
      })
    }
    return told
  })

  return { submit, poll }
}

const silent = { source: "network", reason: null } as const

const encoded = (text: string) => new TextEncoder().encode(text)

const decodeResponse = Schema.decodeUnknownOption(LevelResponse)

const timeOf = (text: string): Timestamp => Timestamp.make(DateTime.formatIso(DateTime.makeUnsafe(text)))

const bodyOf = ({ recipient, xml }: Transmission) => ({
  recipient: peppolAddress(recipient),
  documentType: "xml",
  document: new TextDecoder().decode(xml)
})

const exchangeOf = (transmission: Transmission, bytes: Uint8Array): Exchange => ({
  request: { content_type: json_type, bytes: encoded(JSON.stringify(bodyOf(transmission))) },
  response: { content_type: json_type, bytes }
})

const unanswered = ({ left, message }: Unanswered) =>
  left ? new OutcomeUnknown({ message }) : new NetworkUnavailable({ message })

const validation_failed = /validation failed/i

/**
 * Only a broken rule is a verdict. The access point answers 400 to its own failures, too, even after it has sent the
 * document; 401 to 404 mean that an operator has to mend the connection, and 422 that the recipient could not be reached.
 */
const verdictOf = ({ answer, message, status }: Unexpected, transmission: Transmission) => {
  if (status === 400 && validation_failed.test(message)) {
    return new NetworkRefused({
      code: "malformed_document",
      message,
      exchange: exchangeOf(transmission, answer.bytes)
    })
  }
  const isCertain = [401, 402, 403, 404, 413, 422].includes(status)
  return isCertain ? new NetworkUnavailable({ message }) : new OutcomeUnknown({ message })
}
