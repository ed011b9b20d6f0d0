import { Effect, Layer } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { SuggestionRefreshes } from "./SuggestionRefreshes.ts"

const every = "1 minute"

export const SuggestionRefreshWorker = Layer.unwrap(
  Effect.map(SuggestionRefreshes, ({ run }) => timed({ name: "banking.suggestions", every, run }))
).pipe(Layer.provide(SuggestionRefreshes.layer))
