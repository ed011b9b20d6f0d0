import { Effect, Schema } from "effect"
import { childEntry } from "../../../platform/children/ChildEntry.ts"
import { certificateIn } from "../../../platform/crypto/signatures/Certificates.ts"
import { ArrivalJob, encodeAnswer } from "./ReadArrival.ts"
import { readReceived } from "./ReceivedReader.ts"

const decodeJob = Schema.decodeUnknownEffect(Schema.toType(ArrivalJob))

export const arrivalReaderChild = childEntry(import.meta.url, () =>
  Promise.resolve((job) =>
    Effect.gen(function* () {
      const { arrived_at, bytes, trusted } = yield* decodeJob(job)
      return yield* encodeAnswer(yield* readReceived(bytes, { arrived_at, trusted: trusted.map(certificateIn) }))
    }).pipe(Effect.runPromise)
  )
)
