import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { type PageRequest, type Slice, toPage } from "../../kernel/Envelope.ts"
import { AppConfig, publicUrl } from "../config/AppConfig.ts"

/** Turns the rows a service found into the page a list endpoint answers with. */
export const paginate =
  (request: PageRequest) =>
  <A, E, R>(slice: Effect.Effect<Slice<A>, E, R>) =>
    Effect.gen(function* () {
      const found = yield* slice
      const config = yield* AppConfig
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const [path = "", query = ""] = url.split("?", 2)
      return toPage(found, request, publicUrl(config) + path, new URLSearchParams(query))
    })
