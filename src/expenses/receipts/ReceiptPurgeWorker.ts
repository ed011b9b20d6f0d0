import { Effect, Layer } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { ReceiptUpkeep } from "./ReceiptUpkeep.ts"

const interval = "1 hour"

export const ReceiptPurgeWorker = Layer.unwrap(
  Effect.map(ReceiptUpkeep, ({ purge }) => timed({ name: "receipts.purge", every: interval, run: purge }))
)
