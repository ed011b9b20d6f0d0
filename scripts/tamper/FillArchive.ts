import { Effect } from "effect"
import { Transmissions } from "../../src/archive/transmissions/Transmissions.ts"
import { Timestamp } from "../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"

/** The kinds of objects that are archived when one document is exchanged with a network. */
export const exchanged_kinds = [
  "ubl_xml",
  "request_body",
  "response_body",
  "evidence",
  "status_snapshot",
  "webhook_event",
  "attachment"
] as const

/** Archives an object of each kind for one document, and a record of its exchange with a network. */
export const fillArchive = Effect.fn("fillArchive")(function* (organization: number, document_id: number) {
  const archive = yield* Transmissions
  const organization_id = OrganizationId.make(organization)
  const about = { organization_id, document_type: "invoice", document_id, environment: "sandbox" } as const
  const unknown = { number: null, counterparty_name: null, issue_date: null, amount: null, currency: null }
  for (const object_kind of exchanged_kinds) {
    const described = { object_kind, direction: "inbound", content_type: "application/json" } as const
    const bytes = new TextEncoder().encode(`{"about":"one document","kind":"${object_kind}"}`)
    yield* archive.keep({ ...about, ...unknown, ...described }, bytes)
  }
  yield* recordExchange(organization, "first")
})

/** Records an exchange. This adds an entry to the audit chain, so that another checkpoint is due. */
export const recordExchange = Effect.fn("recordExchange")(function* (organization: number, id: string) {
  const archive = yield* Transmissions
  yield* archive.record({
    organization_id: OrganizationId.make(organization),
    id,
    at: Timestamp.make("2026-03-01T10:00:00.000Z"),
    direction: "inbound",
    network: "peppol",
    environment: "sandbox",
    type: "invoice_response",
    code: "AB",
    reference: null,
    document_type: null,
    document_id: null,
    number: null,
    object_id: null
  })
})
