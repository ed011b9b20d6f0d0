import { Data, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { AppConfig } from "../config/AppConfig.ts"
import { BlobKey, BlobStore } from "../storage/BlobStore.ts"
import { json, retry_after_seconds } from "./EdgeAnswers.ts"
import { Stopping } from "./server/Stopping.ts"

const ready_timeout = "2 seconds"
const retryAfter = { "retry-after": String(retry_after_seconds) }

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

/** A key under which nothing is ever stored: a store that answers this works. */
const probe = BlobKey.make("health/none")

const checked = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  check.pipe(Effect.timeout(ready_timeout), Effect.match({ onFailure: () => "unreachable", onSuccess: () => "ok" }))

/** Least free space for PostgreSQL's log (16 MiB a segment), uploads, and a later repair of what has failed. */
const room_bytes_min = 64 * 1024 * 1024

class RoomUnknown extends Data.TaggedError("RoomUnknown")<{ readonly cause: unknown }> {}

const isAbsent = ({ cause }: RoomUnknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** Asks the file system without writing, so that a probe every second costs nothing. */
const hasRoom = (folder: string) =>
  Effect.tryPromise({
    try: () => statfs(folder),
    catch: (cause) => new RoomUnknown({ cause })
  }).pipe(
    Effect.map(({ bavail, bsize, ffree, files }) => bavail * bsize >= room_bytes_min && (files === 0 || ffree > 0)),
    Effect.catchIf(isAbsent, () => Effect.succeed(true))
  )

/** The embedded PostgreSQL may have its folder on another disk, which `postgres` links to. */
const disk = Effect.gen(function* () {
  const { dataDir } = yield* AppConfig
  const rooms = yield* Effect.forEach([dataDir, join(dataDir, "postgres")], hasRoom, { concurrency: 2 })
  return rooms.every(Boolean) ? "ok" : "full"
}).pipe(
  Effect.timeout(ready_timeout),
  Effect.orElseSucceed(() => "unreachable")
)

/** Answers 200 if a request could be served now. Migrations run before the server listens. */
const ready = HttpRouter.add(
  "GET",
  "/health/ready",
  Effect.gen(function* () {
    // A stopping server accepts no new connections; the 503 tells clients with open connections to stop, too.
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
