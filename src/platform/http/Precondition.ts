import { Effect } from "effect"
import { PreconditionFailed } from "../../kernel/Refusal.ts"
import { RequestFacts } from "./Security.ts"

export const versionTag = (version: number) => `v${version}`

/** The version in `"v7"` and in `"v7.digest"`, which a GET answers; the digest says nothing about a change. */
const versionIn = (tag: string) => /^(?:W\/)?"(v\d+)(?:\.[\w-]+)?"$/.exec(tag.trim())?.[1]

/** Fails with 412 when `If-Match` names another version than the record has (RFC 9110, 13.1.1). */
export const requireVersion = Effect.fnUntraced(function* (version: number) {
  const { if_match } = yield* RequestFacts
  if (if_match === undefined || if_match.trim() === "*") return
  const versions = if_match.split(",").map(versionIn)
  if (!versions.includes(versionTag(version))) return yield* PreconditionFailed.of(version)
})

/** Lets the edge put the version of the record that a handler answers with into its `ETag`. */
export const withETag = <A extends { readonly version: number }, E, R>(record: Effect.Effect<A, E, R>) =>
  Effect.tap(record, ({ version }) =>
    Effect.map(RequestFacts, (facts) => {
      facts.version = version
    })
  )
