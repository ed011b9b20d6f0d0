import { Effect, Fiber, Layer, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../config/AppConfig.ts"
import { BlobKey, BlobStore } from "../../storage/BlobStore.ts"
import { dataFolders, roomIn } from "../../storage/DiskRoom.ts"
import { json, retry_after_seconds } from "./EdgeAnswers.ts"
import { Stopping } from "../server/Stopping.ts"

const ready_timeout = "2 seconds"
const retryAfter = { "retry-after": String(retry_after_seconds) }

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

/** A key under which nothing is ever stored: a store that answers for this key works. */
const probe = BlobKey.make("health/none")

/**
 * A check that lasts too long is interrupted without waiting for its end, because a database that hangs also delays the
 * cancellation of a statement.
 */
const checked = Effect.fnUntraced(function* <A, E, R>(check: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkDetach(check)
  return yield* Fiber.join(fiber).pipe(
    Effect.timeout(ready_timeout),
    Effect.tapError(() => Effect.forkDetach(Fiber.interrupt(fiber))),
    Effect.match({ onFailure: () => "unreachable", onSuccess: () => "ok" })
  )
})

/** Minimum free space for PostgreSQL's write-ahead log (16 MiB per segment), uploads and repairs. */
const room_bytes_min = 64 * 1024 * 1024

const hasRoom = (folder: string) =>
  Effect.map(
    roomIn(folder),
    Option.match({
      onNone: () => true,
      onSome: ({ bytes, takesFiles }) => bytes >= room_bytes_min && takesFiles
    })
  )

const disk = Effect.gen(function* () {
  const { dataDir } = yield* AppConfig
  const rooms = yield* Effect.forEach(Object.values(dataFolders(dataDir)), hasRoom, { concurrency: 2 })
  return rooms.every(Boolean) ? "ok" : "full"
}).pipe(
  Effect.timeout(ready_timeout),
  Effect.orElseSucceed(() => "unreachable")
)

/** Migrations need no check, because they run before the server listens. */
const ready = HttpRouter.add(
  "GET",
  "/health/ready",
  Effect.gen(function* () {
    // A stopping server only accepts requests on open connections. The 503 tells their clients to go elsewhere.
    if ((yield* Stopping).begun) return json({ status: "stopping" }, 503, retryAfter)
    const sql = yield* SqlClient.SqlClient
    const store = yield* BlobStore
    const checks = yield* Effect.all(
      {
        database: checked(sql`select 1`),
        storage: checked(store.get(probe).pipe(Effect.catchTag("BlobMissing", () => Effect.void))),
        disk
      },
      { concurrency: 3 }
    )
    return Object.values(checks).every((state) => state === "ok")
      ? json({ status: "ready", checks }, 200)
      : json({ status: "unavailable", checks }, 503, retryAfter)
  })
)

export const HealthRoutes = Layer.mergeAll(live, ready)
