import { Data, Duration, Effect, Exit } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { refusal } from "./EdgeAnswers.ts"
import { tagOf, unlessKnown } from "./EntityTags.ts"

/** Time limit of a build, which takes 10 s on an idle machine. */
const build_ms_max = 180_000
const pause_after_failure = "1 minute"

const root = resolve(import.meta.dirname, "../../../..")

class NotBuilt extends Data.TaggedError("NotBuilt")<{ readonly reason: unknown }> {}

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
}).pipe(Effect.tapError(({ reason }) => Effect.logWarning("The client package could not be built.", reason)))

/** Serves the client package, built from this source by the first request, unless the container image contains it. */
export const ClientPackage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const built = yield* Effect.cachedWithTTL(tarball, (exit) =>
      Exit.isSuccess(exit) ? Duration.infinity : pause_after_failure
    )
    yield* router.add(
      "GET",
      "/client.tgz",
      built.pipe(
        Effect.flatMap(({ bytes, etag }) =>
          Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
            const validators = { etag, "cache-control": "no-cache" }
            return unlessKnown(headers, validators, () =>
              HttpServerResponse.uint8Array(bytes, { contentType: "application/gzip", headers: validators })
            )
          })
        ),
        Effect.catchTag("NotBuilt", () => Effect.succeed(notBuilt()))
      )
    )
  })
)

const notBuilt = () =>
  refusal(
    503,
    "client_unavailable",
    "The client package could not be built, and the log of the service says why: a build needs the development " +
      "dependencies of the service, and is stopped after 3 minutes on an overloaded machine. Try again in a minute."
  )
