import { DateTime, Effect, Option } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { FollowUpQueue } from "../documents/EinvoiceQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import type { Arrival } from "../providers/Arrival.ts"
import type { Provider } from "../providers/Provider.ts"
import { isMessage, receivedResponse, response_service } from "./InvoiceResponse.ts"
import { InvoiceResponsesRepo } from "./InvoiceResponsesRepo.ts"
import { Done, DocumentAnswer, InboxAnswer } from "./RecommandApi.ts"
import type { recommandClient } from "./RecommandClient.ts"

/** Maximum number of unread documents, and of answers, in one collection; the next collection brings the others. */
const unread_max = 20

interface Receiver {
  readonly organization_id: OrganizationId
  readonly company_id: string
}

/** Reads the unread documents of a company, and the answers of recipients to documents that it sent. */
export const makeRecommandInbox = Effect.gen(function* () {
  const repo = yield* InvoiceResponsesRepo
  const jobs = yield* Jobs
  return (
    { ask }: ReturnType<typeof recommandClient>,
    { company_id, organization_id }: Receiver
  ): Pick<Provider, "arrivals" | "confirm"> => {
    const confirm = Effect.fn("Recommand.confirm")(function* ({ transmission_id }: Pick<Arrival, "transmission_id">) {
      const path = `/documents/${encodeURIComponent(transmission_id)}/mark-as-read`
      yield* ask(Done, { method: "POST", path, body: { read: true } })
    })

    const read = (id: string) =>
      Effect.map(
        ask(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` }),
        ({ document: { createdAt, senderId, xml } }) => ({
          at: Timestamp.make(DateTime.formatIso(DateTime.makeUnsafe(createdAt))),
          sender: senderId,
          xml: xml ?? ""
        })
      )

    /** Stores an answer, and enqueues a poll of its document, because the next regular poll may be a day away. */
    const takeResponse = Effect.fnUntraced(function* (message_id: string) {
      const { at: received_at, sender, xml } = yield* read(message_id)
      const response = receivedResponse(xml)
      if (Option.isNone(response)) yield* Effect.logWarning(`the answer ${message_id} of ${sender} cannot be read`)
      else {
        const content = new TextEncoder().encode(xml)
        yield* repo.add({ ...response.value, organization_id, message_id, received_at, sender, content })
        const found = yield* repo.submission({ organization_id, ...response.value })
        if (Option.isSome(found)) {
          const { id } = found.value
          yield* jobs.offer(FollowUpQueue, { organization_id, id, is_extra: true }, { id: `${id}:${message_id}` })
        }
      }
      yield* confirm({ transmission_id: message_id })
    })

    const arrivals = Effect.gen(function* () {
      const { documents } = yield* ask(InboxAnswer, {
        method: "GET",
        path: `/inbox?companyId=${encodeURIComponent(company_id)}`
      })
      const unread = documents.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
      const responses = unread.filter(({ docTypeId }) => docTypeId === response_service.document_type)
      for (const { id } of responses.slice(0, unread_max)) yield* takeResponse(id)
      const waiting = unread.filter(({ docTypeId }) => !isMessage(docTypeId)).slice(0, unread_max)
      return yield* Effect.forEach(waiting, ({ id }) =>
        Effect.map(read(id), ({ at, xml }): Arrival => {
          return { transmission_id: id, organization_id, at, bytes: new TextEncoder().encode(xml) }
        })
      )
    }).pipe(Effect.withSpan("Recommand.arrivals"))

    return { arrivals, confirm }
  }
})
