import { Context, Schema } from "effect"
import { HttpApi } from "effect/http-api"

/** Root of the HTTP contract: every slice adds its groups to it, and is served by `contract.add(<its group>)`. */
export const contract = HttpApi.make("invoicing")
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })

/** A payload that a client may leave out altogether; the handler then gets null. */
export const optionalBody = <S extends Schema.Top>(schema: S): readonly [typeof Schema.Null, S] => [Schema.Null, schema]

/**
 * An endpoint whose work waits for other machines (mail, storage, a network, a child process). Under an
 * `Idempotency-Key` its work runs in no transaction, and records what it did under `CurrentOperation`.
 */
export const WorksOutside = Context.Reference<boolean>("invoicing/platform/http/WorksOutside", {
  defaultValue: () => false
})

/** An endpoint that knows itself what a repeated `Idempotency-Key` means; the edge then leaves the key to it. */
export const KeepsIdempotencyKeys = Context.Reference<boolean>("invoicing/platform/http/KeepsIdempotencyKeys", {
  defaultValue: () => false
})
