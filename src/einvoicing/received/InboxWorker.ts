import { Effect, Layer } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { Inbox } from "./Inbox.ts"

const collection_interval = "15 seconds"

export const InboxWorker = Layer.unwrap(
  Effect.map(Inbox, ({ collect }) => timed({ name: "einvoices.collect", every: collection_interval, run: collect }))
)
