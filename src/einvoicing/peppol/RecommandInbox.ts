import { DateTime, Effect, Option } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { FollowUpQueue } from "../documents/EinvoiceQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import type { Arrival } from "../providers/Arrival.ts"
import type { NetworkUnavailable, Provider } from "../providers/Provider.ts"
import { temporary, type Unanswered, type Unexpected } from "../providers/RestAnswer.ts"
import { isMessage, receivedResponse, response_service } from "./InvoiceResponse.ts"
import { InvoiceResponsesRepo } from "./InvoiceResponsesRepo.ts"
import { Done, DocumentAnswer, InboxAnswer } from "./RecommandApi.ts"
import type { recommandClient } from "./RecommandClient.ts"

/** Maximum number of unread documents, and of answers, that one run reads. The next run reads the others. */
const unread_max = 20

interface Receiver {
  readonly organization_id: OrganizationId
  readonly company_id: string
}

/**
 * Reads the first messages that can be read. One that the access point cannot show now stays unread there, and does not
 * delay the others.
 */
const firstReadable = Effect.fnUntraced(function* <A>(
  messages: ReadonlyArray<{ readonly id: string }>,
  use: (id: string) => Effect.Effect<A, Unanswered | Unexpected | NetworkUnavailable>
) {
  const used: Array<A> = []
  for (const { id } of messages) {
    if (used.length === unread_max) break
    const skip = (reason: unknown) =>
      Effect.as(Effect.logWarning(`the message ${id} cannot be read`, reason), Option.none<A>())
    const one = yield* Effect.asSome(use(id)).pipe(
      Effect.catchTag("Unexpected", ({ message }) => skip(message)),
      Effect.catchDefect(skip),
      temporary
    )
    if (Option.isSome(one)) used.push(one.value)
  }
  return used
})

/** Reads the unread documents of a company, and the answers of recipients to documents that it sent. */
export const makeRecommandInbox = Effect.gen(function* () {
  const repo = yield* InvoiceResponsesRepo
  const jobs = yield* Jobs
  return (
    { ask, call }: ReturnType<typeof recommandClient>,
    { company_id, organization_id }: Receiver
  ): Pick<Provider, "arrivals" | "confirm"> => {
    const confirm = Effect.fn("Recommand.confirm")(function* ({ transmission_id }: Pick<Arrival, "transmission_id">) {
      const path = `/documents/${encodeURIComponent(transmission_id)}/mark-as-read`
      yield* ask(Done, { method: "POST", path, body: { read: true } })
    })

    const read = (id: string) =>
      Effect.map(
        call(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` }),
        ({ value: { document } }) => ({
          at: Timestamp.make(DateTime.formatIso(DateTime.makeUnsafe(document.createdAt))),
          sender: document.senderId,
          xml: document.xml ?? ""
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
      yield* firstReadable(responses, takeResponse)
      const waiting = unread.filter(({ docTypeId }) => !isMessage(docTypeId))
      return yield* firstReadable(waiting, (id) =>
        Effect.map(read(id), ({ at, xml }): Arrival => {
          return { transmission_id: id, organization_id, at, bytes: new TextEncoder().encode(xml) }
        })
      )
    }).pipe(Effect.withSpan("Recommand.arrivals"))

    return { arrivals, confirm }
  }
})
