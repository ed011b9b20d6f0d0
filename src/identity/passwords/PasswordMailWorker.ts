import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { PasswordMail } from "./PasswordMail.ts"
import { PasswordMailQueue } from "./PasswordMailQueue.ts"

export const PasswordMailWorker = Layer.unwrap(
  Effect.map(PasswordMail, (mail) => worker(PasswordMailQueue, mail.deliver))
).pipe(Layer.provide(PasswordMail.layer))
