import { Schema } from "effect"
import { HttpApi } from "effect/http-api"

/** Root of the HTTP contract: every slice adds its groups to it, and is served by `contract.add(<its group>)`. */
export const contract = HttpApi.make("invoicing")
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })

/** A payload that a client may leave out altogether; the handler then gets null. */
export const optionalBody = <S extends Schema.Top>(schema: S): readonly [typeof Schema.Null, S] => [Schema.Null, schema]
