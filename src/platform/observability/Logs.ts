import { Formatter, Logger } from "effect"
import { withoutTokens } from "./Redaction.ts"

const cause_characters_max = 16_384

/**
 * Writes one JSON object per line: `time` (ISO 8601, UTC), `level`, `message`, the annotations under their own names,
 * `trace_id` and `span_id` within a span, `cause` for a failure.
 */
export const logLine: Logger.Logger<unknown, string> = Logger.make((event) => {
  const { annotations, cause, level, message, timestamp } = Logger.formatStructured.log(event)
  const span = event.fiber.cache.span
  return withoutTokens(
    Formatter.formatJson({
      time: timestamp,
      level: level.toLowerCase(),
      message,
      ...annotations,
      trace_id: span?.traceId,
      span_id: span?.spanId,
      cause: cause?.slice(0, cause_characters_max)
    })
  )
})

/** Writes JSON lines in production and into files, and coloured text to a terminal. */
export const logs = (production: boolean) =>
  Logger.layer([
    production || !process.stdout.isTTY ? Logger.withConsoleLog(logLine) : Logger.consolePretty({ mode: "tty" })
  ])
