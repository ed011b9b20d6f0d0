import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { traceparent } from "../../../src/platform/observability/TraceContext.ts"

describe("the trace context kept with later work", () => {
  it.effect("is that of the current span", () =>
    Effect.gen(function* () {
      const { sampled, spanId, traceId } = yield* Effect.currentSpan
      assert.isTrue(sampled)
      assert.strictEqual(yield* traceparent, `00-${traceId}-${spanId}-01`)
    }).pipe(Effect.withSpan("cause"))
  )

  it.effect("is null outside every span, and in spans that are not traced", () =>
    Effect.gen(function* () {
      assert.isNull(yield* traceparent)
      assert.isNull(yield* traceparent.pipe(Effect.withSpan("cause"), Effect.withTracerEnabled(false)))
    })
  )
})
