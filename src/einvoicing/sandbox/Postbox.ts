import { DateTime, Duration, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { dayAt, type Timestamp, timestampOf, TimeZone } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { html } from "../../platform/pages/Html.ts"
import { sha256Hex, sha256Uuid } from "../../platform/crypto/Digest.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { Arrival } from "../providers/Arrival.ts"
import type { NetworkDefinition } from "../providers/Network.ts"
import {
  type Acceptance,
  type NetworkMessage,
  NetworkRefused,
  NetworkUnavailable,
  type ParticipantIdentifier,
  type Response,
  type Transmission
} from "../providers/Provider.ts"
import { answerScript, type Dialect, script } from "./dialects/Dialect.ts"
import { example_account, makeMembers, receives } from "./SandboxMembers.ts"
import { outcomeOf } from "./dialects/Outcome.ts"
import { sandboxExchange } from "./SandboxExchange.ts"
import { readDocument } from "./SentDocument.ts"
import { SimulatorRepo } from "./SimulatorRepo.ts"

/** The number of failing attempts for the outcome `unavailable_at_first`. */
const failures_at_first = 2

const receipt_type = "application/xml"

const down = new NetworkUnavailable({ message: "The network does not answer." })
const refuse = (code: NetworkRefused["code"], message: string) => new NetworkRefused({ code, message })

/** Accepts documents for the simulated network, and returns its messages about them. */
export const makePostbox = Effect.gen(function* () {
  const repo = yield* SimulatorRepo
  const members = yield* makeMembers
  const { apart, transaction } = yield* Database
  const { sandboxNetworkDelaySeconds } = yield* AppConfig

  const requireUp = Effect.fnUntraced(function* ({ recipient, transmission_id }: Transmission) {
    const outcome = outcomeOf(recipient)
    if (outcome === "unavailable") return yield* down
    const { attempts } = yield* repo.countAttempt(transmission_id)
    if (outcome === "unavailable_at_first" && attempts <= failures_at_first) return yield* down
  })

  const requireParties = Effect.fnUntraced(function* (network: NetworkDefinition, sent: Transmission, day: string) {
    const sender = yield* members.find(sent.sender)
    if (Option.isNone(sender) || !sender.value.acts_as_sender) {
      return yield* refuse("sender_unknown", "The sender is not registered to send on this network.")
    }
    // A network without a directory accepts every recipient.
    if (!network.supports_lookup) return
    const recipient = yield* members.find(sent.recipient)
    if (Option.isNone(recipient) || !recipient.value.acts_as_receiver) {
      return yield* refuse("recipient_unknown", "No participant has the recipient's address.")
    }
    if (!receives(recipient.value, day)) {
      const message = `The recipient's address can be reached from ${recipient.value.routable_from} on.`
      return yield* new NetworkRefused({ code: "recipient_unknown", message, is_until_later: true })
    }
    if (!recipient.value.document_types.includes(sent.document_type)) {
      return yield* refuse("recipient_incapable", `The recipient does not accept the type ${sent.document_type}.`)
    }
  })

  const requireFirst = Effect.fnUntraced(function* (sent: Transmission, until: Timestamp) {
    const { document_type, number, transmission_id } = sent
    const sender = addressOf(sent.sender)
    yield* repo.lockNumber({ sender, number })
    const live = yield* repo.findLive({ transmission_id, sender, number, document_type, until })
    if (Option.isSome(live)) return yield* refuse("duplicate", `${number} was sent before as ${live.value.reference}.`)
  })

  /** Writes the messages of the network about a document, each of which is read only after its time. */
  const tell = Effect.fnUntraced(function* (
    { sha256, transmission_id }: Transmission,
    { at, reference }: Pick<Acceptance, "at" | "reference">,
    lines: ReturnType<typeof script>
  ) {
    for (const [position, { evidence, ...line }] of lines.entries()) {
      const said_at = later(at, sandboxNetworkDelaySeconds * (position + 1))
      const receipt = receiptOf({ reference, sha256, code: line.code, at: said_at, reason: line.reason })
      const id = yield* newId
      yield* repo.say({ ...line, id, transmission_id, position, at: said_at, receipt_type: evidence, receipt })
    }
  })

  const deliver = Effect.fnUntraced(function* (network: NetworkDefinition, dialect: Dialect, sent: Transmission) {
    const known = yield* repo.lockAttempted(sent.transmission_id)
    if (known.reference !== null && known.accepted_at !== null) return acceptance(known.reference, known.accepted_at)
    const at = yield* DateTime.now
    yield* readDocument(sent)
    yield* requireDigest(sent)
    yield* requireParties(network, sent, dayAt(DateTime.toEpochMillis(at), utc))
    if (outcomeOf(sent.recipient) === "refused") return yield* refuse("refused", "The network refuses this document.")
    const accepted_at = timestampOf(at)
    yield* requireFirst(sent, accepted_at)
    const { document_type, number, sha256, transmission_id } = sent
    const reference = yield* newId
    const sender = addressOf(sent.sender)
    yield* repo.take({ transmission_id, reference, accepted_at, sender, number, document_type, sha256 })
    // A tax agency hands a record to nobody.
    const member = network.registers === true ? Option.none() : yield* members.find(sent.recipient)
    const account = Option.match(member, { onNone: () => example_account, onSome: ({ account }) => account })
    // A recipient that is an organization of this installation answers later. The identifier of any other recipient
    // decides its answer.
    const outcome = account === example_account ? outcomeOf(sent.recipient) : "delivered"
    yield* tell(sent, { at: accepted_at, reference }, script(dialect, outcome))
    if (account !== example_account) {
      const arrives_at = later(accepted_at, sandboxNetworkDelaySeconds * 2)
      yield* repo.keepArrival({ transmission_id, network: network.code, account, document: sent.xml, at: arrives_at })
    }
    return acceptance(reference, accepted_at)
  }, transaction)

  const submit = (network: NetworkDefinition, dialect: Dialect, sent: Transmission) =>
    apart(Effect.andThen(requireUp(sent), deliver(network, dialect, sent))).pipe(
      Effect.map((accepted): Acceptance => ({ ...accepted, exchange: sandboxExchange(network, sent, accepted) })),
      Effect.catchTag("NetworkRefused", (refused) => {
        const { code, is_until_later = false, message } = refused
        const exchange = sandboxExchange(network, sent, refused)
        return Effect.fail(new NetworkRefused({ code, message, is_until_later, exchange }))
      })
    )

  const poll = Effect.fn("Postbox.poll")(function* (transmission_id: string) {
    const said = yield* repo.said({ transmission_id, until: timestampOf(yield* DateTime.now) })
    return said.map(({ at, code, id, progress, reason, receipt, receipt_type: type, source }): NetworkMessage => ({
      id,
      at,
      code,
      source,
      progress,
      reason,
      receipt: { type, content_type: receipt_type, bytes: receipt }
    }))
  }, apart)

  const arrivals = Effect.fn("Postbox.arrivals")(function* (network: NetworkDefinition) {
    const found = yield* repo.arrivals({ network: network.code, until: timestampOf(yield* DateTime.now) })
    return found.map(({ account, at, document: bytes, transmission_id }): Arrival => {
      return { transmission_id, organization_id: OrganizationId.make(account), at, bytes }
    })
  }, apart)

  const respondNow = Effect.fnUntraced(function* (dialect: Dialect, response: Response) {
    const { answer, organization_id: account, reason, transmission_id } = response
    const known = Option.getOrUndefined(yield* repo.answer({ transmission_id, account, answer }))
    if (known === undefined) return yield* refuse("refused", "The network has no such document.")
    if (known.answer !== answer) return yield* refuse("refused", `The document is ${known.answer} already.`)
    const at = timestampOf(yield* DateTime.now)
    const { reference, said, sha256 } = known
    for (const [place, { evidence, ...line }] of answerScript(dialect, answer, reason).entries()) {
      const receipt = receiptOf({ reference, sha256, code: line.code, at, reason })
      const id = sha256Uuid(`${transmission_id} ${line.code}`)
      yield* repo.say({ ...line, id, transmission_id, position: said + place, at, receipt_type: evidence, receipt })
    }
  }, transaction)

  const respond = (dialect: Dialect, response: Response) =>
    apart(respondNow(dialect, response)).pipe(Effect.as(Option.none()), Effect.withSpan("Postbox.respond"))

  const confirm = Effect.fn("Postbox.confirm")(
    ({ transmission_id }: Pick<Arrival, "transmission_id">) => repo.confirm(transmission_id),
    apart
  )

  return { submit: Effect.fn("Postbox.submit")(submit), poll, arrivals, confirm, respond }
})

const utc = TimeZone.make("UTC")

const later = (at: Timestamp, seconds: number): Timestamp =>
  timestampOf(DateTime.addDuration(DateTime.makeUnsafe(at), Duration.seconds(seconds)))

const newId = Effect.sync(() => SecureRandom.uuidV4Unsafe())

const acceptance = (reference: string, at: Timestamp): Omit<Acceptance, "exchange"> => ({ reference, at })

const addressOf = ({ scheme, value }: ParticipantIdentifier): string => `${easCode(scheme)}:${value}`

const requireDigest = Effect.fnUntraced(function* ({ sha256, xml }: Transmission) {
  if (sha256Hex(xml) === sha256) return
  return yield* refuse("malformed_document", "The document does not have the digest it was sent with.")
})

interface Said {
  readonly reference: string
  readonly sha256: string
  readonly code: string
  readonly at: Timestamp
  readonly reason: string | null
}

/** Writes a receipt in the simulator's own format: the digest of the document, the code and the time. */
const receiptOf = ({ at, code, reason, reference, sha256 }: Said): Uint8Array =>
  new TextEncoder().encode(
    html`<?xml version="1.0" encoding="UTF-8"?>
      <Receipt
        ><Reference>${reference}</Reference><DocumentDigest algorithm="SHA-256">${sha256}</DocumentDigest
        ><code>${code}</code
        ><IssuedAt>${at}</IssuedAt>${reason === null ? "" : html`<Reason>${reason}</Reason>`}</Receipt
      > `.markup
  )
