import { HttpApi } from "effect/http-api"

/** Root of the HTTP contract: every slice adds its groups to it, and is served by `contract.add(<its group>)`. */
export const contract = HttpApi.make("invoicing").annotate(HttpApi.ParseOptions, { errors: "all" })
