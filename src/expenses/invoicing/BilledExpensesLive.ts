import { Effect, Layer } from "effect"
import { BilledExpenses } from "../../billing/invoices/writing/BilledExpenses.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { auditedSave, changeEntry } from "../ExpenseAudit.ts"
import { changed } from "../ExpenseRules.ts"
import { ExpensesRepo } from "../ExpensesRepo.ts"

export const BilledExpensesLive = Layer.effect(
  BilledExpenses,
  Effect.gen(function* () {
    const repo = yield* ExpensesRepo
    const auditLog = yield* AuditLog
    const save = auditedSave(repo)

    const hold: BilledExpenses["Service"]["hold"] = Effect.fn("BilledExpenses.hold")(function* (invoice_ids) {
      const { id: organization_id } = yield* CurrentOrganization
      return invoice_ids.length === 0 ? [] : yield* repo.holdNaming({ organization_id, invoice_ids, ids: [] })
    })

    const recordReleases: BilledExpenses["Service"]["recordReleases"] = Effect.fn("BilledExpenses.recordReleases")(
      function* (held) {
        if (held.length === 0) return
        const { id: organization_id } = yield* CurrentOrganization
        const before = new Map(held.map(({ id, version }) => [id, version]))
        const expenses = yield* repo.some({ organization_id, ids: [...before.keys()] })
        for (const facts of expenses) {
          if (facts.version === before.get(facts.id)) continue
          yield* auditLog.append(yield* changeEntry("expense.released", facts, facts.status))
        }
      }
    )

    const release: BilledExpenses["Service"]["release"] = Effect.fn("BilledExpenses.release")(function* (invoice_id) {
      const held = yield* hold([invoice_id])
      if (held.length === 0) return
      const { id: organization_id } = yield* CurrentOrganization
      for (const stored of yield* repo.some({ organization_id, ids: held.map(({ id }) => id) })) {
        if (stored.billed_invoice_id !== invoice_id) continue
        const facts = { ...(yield* changed(stored, {})), billed_invoice_id: null, billed_item_id: null }
        yield* save("expense.released", facts, stored.status)
      }
    })

    return BilledExpenses.of({ hold, recordReleases, release })
  })
).pipe(Layer.provide(ExpensesRepo.layer))
