import { Effect, type Tracer } from "effect"
import { isoTextOf } from "../../kernel/Calendar.ts"

const probes = /^\/(?:health|metrics)(?:\/|\?|$)/

/** True for probes and scrapes, which come every few seconds: they are not logged and have no spans. */
export const isProbe = (url: string): boolean => probes.test(url)

/** Contains no path, no query and no address, because these may be personal data. */
interface FinishedRequest {
  readonly request_id: string
  readonly method: string
  /** The route's pattern, such as `/api/v1/quotes/:id`; `none` without a route. */
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly organization_id: number | null
  /** The credential, such as `user:7`; null for anonymous requests. */
  readonly actor: string | null
}

/** Adds the ids that the request has to its span, so that the trace can be found by them. */
export const annotateRequest = ({ actor, organization_id, request_id }: FinishedRequest) =>
  Effect.annotateCurrentSpan({
    request_id,
    ...(organization_id === null ? {} : { "organization.id": organization_id }),
    ...(actor === null ? {} : { actor })
  })

/** Lines bypass the slow logger, and are written together, because each call of `write` is slow. */
export const logRequest = (request: FinishedRequest, span: Tracer.AnySpan | undefined): void => {
  const time = isoTextOf(Date.now())
  const duration_ms = Math.round(request.duration_ms * 10) / 10
  const line = { time, level: "info", message: "request", ...request, duration_ms, trace_id: span?.traceId }
  if (lines === "") setTimeout(flush, delay_ms).unref()
  lines += `${JSON.stringify(line)}\n`
}

const delay_ms = 20
let lines = ""

const flush = (): void => {
  process.stdout.write(lines)
  lines = ""
}

process.once("exit", flush)
