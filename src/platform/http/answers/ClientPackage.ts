import { Data, Duration, Effect, Fiber } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { refusal } from "./EdgeAnswers.ts"
import { tagOf, unlessKnown } from "./EntityTags.ts"

/** Time limit of a build, which takes 10 s on an idle machine and many minutes on an overloaded one. */
const build_ms_max = 3_600_000
/** Time for which a request waits for the build. The build continues after that. */
const wait_max = "1 minute"
const pause_after_failure = "1 minute"
const retry_after_seconds = 30

const root = resolve(import.meta.dirname, "../../../..")

export class NotBuilt extends Data.TaggedError("NotBuilt")<{ readonly reason: unknown }> {}

interface Tarball {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** Builds the tarball in a separate process, which gets none of this process's secrets. */
const tarball = Effect.tryPromise({
  try: async (signal) => {
    const { HOME, PATH } = process.env
    const options = { cwd: root, env: { HOME, PATH }, signal, timeout: build_ms_max }
    const { stdout } = await promisify(execFile)(process.execPath, ["scripts/client.ts"], options)
    const bytes = await readFile(stdout.trim())
    return { bytes, etag: tagOf(bytes) }
  },
  catch: (reason) => new NotBuilt({ reason })
})

/** All requests share one build. The build belongs to the process, so it continues when the clients have left. */
export const packageRoute = (build: Effect.Effect<Tarball, NotBuilt>, wait: Duration.Input) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const scope = yield* Effect.scope
      const [started, forget] = yield* Effect.cachedInvalidateWithTTL(
        Effect.suspend((): Effect.Effect<Fiber.Fiber<Tarball, NotBuilt>> =>
          build.pipe(
            Effect.tapError(({ reason }) => Effect.logWarning("The client package could not be built.", reason)),
            Effect.tapError(() => Effect.forkIn(Effect.delay(forget, pause_after_failure), scope)),
            Effect.forkIn(scope)
          )
        ),
        Duration.infinity
      )
      yield* router.add(
        "GET",
        "/client.tgz",
        started.pipe(
          Effect.flatMap(Fiber.join),
          Effect.flatMap(({ bytes, etag }) =>
            Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
              const validators = { etag, "cache-control": "no-cache" }
              return unlessKnown(headers, validators, () =>
                HttpServerResponse.uint8Array(bytes, { contentType: "application/gzip", headers: validators })
              )
            })
          ),
          Effect.timeoutOrElse({ duration: wait, orElse: () => Effect.sync(building) }),
          Effect.catchTag("NotBuilt", () => Effect.sync(notBuilt))
        )
      )
    })
  )

/** Serves the client package, built from this source by the first request, unless the container image contains it. */
export const ClientPackage = packageRoute(tarball, wait_max)

const building = () =>
  refusal(503, "client_unavailable", "The client package is being built. Try again in half a minute.", {
    "retry-after": String(retry_after_seconds)
  })

// A 503 would promise by its `Retry-After` that a later request succeeds, but most failed builds fail again.
const notBuilt = () =>
  refusal(
    404,
    "client_unavailable",
    "The client package could not be built, and the log of the service says why: a build needs the development " +
      "dependencies of the service."
  )
