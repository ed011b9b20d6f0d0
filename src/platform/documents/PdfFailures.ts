import { Clock, Duration, Effect } from "effect"

interface FailureLimits {
  /** How long a content's failures are remembered, counted from the last one. */
  readonly remembered: Duration.Input
  /** Maximum number of remembered contents; beyond it, the oldest is forgotten. */
  readonly contents_max: number
}

/** Counts failed attempts per content, so that a document that always fails causes no further ones. */
export const pdfFailures = ({ contents_max, remembered }: FailureLimits) => {
  /** Keyed by the digest of the content; the latest failure comes last. */
  const failures = new Map<string, { readonly count: number; readonly forgotten_at: number }>()
  const remembered_ms = Duration.toMillis(remembered)

  const count = (content: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const found = failures.get(content)
      return found === undefined || found.forgotten_at <= now ? 0 : found.count
    })

  const add = Effect.fnUntraced(function* (content: string) {
    const failed = 1 + (yield* count(content))
    const forgotten_at = (yield* Clock.currentTimeMillis) + remembered_ms
    failures.delete(content)
    failures.set(content, { count: failed, forgotten_at })
    const [oldest] = failures.keys()
    if (failures.size > contents_max && oldest !== undefined) failures.delete(oldest)
    return failed
  })

  const forget = (content: string) => Effect.sync(() => void failures.delete(content))

  return { count, add, forget }
}
