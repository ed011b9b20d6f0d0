import { Effect, Logger } from "effect"

/** Pause between two log lines, short enough for an outage to be noticed while it lasts. */
const pause_ms = 10_000

/**
 * In a database outage, the job library polls each queue twice a second and logs every failure. This would be hundreds
 * of megabytes per hour, so only one line in ten seconds is logged.
 */
export const sparingLoggers = Effect.map(Logger.CurrentLoggers, (loggers) => new Set([sparing([...loggers])]))

const sparing = (loggers: ReadonlyArray<Logger.Logger<unknown, unknown>>) => {
  let silent_until_ms = 0
  return Logger.make((event) => {
    const now_ms = event.date.getTime()
    if (now_ms < silent_until_ms) return
    silent_until_ms = now_ms + pause_ms
    for (const logger of loggers) logger.log({ ...event, message: "the queues of jobs cannot be polled" })
  })
}
