import { Effect, Layer } from "effect"
import { afterEach } from "vitest"
import { Expenses } from "../../../src/expenses/Expenses.ts"
import { ReceiptProcessor } from "../../../src/expenses/receipts/reading/ReceiptProcessor.ts"
import { ReceiptWorker } from "../../../src/expenses/receipts/reading/ReceiptWorker.ts"
import { ReceiptUpkeep } from "../../../src/expenses/receipts/ReceiptUpkeep.ts"
import { OrganizationId, ReceiptRef } from "../../../src/kernel/Ids.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { type Receipts, type Sent, useReceipts } from "./Uploading.ts"

export const uploaded = async (ours: Receipts, sent: Sent = {}) => {
  const { body } = await ours.upload(sent)
  return {
    organization_id: OrganizationId.make(ours.id),
    receipt_ref: ReceiptRef.make(body.data.receipt_ref)
  }
}
type Key = Awaited<ReturnType<typeof uploaded>>

/** Receipts without a worker, so that a test runs each step of the work itself. */
export const useUnreadReceipts = () => {
  const receipts = useReceipts()
  const { app, layer, query } = receipts
  // A reader that was unavailable would block uploads of later tests for a while.
  afterEach(() => query((sql) => sql`update receipts set refused_at = null`))

  const services = ReceiptUpkeep.layer.pipe(
    Layer.provideMerge(ReceiptProcessor.layer),
    Layer.provide(Expenses.layer),
    Layer.provide(layer)
  )

  return {
    ...receipts,
    attempt: (key: Key, last = false) =>
      app.run(ReceiptProcessor.use((ocr) => Effect.result(ocr.read(key, { last }))).pipe(Effect.provide(services))),
    attemptText: (key: Key) => app.run(ReceiptProcessor.use((ocr) => ocr.readText(key)).pipe(Effect.provide(services))),
    /** Runs a worker that reads receipts until `during` has ended. */
    whileReading: (during: () => Promise<unknown>) =>
      app.run(
        Effect.gen(function* () {
          yield* Layer.build(ReceiptWorker)
          yield* Effect.promise(during)
        }).pipe(Effect.scoped, Effect.provide(services))
      ),
    giveUp: (key: Key & { readonly reading_timeouts: number }) =>
      app.run(ReceiptProcessor.use((ocr) => ocr.giveUp(key)).pipe(Effect.provide(services))),
    endAbandoned: () => app.run(ReceiptUpkeep.use(({ endAbandoned }) => endAbandoned).pipe(Effect.provide(services))),
    purge: () => app.run(ReceiptUpkeep.use(({ purge }) => purge).pipe(Effect.provide(services))),
    actions: async (ours: Receipts) => (await app.run(verifiedAuditLog(ours.id))).entries.map(({ action }) => action)
  }
}
