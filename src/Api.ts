import { OpenApi } from "effect/http-api"
import { withSecurity } from "./ApiSecurity.ts"
import { contract } from "./platform/http/Contract.ts"

/** The whole HTTP contract. Import it as `invoicing/api` for a typed client; no server code comes along. */
export const Api = contract
  .annotate(OpenApi.Title, "Invoicing")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(OpenApi.Transform, withSecurity)
