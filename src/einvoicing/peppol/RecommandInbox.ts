import { Effect, Option, Stream } from "effect"
import { timestampOf } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"
import type { Arrival } from "../providers/Arrival.ts"
import { NetworkUnavailable, type Provider } from "../providers/Provider.ts"
import { type Failure, fetching } from "../received/Fetching.ts"
import { UnreadArrivalsRepo } from "../received/UnreadArrivalsRepo.ts"
import { isMessage, receivedLevelResponse, receivedResponse, response_service } from "./InvoiceResponse.ts"
import { ResponsesRepo } from "./ResponsesRepo.ts"
import { Done, DocumentAnswer, InboxAnswer } from "./RecommandApi.ts"
import type { recommandClient } from "./RecommandClient.ts"

/** Maximum number of unread messages of each kind that one run reads. The next run reads the others. */
const unread_max = 20
interface Receiver {
  readonly organization_id: OrganizationId
  readonly company_id: string
}

/** Reads the unread documents of a company, and the answers of recipients to documents that it sent. */
export const makeRecommandInbox = Effect.gen(function* () {
  const repo = yield* ResponsesRepo
  const unreadRepo = yield* UnreadArrivalsRepo
  const { enqueueNamed } = yield* extraPolls
  return (
    { ask, call }: ReturnType<typeof recommandClient>,
    { company_id, organization_id }: Receiver
  ): Pick<Provider, "arrivals" | "confirm"> => {
    const keyOf = (transmission_id: string) => ({ organization_id, provider: "peppol" as const, transmission_id })

    const confirm = Effect.fn("Recommand.confirm")(function* ({ transmission_id }: Pick<Arrival, "transmission_id">) {
      const path = `/documents/${encodeURIComponent(transmission_id)}/mark-as-read`
      yield* ask(Done, { method: "POST", path, body: { read: true } })
    })

    const read = (id: string) =>
      Effect.map(
        call(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` }),
        ({ value: { document } }) => ({
          at: timestampOf(document.createdAt),
          sender: document.senderId,
          xml: document.xml ?? ""
        })
      )

    /** Marks a message as read even if it cannot be read, because the access point lists all unread ones in one answer. */
    const finish = (message_id: string) =>
      Effect.andThen(confirm({ transmission_id: message_id }), unreadRepo.remove(keyOf(message_id)))

    /** Stores an answer, and lets its document be polled. */
    const takeResponse = Effect.fnUntraced(function* (message_id: string) {
      const { at: received_at, sender, xml } = yield* read(message_id)
      const response = receivedResponse(xml)
      if (Option.isNone(response)) yield* Effect.logWarning(`the answer ${message_id} of ${sender} cannot be read`)
      else {
        const content = new TextEncoder().encode(xml)
        yield* repo.add({ ...response.value, organization_id, message_id, received_at, sender, content })
        yield* enqueueNamed({ organization_id, provider: "peppol", ...response.value }, message_id)
      }
      yield* finish(message_id)
    })

    /** Stores a response of a recipient's access point, which the next poll of its document reads. */
    const takeLevelResponse = Effect.fnUntraced(function* (message_id: string) {
      const { at: received_at, sender, xml } = yield* read(message_id)
      const response = receivedLevelResponse(xml)
      if (Option.isNone(response)) yield* Effect.logWarning(`the message ${message_id} of ${sender} cannot be read`)
      else {
        const content = new TextEncoder().encode(xml)
        yield* repo.addLevelResponse({ ...response.value, organization_id, message_id, received_at, content })
      }
      yield* finish(message_id)
    })

    const fetchDocument = (transmission_id: string) =>
      Effect.map(read(transmission_id), ({ at, xml }): Arrival => {
        return { transmission_id, organization_id, at, bytes: new TextEncoder().encode(xml) }
      })

    const arrivals = Effect.gen(function* () {
      const { documents } = yield* ask(InboxAnswer, {
        method: "GET",
        path: `/inbox?companyId=${encodeURIComponent(company_id)}`
      })
      const listed = documents.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
      const transmission_ids = listed.map(({ id }) => id)
      const failed = yield* unreadRepo.among({ organization_id, provider: "peppol", transmission_ids })
      const waiting = failed.filter(({ is_waiting }) => is_waiting)
      const waiting_ids = new Set(waiting.map(({ transmission_id }) => transmission_id))
      const unread = listed.filter(({ id }) => !waiting_ids.has(id))
      const unfetched = new Map(
        waiting
          .filter(({ failed_step }) => failed_step === "fetch")
          .map(({ problem, transmission_id }) => [transmission_id, problem])
      )
      const fetched = fetching(({ id }: (typeof listed)[number], problem) =>
        Effect.gen(function* () {
          yield* Effect.logWarning(`the message ${id} cannot be fetched: ${problem}`)
          yield* unreadRepo.postpone({ ...keyOf(id), failed_step: "fetch", problem })
          unfetched.set(id, problem)
        })
      )
      const first = <A>(messages: typeof unread, take: (id: string) => Effect.Effect<A, Failure>) =>
        fetched(messages, ({ id }) => take(id)).pipe(Stream.take(unread_max))

      /** Reports the messages that cannot be fetched, so that the operator sees them although the others arrive. */
      const report = Stream.suspend(() => {
        const [one] = unfetched
        if (one === undefined) return Stream.empty
        const [id, problem] = one
        const message = `Messages that cannot be fetched: ${unfetched.size}, such as ${id}: ${problem}`
        return Stream.fail(new NetworkUnavailable({ message }))
      })

      const isResponse = ({ docTypeId }: (typeof unread)[number]) => docTypeId === response_service.document_type
      const responses = unread.filter(isResponse)
      const levelResponses = unread.filter((message) => isMessage(message.docTypeId) && !isResponse(message))
      const others = unread.filter(({ docTypeId }) => !isMessage(docTypeId))
      return Stream.drain(first(responses, takeResponse)).pipe(
        Stream.concat(Stream.drain(first(levelResponses, takeLevelResponse))),
        Stream.concat(first(others, fetchDocument)),
        Stream.concat(report)
      )
    }).pipe(Effect.withSpan("Recommand.arrivals"))

    return { arrivals: Stream.unwrap(arrivals), confirm }
  }
})
