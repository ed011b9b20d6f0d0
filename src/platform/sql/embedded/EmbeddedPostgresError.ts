import { Data } from "effect"

/** Says why the embedded database is not available, in a sentence for the person who ran `npm start`. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly message: string
  readonly cause?: unknown
  readonly isRetryable?: boolean
}> {
  static because(message: string) {
    return (cause: unknown) =>
      new EmbeddedPostgresError({
        message: `${message}: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })
  }
}
