import { DateTime, Effect, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { now, Timestamp, timestampOf } from "../../kernel/Calendar.ts"
import { limitOf, type PageRequest, type PageRows, toPage } from "../../kernel/Envelope.ts"
import { cursor_refused, type Listing, type ListingRequest, Position, toCursorPage } from "../../kernel/Listing.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { byName } from "../../kernel/Text.ts"
import { AppConfig, publicUrl } from "../config/AppConfig.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import { CurrentOrganization } from "./Security.ts"

const address = Effect.gen(function* () {
  const config = yield* AppConfig
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const [path = ""] = url.split("?", 1)
  return { path: publicUrl(config) + path, query: new URLSearchParams(url.slice(path.length)) }
})

export const paginate =
  (request: PageRequest) =>
  <A, E, R>(slice: Effect.Effect<PageRows<A>, E, R>) =>
    Effect.gen(function* () {
      const found = yield* slice
      const { path, query } = yield* address
      return toPage(found, request, path, query)
    })

/** The next sync starts this long before the last one began, because clocks differ and changes become visible late. */
const overlap_minutes = 5

/** Content of a sealed cursor: the position in the list, and the time when the client began to read the list. */
const Cursor = Schema.fromJsonString(Schema.Struct({ after: Position, started_at: Timestamp }))
const decodeCursor = Schema.decodeOption(Cursor)
const encodeCursor = Schema.encodeEffect(Cursor)

interface ListingQuery extends Omit<ListingRequest, "after"> {
  readonly cursor?: string
}

/** A cursor is valid only for its organization, list, sort and filters; any other cursor is refused with 422. */
export const paginateListing = <Query extends ListingQuery, A, E, R>(
  query: Query,
  list: (query: Query & Pick<ListingRequest, "after">) => Effect.Effect<Listing<A>, E, R>
) =>
  Effect.gen(function* () {
    const { cursor, page: _, per_page: __, ...asked } = query
    const { path, query: parameters } = yield* address
    const box = yield* SecretBox
    const { id } = yield* CurrentOrganization
    const place = JSON.stringify(["cursor", id, path, Object.entries(asked).toSorted(byName)])

    const resume = Effect.fnUntraced(function* (cursor: string) {
      if (cursor === "") return { after: null, started_at: yield* now }
      const opened = Option.flatMap(yield* box.tryOpen(cursor, place), decodeCursor)
      return yield* Effect.fromOption(opened).pipe(
        Effect.mapError(() => ValidationFailed.field("cursor", cursor_refused))
      )
    })

    const { after, started_at } = yield* resume(cursor ?? "")
    const found = yield* list(cursor === undefined ? query : { ...query, after })
    if ("total" in found) return toPage(found, query, path, parameters)
    const cursorTo = (after: Position) =>
      Effect.flatMap(Effect.orDie(encodeCursor({ after, started_at })), (text) => box.seal(text, place))
    return toCursorPage(found.rows, {
      path,
      query: parameters,
      per_page: limitOf(query),
      next_cursor: found.next === null ? null : yield* cursorTo(found.next),
      next_updated_since: timestampOf(DateTime.subtract(DateTime.makeUnsafe(started_at), { minutes: overlap_minutes }))
    })
  })
