import { Effect, Schema } from "effect"
import { childEntry } from "../../platform/children/ChildEntry.ts"
import { localPieces } from "../../platform/storage/LocalBytes.ts"
import { neverRest } from "../Turns.ts"
import { encodeAnswer, PreparationJob } from "./PreparationJob.ts"
import { prepare } from "./Preparation.ts"
import { sourceOf } from "./Questions.ts"

const decodeJob = Schema.decodeUnknownEffect(Schema.toType(PreparationJob))

export const preparationChild = childEntry(import.meta.url, () => {
  neverRest()
  return Promise.resolve((job, ask) =>
    Effect.gen(function* () {
      const { auto_threshold, order, path } = yield* decodeJob(job)
      return yield* encodeAnswer(prepare(localPieces(path), order, sourceOf(ask, auto_threshold)))
    }).pipe(Effect.runPromise)
  )
})
