import { Formatter, Logger } from "effect"
import { withoutTokens } from "./Redaction.ts"

const cause_characters_max = 16_384
/** The id of every span while tracing is off. */
const untraced = "noop"

/**
 * Writes one JSON object per line: `time` (ISO 8601, UTC), `level`, `message`, the annotations, `trace_id` and
 * `span_id` within a traced span, and `cause` for a failure. Anything else is in `details`, so that `message` is always
 * searchable text.
 */
export const logLine: Logger.Logger<unknown, string> = Logger.make((event) => {
  const { annotations, cause, level, message, timestamp } = Logger.formatStructured.log(event)
  const { span } = event.fiber.cache
  const isTraced = span !== undefined && span.traceId !== untraced
  const [text, ...details] = Array.isArray(message) && message.length > 0 ? message : [message]
  return withoutTokens(
    Formatter.formatJson({
      time: timestamp,
      level: level.toLowerCase(),
      message: text,
      ...annotations,
      trace_id: isTraced ? span.traceId : undefined,
      span_id: isTraced ? span.spanId : undefined,
      details: details.length > 0 ? details : undefined,
      cause: cause?.slice(0, cause_characters_max)
    })
  )
})

/** Writes JSON lines in production and into files, and coloured text to a terminal. */
export const logs = (production: boolean) =>
  Logger.layer([
    production || !process.stdout.isTTY ? Logger.withConsoleLog(logLine) : Logger.consolePretty({ mode: "tty" })
  ])
