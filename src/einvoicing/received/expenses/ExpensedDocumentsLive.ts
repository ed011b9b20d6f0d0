import { Effect, Layer } from "effect"
import { ExpensedDocuments } from "../../../expenses/received/ExpensedDocuments.ts"
import { now } from "../../../kernel/Calendar.ts"
import { AuditLog, callerEntry } from "../../../platform/events/AuditLog.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { receivedEvent, shown } from "../Received.ts"
import { ReceivedRepo } from "../ReceivedRepo.ts"

export const ExpensedDocumentsLive = Layer.effect(
  ExpensedDocuments,
  Effect.gen(function* () {
    const repo = yield* ReceivedRepo
    const auditLog = yield* AuditLog

    const hold: ExpensedDocuments["Service"]["hold"] = Effect.fn("ExpensedDocuments.hold")(function* (expense_ids) {
      yield* repo.holdExpensed({ organization_id: (yield* CurrentOrganization).id, expense_ids })
    })

    const release: ExpensedDocuments["Service"]["release"] = Effect.fn("ExpensedDocuments.release")(function* (id) {
      const { id: organization_id } = yield* CurrentOrganization
      for (const held of yield* repo.holdExpensed({ organization_id, expense_ids: [id] })) {
        const facts = yield* Effect.fromOption(yield* repo.lock({ organization_id, id: held.id })).pipe(Effect.orDie)
        const changed = { ...facts, expense_id: null, updated_at: yield* now }
        yield* repo.save(changed)
        const event = yield* receivedEvent("received_document.updated", shown(changed), facts.status)
        const data = { received_id: held.id, expense_id: id }
        yield* auditLog.append(yield* callerEntry("einvoice.received_released", data, [event]))
      }
    })

    return { hold, release }
  })
).pipe(Layer.provide(ReceivedRepo.layer))
