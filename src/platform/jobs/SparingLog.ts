import { Effect, Logger } from "effect"

/** An outage is told often enough to be noticed while it lasts. */
const pause_ms = 10_000

/**
 * The polls of the library run for each queue twice a second, and log each failure without a sentence. In an outage of
 * the database, that would be hundreds of megabytes an hour, so one line in ten seconds speaks for all of them.
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
