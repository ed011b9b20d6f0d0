import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { json } from "./EdgeAnswers.ts"

const ready_timeout = "2 seconds"

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

/** Ready means that a request could be served now: the database answers. Migrations ran before the server listened. */
const ready = HttpRouter.add(
  "GET",
  "/health/ready",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const answer = yield* sql`select 1`.pipe(Effect.timeout(ready_timeout), Effect.result)
    return answer._tag === "Success"
      ? json({ status: "ready", checks: { database: "ok" } }, 200)
      : json({ status: "unavailable", checks: { database: "unreachable" } }, 503, { "retry-after": "2" })
  })
)

export const HealthRoutes = Layer.mergeAll(live, ready)
