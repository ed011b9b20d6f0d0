import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { AccountMail } from "./AccountMail.ts"
import { AccountMailQueue } from "./AccountMailQueue.ts"

export const AccountMailWorker = Layer.unwrap(
  Effect.map(AccountMail, (mail) => worker(AccountMailQueue, mail.deliver))
).pipe(Layer.provide(AccountMail.layer))
