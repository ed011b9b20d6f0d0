import { Context, Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import type { EventName } from "../../kernel/EventName.ts"

/** Root of the HTTP contract. Folders such as `src/billing` add groups, and implement them on `contract.add(group)`. */
export const contract = HttpApi.make("invoicing")
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })

/** A payload that a client may omit; the handler then gets null. */
export const optionalBody = <S extends Schema.Top>(schema: S): readonly [typeof Schema.Null, S] => [Schema.Null, schema]

/**
 * Marks work that waits for another system (mail, storage, a child process). With an `Idempotency-Key`, it runs outside
 * of a transaction and records its effects under `CurrentOperation`.
 */
export const UsesOtherSystems = Context.Reference<boolean>("invoicing/platform/http/UsesOtherSystems", {
  defaultValue: () => false
})

/** Marks an endpoint that handles a repeated `Idempotency-Key` itself, so `Edge.ts` ignores the key. */
export const KeepsIdempotencyKeys = Context.Reference<boolean>("invoicing/platform/http/KeepsIdempotencyKeys", {
  defaultValue: () => false
})

/** Texts of an endpoint in the API reference, with the events that the endpoint may emit. */
export const operation = (summary: string, description: string, ...events: ReadonlyArray<EventName>) => {
  const emitted = events.map((event) => `\`${event}\``).join(", ")
  return OpenApi.annotations({
    summary,
    description: emitted === "" ? description : `${description}\n\nMay emit ${emitted}.`
  })
}

export const tag = (title: string, description: string) => OpenApi.annotations({ title, description })
