import { Effect, Layer } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { ReceiptUpkeep } from "./ReceiptUpkeep.ts"

const sweep_interval = "5 minutes"
const purge_interval = "1 hour"

export const ReceiptUpkeepWorker = Layer.unwrap(
  Effect.map(ReceiptUpkeep, ({ endAbandoned, purge }) =>
    Layer.merge(
      timed({ name: "receipts.abandoned", every: sweep_interval, run: endAbandoned }),
      timed({ name: "receipts.purge", every: purge_interval, run: purge })
    )
  )
)
