import { Effect, Schema } from "effect"
import { PreparationOrder, PreparationRefused, Prepared } from "./Preparation.ts"

export const PreparationJob = Schema.Struct({
  path: Schema.String,
  order: PreparationOrder,
  auto_threshold: Schema.Finite
})
export type PreparationJob = typeof PreparationJob.Type

const Answer = Schema.toCodecJson(
  Schema.Union([Schema.Struct({ prepared: Prepared }), Schema.Struct({ refused: PreparationRefused })])
)
const encode = Schema.encodeEffect(Answer)
const decode = Schema.decodeUnknownEffect(Answer)

export const encodeAnswer = (preparation: Effect.Effect<Prepared, PreparationRefused>) =>
  preparation.pipe(
    Effect.match({ onFailure: (refused) => ({ refused }), onSuccess: (prepared) => ({ prepared }) }),
    Effect.flatMap(encode)
  )

export const decodeAnswer = Effect.fnUntraced(function* (answer: unknown) {
  const received = yield* Effect.orDie(decode(answer))
  return "refused" in received ? yield* received.refused : received.prepared
})
