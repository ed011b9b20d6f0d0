import { Effect } from "effect"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { einvoiceEvent, type EinvoiceFacts, shown, without_receipt } from "./Einvoice.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"

/** Stores a new submission with its first message, its event and its audit entry. Must run in a transaction. */
export const makeNewSubmissions = Effect.gen(function* () {
  const repo = yield* EinvoicesRepo
  const auditLog = yield* AuditLog

  return Effect.fn("NewSubmissions.store")(function* (facts: EinvoiceFacts, operation: string | null) {
    const { created_at: at, credit_note_id, id: einvoice_id, invoice_id, number, xml_sha256 } = facts
    yield* repo.insert(facts, operation)
    const message = { message_id: "created", at, status: "pending", code: null, source: "service" } as const
    yield* repo.addMessage(facts, { ...message, ...without_receipt })
    const document = invoice_id === null ? { credit_note_id } : { invoice_id }
    const event = yield* einvoiceEvent("einvoice.created", shown(facts))
    yield* auditLog.append(
      yield* callerEntry("einvoice.created", { einvoice_id, ...document, number, xml_sha256 }, [event])
    )
  })
})
