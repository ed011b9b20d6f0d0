import { Effect, Struct } from "effect"
import { PreconditionFailed } from "../../kernel/Refusal.ts"
import { RequestFacts } from "./Security.ts"

export const versionTag = (version: number) => `v${version}`

/**
 * The version in the `ETag` of a GET request, `"v7"` or `"v7.digest"`; `If-Match` ignores the digest. Weak tags are
 * accepted, although RFC 9110, 13.1.1, requires strong comparison: proxies that compress (nginx) weaken our tags, and
 * the version names one state of the record, whatever the content coding.
 */
const versionIn = (tag: string) => /^(?:W\/)?"(v\d+)(?:\.[\w-]+)?"$/.exec(tag.trim())?.[1]

/** Fails with 412 when the version in `If-Match` is not that of the record (RFC 9110, 13.1.1). */
export const requireVersion = Effect.fnUntraced(function* (version: number) {
  const { if_match } = yield* RequestFacts
  if (if_match === undefined || if_match.trim() === "*") return
  const versions = if_match.split(",").map(versionIn)
  if (!versions.includes(versionTag(version))) return yield* PreconditionFailed.of(version)
})

/** Runs work on other records than the one whose version the request's `If-Match` states. */
export const withoutPrecondition: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.updateService(RequestFacts, Struct.assign({ if_match: undefined }))

/** Stores the version of the record in `RequestFacts`, for the `ETag` of the answer. */
export const withETag = <A extends { readonly version: number }, E, R>(record: Effect.Effect<A, E, R>) =>
  Effect.tap(record, ({ version }) =>
    Effect.map(RequestFacts, (facts) => {
      facts.version = version
    })
  )
