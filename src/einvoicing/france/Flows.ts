import { Array, Effect, Option, Schema } from "effect"
import { now, type Timestamp, timestampOf } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import {
  type Acceptance,
  type Answer,
  type Exchange,
  NetworkRefused,
  NetworkUnavailable
} from "../providers/Provider.ts"
import { json_type, temporary, type Unanswered, type Unexpected } from "../providers/RestAnswer.ts"
import { OutcomeUnknown, type SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { Flow, FlowPage, ListedFlow, SubmittedFlow } from "./PlatformApi.ts"
import type { PlatformClient } from "./PlatformClient.ts"

const flows_per_page = 100
const xml_type = "application/xml"
const decodeListed = Schema.decodeUnknownOption(ListedFlow)

interface OutgoingFlow {
  /** A UUID, by which the platform finds the flow again. */
  readonly tracking_id: string
  readonly name: string
  readonly syntax: "UBL" | "CDAR" | "FRR"
  readonly profile: "CIUS" | "Extended-CTC-FR" | "Undefined"
  /** The rule by which the platform processes the file. */
  readonly processing_rule: "B2B" | "B2BInt" | "B2G" | "NotApplicable"
  readonly xml: Uint8Array
}

interface Search {
  readonly where: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly cursor: string | null
}

export const flowService = (
  { ask, call, read }: PlatformClient,
  once: SubmissionsOnce["Service"],
  { flow_url, organization_id }: { readonly flow_url: string; readonly organization_id: OrganizationId }
) => {
  const base = `${flow_url.replace(/\/+$/, "")}/v1`
  const at = (flow_id: string) => `${base}/flows/${encodeURIComponent(flow_id)}`

  const search = Effect.fnUntraced(function* ({ cursor, where }: Search) {
    const body = JSON.stringify({ limit: flows_per_page, where, ...(cursor === null ? {} : { cursor }) })
    const { nextCursor = null, results } = yield* ask(FlowPage, { method: "POST", url: `${base}/flows/search`, body })
    const listed = results ?? []
    const found = Array.getSomes(listed.map((result) => decodeListed(result)))
    const unreadable = listed.length - found.length
    if (unreadable > 0) yield* Effect.logWarning(`${unreadable} flows in a list of ${base} cannot be read`)
    return { found, nextCursor, isFull: listed.length >= flows_per_page }
  })

  /** Finds the flow that the organization submitted under a tracking id, preferably one that was not refused. */
  const tracked = Effect.fnUntraced(function* (tracking_id: string) {
    const { found } = yield* search({ where: { trackingId: tracking_id }, cursor: null })
    const own = found.filter(({ flowDirection }) => flowDirection === "Out")
    return Option.fromUndefinedOr(own.find(({ acknowledgement }) => acknowledgement.status !== "Error") ?? own[0])
  })

  const send = Effect.fnUntraced(function* (flow: OutgoingFlow) {
    const request = multipart(flow)
    const exchangeWith = (bytes: Uint8Array): Exchange => ({
      request: { content_type: request.content_type, bytes: request.body },
      response: { content_type: json_type, bytes }
    })
    return yield* call(SubmittedFlow, { method: "POST", url: `${base}/flows`, ...request }).pipe(
      Effect.map(({ bytes, value }) => accepted(value, exchangeWith(bytes))),
      Effect.catchTags({
        Unanswered: (error) => Effect.fail(unanswered(error)),
        Unexpected: (error) =>
          isDuplicate(error)
            ? Effect.flatMap(tracked(flow.tracking_id), (found) =>
                Effect.mapError(Effect.fromOption(found), () => verdictOf("duplicate", error, exchangeWith)).pipe(
                  Effect.flatMap((earlier) => acceptedBefore(earlier, exchangeWith(error.answer.bytes)))
                )
              )
            : Effect.fail(failureOf(error, exchangeWith))
      })
    )
  })

  return {
    address: base,
    search,
    /**
     * Submits a file once, however often the call is repeated. The rule may depend on the directory, so it is found
     * before the file is sent, but not if an earlier attempt has sent the file.
     */
    submit: (flow: Omit<OutgoingFlow, "processing_rule">, rule: Answer<OutgoingFlow["processing_rule"]>) =>
      once.submit({
        key: { organization_id, transmission_id: flow.tracking_id },
        content: flow.syntax === "CDAR" ? flow.xml : undefined,
        send: Effect.flatMap(rule, (processing_rule) => send({ ...flow, processing_rule })),
        recover: () =>
          Effect.flatMap(
            tracked(flow.tracking_id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (found) => Effect.asSome(acceptedBefore(found, null))
            })
          )
      }),
    tracked,
    isAttempted: (tracking_id: string) => once.isAttempted({ organization_id, transmission_id: tracking_id }),
    sentContent: (tracking_id: string) => once.content({ organization_id, transmission_id: tracking_id }),
    /** Returns the platform's record of a flow, both decoded and as the bytes of the answer. */
    metadata: (flow_id: string) => temporary(call(Flow, { method: "GET", url: `${at(flow_id)}?docType=Metadata` })),
    original: (flow_id: string) => read({ method: "GET", url: `${at(flow_id)}?docType=Original` }),
    health: temporary(Effect.asVoid(read({ method: "GET", url: `${base}/healthcheck` })))
  }
}
export type FlowService = ReturnType<typeof flowService>

const accepted = (flow: typeof SubmittedFlow.Type, exchange: Exchange | null): Acceptance => ({
  reference: flow.flowId,
  at: timestampOf(flow.submittedAt),
  exchange
})

const acceptedBefore = (flow: ListedFlow, exchange: Exchange | null): Effect.Effect<Acceptance> =>
  Effect.map(now, (at) => ({ reference: flow.flowId, at: listedTime(flow.submittedAt) ?? at, exchange }))

/** Returns a time in a list of flows; null if it cannot be read. */
export const listedTime = (time: unknown): Timestamp | null =>
  typeof time === "string" && Number.isFinite(Date.parse(time)) ? timestampOf(time) : null

const boundary_characters = 32

/** The boundary between the parts is a digest of the tracking id, so that it does not occur inside a part. */
const multipart = ({ name, processing_rule, profile, syntax, tracking_id, xml }: OutgoingFlow) => {
  const boundary = sha256Hex(tracking_id).slice(0, boundary_characters)
  const file = `${name.replaceAll(/[^A-Za-z0-9_-]+/g, "_")}.xml`
  const info = {
    trackingId: tracking_id,
    name: file,
    processingRule: processing_rule,
    flowSyntax: syntax,
    flowProfile: profile,
    sha256: sha256Hex(xml)
  }
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="flowInfo"`,
    `Content-Type: ${json_type}`,
    "",
    JSON.stringify(info),
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${file}"`,
    `Content-Type: ${xml_type}`,
    "",
    ""
  ].join("\r\n")
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    body: new Uint8Array(Buffer.concat([Buffer.from(head), xml, Buffer.from(`\r\n--${boundary}--\r\n`)]))
  }
}

const unanswered = ({ left, message }: Unanswered) =>
  left ? new OutcomeUnknown({ message }) : new NetworkUnavailable({ message })

const isDuplicate = ({ fields, status }: Unexpected) =>
  status === 409 || fields.some((code) => /already.?exist/i.test(code))

const verdictOf = (
  code: NetworkRefused["code"],
  { answer, message }: Unexpected,
  exchangeWith: (bytes: Uint8Array) => Exchange
) => new NetworkRefused({ code, message, exchange: exchangeWith(answer.bytes) })

/**
 * Only 400, 413 and 422 are verdicts about the file. An operator has to fix the cause of 401, 403 and 404. After any
 * other status it is unknown whether the platform has the file.
 */
const failureOf = (error: Unexpected, exchangeWith: (bytes: Uint8Array) => Exchange) => {
  const { message, status } = error
  if ([400, 413, 422].includes(status)) return verdictOf("malformed_document", error, exchangeWith)
  const isCertain = [401, 403, 404].includes(status)
  return isCertain ? new NetworkUnavailable({ message }) : new OutcomeUnknown({ message })
}
