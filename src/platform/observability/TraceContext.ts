import { Context, Effect, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** W3C trace context of the current span, to be stored with later work; null while tracing is off. */
export const traceparent: Effect.Effect<string | null> = Effect.withFiber(({ cache: { span } }) =>
  Effect.succeed(
    span?._tag === "Span" && isPropagated(span) ? (HttpTraceContext.toHeaders(span)["traceparent"] ?? null) : null
  )
)

/** False for the spans that exist while tracing is off: Effect gives them this annotation, and no ids. */
const isPropagated = ({ annotations }: Tracer.Span): boolean => !Context.get(annotations, Tracer.DisablePropagation)

/** Links a span of later work to the request that caused it. */
export const linksTo = (parent: string | null): ReadonlyArray<Tracer.SpanLink> =>
  parent === null
    ? []
    : Option.match(HttpTraceContext.w3c(Headers.fromRecordUnsafe({ traceparent: parent })), {
        onNone: () => [],
        onSome: (span) => [{ span, attributes: {} }]
      })
