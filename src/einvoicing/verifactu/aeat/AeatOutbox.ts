import { Clock, DateTime, Duration, Effect, Option, Schedule } from "effect"
import { now, timestampOf } from "../../../kernel/Calendar.ts"
import { Database } from "../../../platform/sql/Database.ts"
import {
  type Acceptance,
  type NetworkMessage,
  NetworkRefused,
  NetworkUnavailable,
  type Transmission
} from "../../providers/Provider.ts"
import { duplicate, type Post, reconcile } from "./AeatReconciliation.ts"
import { answerOf, type AnswerLine, envelopeOf } from "./AeatEnvelope.ts"
import { dateText } from "../InvoiceRecord.ts"
import { type ChainKey, RecordsRepo, type StoredRecord } from "../RecordsRepo.ts"

/** Maximum number of records in an envelope. A full envelope may be sent during a pause that the AEAT requested. */
const records_max = 1_000
/** Duration of a lease on a chain. Queries and an envelope take less, so a lease expires only after a crash. */
const lease = Duration.minutes(5)
/** The AEAT requires records within four minutes of their creation, or a mark that they are late. */
const late_after = Duration.minutes(3)
const poll_interval = "250 millis"
const polls_max = 80

export const xml_type = "text/xml; charset=utf-8"

interface Service {
  readonly post: Post
  /** The 31 December on which the organization leaves VERI*FACTU; null if no such day is set. */
  readonly last_day: string | null
}

/** Sends the waiting records of a chain, in their order, in as few envelopes as possible. */
export const makeAeatOutbox = Effect.gen(function* () {
  const repo = yield* RecordsRepo
  const { apart } = yield* Database

  const recordOf = Effect.fnUntraced(function* (
    chain: ChainKey,
    { transmission_id }: Pick<Transmission, "transmission_id">
  ) {
    const [record] = yield* repo.ofTransmission({ ...chain, transmission_id })
    return record ?? (yield* new NetworkRefused({ code: "malformed_document", message: "The document has no record." }))
  })

  /** Waits until another job, which sends several records in one envelope, has sent this record. */
  const sentByOther = (chain: ChainKey, transmission: Transmission) =>
    recordOf(chain, transmission).pipe(
      Effect.repeat({
        schedule: Schedule.spaced(poll_interval),
        times: polls_max,
        until: ({ state }) => state !== "waiting"
      }),
      Effect.filterOrFail(
        ({ state }) => state !== "waiting",
        () => new NetworkUnavailable({ message: "Another process sends the records of the chain." })
      )
    )

  const requireOpen = Effect.fnUntraced(function* (chain: ChainKey) {
    const { next_send_at } = Option.getOrElse(yield* repo.pauseOf(chain), () => ({ next_send_at: null }))
    if (next_send_at === null || next_send_at <= (yield* now)) return
    return yield* new NetworkUnavailable({ message: `The AEAT accepts the next records at ${next_send_at}.` })
  })

  /** Stores the AEAT's answer about each record. A record without an answer stays waiting. */
  const settle = Effect.fnUntraced(function* (
    chain: ChainKey,
    batch: ReadonlyArray<StoredRecord>,
    { request, response }: { readonly request: string; readonly response: string }
  ) {
    const answer = Option.getOrUndefined(answerOf(response))
    if (answer === undefined) return yield* new NetworkUnavailable({ message: "The answer of the AEAT is unreadable." })
    if ("fault" in answer)
      return yield* new NetworkUnavailable({ message: `The AEAT refuses the message: ${answer.fault}` })
    const at_ms = yield* Clock.currentTimeMillis
    yield* repo.pause({ ...chain, until: timestampOf(at_ms + answer.wait_seconds * 1_000) })
    const answered_at = timestampOf(at_ms)
    const keeper = batch.find(({ kind }) => kind === "registration") ?? batch[0]
    for (const record of batch) {
      const line = answer.lines.find((line) => isAbout(line, record))
      if (line === undefined) continue
      const bodies = record === keeper ? { request, response } : { request: null, response: null }
      const reference = answer.csv ?? line.earlier?.request ?? null
      const { position } = record
      yield* repo.settle({ ...chain, position, answered_at, reference, ...verdictOf(line, record), ...bodies })
    }
  })

  /** An envelope has one taxpayer number, so it ends before the first record with another number. */
  const nextBatch = Effect.fnUntraced(function* (chain: ChainKey) {
    const waiting = yield* repo.waiting({ ...chain, limit: records_max })
    const end = waiting.findIndex(({ issuer }) => issuer !== waiting[0]?.issuer)
    return waiting.slice(0, end < 0 ? waiting.length : end)
  })

  const send = Effect.fn("AeatOutbox.send")(function* (chain: ChainKey, service: Service) {
    yield* reconcile(repo, { chain, post: service.post }, yield* nextBatch(chain))
    const batch = yield* nextBatch(chain)
    const [first] = batch
    if (first === undefined) return
    const at_ms = yield* Clock.currentTimeMillis
    const made_ms = DateTime.toEpochMillis(DateTime.makeUnsafe(first.generated_at))
    const isLate = at_ms - made_ms > Duration.toMillis(late_after)
    const last = batch.at(-1)?.position ?? first.position
    yield* repo.attempt({ ...chain, first: first.position, last, at: timestampOf(at_ms) })
    // The AEAT accepts the announcement that an organization leaves VERI*FACTU only in the year of its last day.
    const isLastYear = service.last_day?.slice(0, 4) === timestampOf(at_ms).slice(0, 4)
    const last_day = isLastYear ? service.last_day : null
    const request = envelopeOf({ ...first, isLate, last_day, records: batch.map(({ xml }) => xml) })
    yield* settle(chain, batch, { request, response: yield* service.post(request) })
  })

  /** Sends the waiting records. Returns false if another process is sending them or if the AEAT requested a pause. */
  const flush = Effect.fn("AeatOutbox.flush")(function* (chain: ChainKey, service: Service) {
    const at_ms = yield* Clock.currentTimeMillis
    const until = timestampOf(at_ms + Duration.toMillis(lease))
    if (!(yield* repo.claim(chain, { at: timestampOf(at_ms), until, full: records_max }))) return false
    yield* Effect.ensuring(send(chain, service), repo.release({ ...chain, until }))
    return true
  }, apart)

  const submit = Effect.fn("AeatOutbox.submit")(function* (
    chain: ChainKey,
    service: Service,
    transmission: Transmission
  ) {
    const record = yield* recordOf(chain, transmission)
    if (record.state !== "waiting") return acceptanceOf(record)
    if (yield* flush(chain, service)) {
      const sent = yield* recordOf(chain, transmission)
      if (sent.state !== "waiting") return acceptanceOf(sent)
      return yield* new NetworkUnavailable({ message: "The record is sent with a later envelope." })
    }
    yield* requireOpen(chain)
    return acceptanceOf(yield* sentByOther(chain, transmission))
  }, apart)

  const sendCancellation = Effect.fn("AeatOutbox.sendCancellation")(function* (
    chain: ChainKey,
    service: Service,
    transmission_id: string
  ) {
    yield* flush(chain, service)
    const records = yield* repo.ofTransmission({ ...chain, transmission_id })
    if (!records.some(({ state }) => state === "waiting")) return
    yield* requireOpen(chain)
    return yield* new NetworkUnavailable({ message: "Another process sends the records of the chain." })
  }, apart)

  const poll = Effect.fn("AeatOutbox.poll")(function* (chain: ChainKey, transmission_id: string) {
    return (yield* repo.ofTransmission({ ...chain, transmission_id })).flatMap(messagesOf)
  }, apart)

  return { submit, sendCancellation, poll }
}).pipe(Effect.provide(RecordsRepo.layer))

const isAbout = (line: AnswerLine, { issue_date, kind, number }: StoredRecord): boolean =>
  line.kind === kind && line.number === number && line.date === dateText(issue_date)

/** Code of a cancellation that the AEAT already has. */
const cancelled_already = "3001"

/**
 * The AEAT reports a duplicate if it already has a record of the document. After an earlier attempt, that is our own
 * record, and its state counts. At the first attempt, it means that another system has used the number.
 */
const verdictOf = (
  { code, earlier, reason, state, xml: answer }: AnswerLine,
  { attempted_at, kind }: StoredRecord
): Pick<StoredRecord, "code" | "reason" | "answer" | "state"> => {
  const isRepeated = attempted_at !== null
  const told = { code, reason, answer }
  if (state !== "Incorrecto") return { ...told, state: stateOf(state) }
  if (isRepeated && code === duplicate && earlier !== null && kind === "registration") {
    return { ...told, state: stateOf(earlier.state) }
  }
  const isGone = kind === "cancellation" && (code === cancelled_already || earlier?.state === "Anulada")
  return { ...told, state: isRepeated && isGone ? "accepted" : "rejected" }
}

const stateOf = (text: string): StoredRecord["state"] => {
  if (text === "Correcto" || text === "Correcta") return "accepted"
  return text === "AceptadoConErrores" || text === "AceptadaConErrores" ? "accepted_with_errors" : "rejected"
}

const encoded = (text: string) => new TextEncoder().encode(text)

const acceptanceOf = ({ answered_at, generated_at, hash, reference, request, response }: StoredRecord): Acceptance => ({
  reference: reference ?? hash,
  at: answered_at ?? generated_at,
  exchange:
    request === null || response === null
      ? null
      : {
          request: { content_type: xml_type, bytes: encoded(request) },
          response: { content_type: xml_type, bytes: encoded(response) }
        }
})

const words = {
  accepted: "Correcto",
  accepted_with_errors: "AceptadoConErrores",
  rejected: "Incorrecto",
  kept: "Conservado"
} as const

const messagesOf = (record: StoredRecord): ReadonlyArray<NetworkMessage> => {
  const { answer, answered_at, code, generated_at, hash, kind, reason, state } = record
  if (state === "waiting") return []
  const word = code === null ? words[state] : `${words[state]} ${code}`
  const progress = state === "rejected" ? "rejected" : "accepted"
  return [
    {
      id: `${hash}:${state}`,
      at: answered_at ?? generated_at,
      code: kind === "cancellation" ? `Anulacion ${word}` : word,
      source: "authority",
      // A record that is only stored gets no verdict. A cancellation does not change the status of the document.
      progress: state === "kept" || kind === "cancellation" ? null : progress,
      reason,
      receipt: answer === null ? null : { type: "aeat_answer", content_type: xml_type, bytes: encoded(answer) }
    }
  ]
}
