import { Effect, Layer } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { Inbox } from "./Inbox.ts"
import { PaymentNotices } from "./PaymentNotices.ts"

const collection_interval = "15 seconds"
const notice_interval = "1 minute"

export const InboxWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { collect } = yield* Inbox
    const { send } = yield* PaymentNotices
    return Layer.merge(
      timed({ name: "einvoices.collect", every: collection_interval, run: collect }),
      timed({ name: "einvoices.tell-payments", every: notice_interval, run: send })
    )
  })
)
