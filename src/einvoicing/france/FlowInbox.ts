import { Array, DateTime, Duration, Effect, Option, Order, Stream } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { now, type Timestamp, timestampOf } from "../../kernel/Calendar.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"
import type { Arrival } from "../providers/Arrival.ts"
import type { NetworkUnavailable } from "../providers/Provider.ts"
import { fetching } from "../received/Fetching.ts"
import { type Cursor, type IncomingFlow, IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"
import { type FlowService, listedTime } from "./Flows.ts"
import { lifecycleStatuses, statuses_per_message_max } from "./lifecycle/LifecycleReader.ts"
import type { ListedFlow } from "./PlatformApi.ts"

/** Flows of the last minutes are listed again, because a platform may list them late. */
const overlap = Duration.minutes(10)
/** Maximum number of pages that one run reads. The next run continues after them. */
const pages_max = 10
const documents_max = 20
const statuses_max = 200

const beginning: Cursor = { updated_after: null, seen_until: null, page_cursor: null }

export const makeFlowInbox = Effect.gen(function* () {
  const repo = yield* IncomingFlowsRepo
  const { enqueueNamed } = yield* extraPolls
  return (flows: FlowService, organization_id: OrganizationId) => {
    /** Lists the flows that are new since the previous run. */
    const list = Effect.gen(function* () {
      const key = { organization_id, platform: flows.address }
      const start = Option.getOrElse(yield* repo.cursor(key), () => beginning)
      let { page_cursor, seen_until } = start
      let after = start.updated_after === null ? null : earlier(start.updated_after)
      for (let page = 1; page <= pages_max; page++) {
        const where = { flowDirection: ["In"], ackStatus: "Ok", updatedAfter: after ?? epoch }
        const { found, isFull, nextCursor } = yield* flows.search({ where, cursor: page_cursor }).pipe(
          // A platform may forget the cursor of a page. The next run then begins at the first page.
          Effect.tapError(() => repo.saveCursor({ ...start, ...key, page_cursor: null }))
        )
        const moment = yield* now
        yield* repo.add(
          organization_id,
          found.flatMap((flow) => incoming(flow, moment))
        )
        // A time in the future would hide the flows that arrive until then.
        const times = found
          .flatMap(({ updatedAt }) => listedTime(updatedAt) ?? [])
          .map((time) => (time < moment ? time : moment))
        seen_until = latest([...(seen_until === null ? [] : [seen_until]), ...times])
        page_cursor = nextCursor
        // If the platform gives no cursor after a full page, the next search begins at the last flow of that page.
        const isWhole = page_cursor === null && (!isFull || seen_until === after)
        const updated_after = page_cursor === null ? seen_until : start.updated_after
        yield* repo.saveCursor({ ...key, updated_after, seen_until, page_cursor })
        if (isWhole) return
        if (page_cursor === null) after = seen_until
      }
    })

    /** Lets a flow wait that cannot be downloaded or stored, so that it does not delay the others. */
    const postpone = (flow_id: string, problem: string) =>
      Effect.andThen(
        Effect.logWarning(`the flow ${flow_id} waits for the next attempt: ${problem}`),
        repo.postpone({ organization_id, flow_id })
      )

    /** Downloads the waiting flows of one kind. */
    const downloaded = (kind: IncomingFlow["kind"], limit: number) =>
      Stream.suspend(() => {
        const fetched = fetching(({ flow_id }: IncomingFlow, problem) => postpone(flow_id, problem))
        return Stream.fromEffect(repo.waiting({ organization_id, kind, limit })).pipe(
          Stream.flatMap((waiting) =>
            fetched(waiting, (flow) => Effect.map(flows.original(flow.flow_id), (bytes) => ({ ...flow, bytes })))
          )
        )
      })

    /** Stores a life cycle message, and lets the documents that it names be polled. */
    const takeStatuses = Effect.fnUntraced(function* (flow_id: string, bytes: Uint8Array) {
      const statuses = lifecycleStatuses(bytes)
      if (statuses.length === 0) yield* Effect.logWarning(`no status can be read from the flow ${flow_id}`)
      if (statuses.length === statuses_per_message_max) {
        yield* Effect.logWarning(`of the flow ${flow_id}, only the first ${statuses_per_message_max} statuses are read`)
      }
      yield* Effect.forEach(statuses, ({ document_type, number }) =>
        enqueueNamed({ organization_id, provider: "fr_ctc", number, document_type }, flow_id)
      )
      yield* repo.keepStatuses({ organization_id, flow_id }, bytes, statuses)
    })

    const collect: Effect.Effect<void, NetworkUnavailable> = Effect.gen(function* () {
      yield* list
      yield* Stream.runForEach(downloaded("status", statuses_max), ({ bytes, flow_id }) =>
        Effect.catchDefect(takeStatuses(flow_id, bytes), (defect) => postpone(flow_id, String(defect)))
      )
    }).pipe(Effect.withSpan("FlowInbox.collect"))

    const arrivals = Stream.map(
      downloaded("document", documents_max),
      ({ bytes, flow_id: transmission_id, submitted_at: at }): Arrival => ({
        transmission_id,
        organization_id,
        at,
        bytes
      })
    )

    return { collect, arrivals: Stream.unwrap(Effect.as(collect, arrivals)) }
  }
})

/** The standard requires a start date in each search, so the first search starts on a day before the reform. */
const epoch = "2020-01-01T00:00:00.000Z"

const earlier = (at: Timestamp): Timestamp => timestampOf(DateTime.subtractDuration(DateTime.makeUnsafe(at), overlap))

const latest = (times: ReadonlyArray<Timestamp>): Timestamp | null =>
  Array.isReadonlyArrayNonEmpty(times) ? Array.max(times, Order.String) : null

const documents = new Set(["UBL", "CII", "Factur-X"])

const status_types = new Set(["CustomerInvoiceLC", "StateTransactionReportLC", "StatePaymentReportLC"])

/** Returns the flow if it is a document, or a message about a document or a report of the organization. */
const incoming = (
  { flowDirection, flowId, flowSyntax, flowType, submittedAt, updatedAt }: ListedFlow,
  moment: Timestamp
): ReadonlyArray<IncomingFlow> => {
  if (flowDirection !== "In") return []
  const submitted_at = listedTime(submittedAt) ?? listedTime(updatedAt) ?? moment
  const flow = { flow_id: flowId, submitted_at }
  if (documents.has(flowSyntax)) return [{ ...flow, kind: "document" }]
  return flowSyntax === "CDAR" && status_types.has(flowType) ? [{ ...flow, kind: "status" }] : []
}
