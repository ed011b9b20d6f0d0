import { DateTime, Effect } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { Arrival } from "../providers/Arrival.ts"
import type { Provider } from "../providers/Provider.ts"
import { Done, DocumentAnswer, InboxAnswer } from "./RecommandApi.ts"
import type { recommandClient } from "./RecommandClient.ts"

/** Answers of recipients are told by the poll of the document that they are about. */
const message_type = "messageLevelResponse"
/** The documents of one collection; the next one brings the others. */
const arrivals_max = 20

interface Receiver {
  readonly organization_id: OrganizationId
  readonly company_id: string
}

/** Reads the unread documents of a company. */
export const recommandInbox = (
  { ask }: ReturnType<typeof recommandClient>,
  { company_id, organization_id }: Receiver
): Pick<Provider, "arrivals" | "confirm"> => ({
  arrivals: Effect.gen(function* () {
    const path = `/inbox?companyId=${encodeURIComponent(company_id)}`
    const { documents } = yield* ask(InboxAnswer, { method: "GET", path })
    const waiting = documents
      .filter(({ type }) => type !== message_type)
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
      .slice(0, arrivals_max)
    return yield* Effect.forEach(
      waiting,
      Effect.fnUntraced(function* ({ createdAt, id }) {
        const { document } = yield* ask(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` })
        const at = Timestamp.make(DateTime.formatIso(DateTime.makeUnsafe(createdAt)))
        const bytes = new TextEncoder().encode(document.xml ?? "")
        return { transmission_id: id, organization_id, at, bytes } satisfies Arrival
      })
    )
  }).pipe(Effect.withSpan("Recommand.arrivals")),
  confirm: Effect.fn("Recommand.confirm")(function* ({ transmission_id }) {
    const path = `/documents/${encodeURIComponent(transmission_id)}/mark-as-read`
    yield* ask(Done, { method: "POST", path, body: { read: true } })
  })
})
