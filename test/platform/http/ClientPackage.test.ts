import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { HttpClient, HttpRouter } from "effect/http"
import { NotBuilt, packageRoute } from "../../../src/platform/http/answers/ClientPackage.ts"

/** Serves the package of this build to requests that wait half a second. */
const serving = (build: Parameters<typeof packageRoute>[0]) =>
  HttpRouter.serve(packageRoute(build, "500 millis"), { disableListenLog: true, disableLogger: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layerTest)
  )

const get = Effect.flatMap(HttpClient.HttpClient, (client) => client.get("/client.tgz"))

it.live("GET /client.tgz answers 503 while its one build takes long, which continues after clients left", () =>
  Effect.gen(function* () {
    const finished = yield* Deferred.make<void>()
    let builds = 0
    const build = Effect.gen(function* () {
      builds++
      yield* Deferred.await(finished)
      return { bytes: new TextEncoder().encode("tarball"), etag: '"tag"' }
    })
    yield* Effect.gen(function* () {
      yield* Effect.timeoutOption(get, "20 millis")
      const waiting = yield* get
      expect([waiting.status, waiting.headers["retry-after"]]).toEqual([503, "30"])
      expect(yield* waiting.json).toMatchObject({ code: "client_unavailable" })
      yield* Deferred.succeed(finished, undefined)
      const served = yield* get
      expect([served.status, served.headers["etag"], yield* served.text, builds]).toEqual([200, '"tag"', "tarball", 1])
    }).pipe(Effect.provide(serving(build)))
  })
)

it.live("GET /client.tgz answers 404 without a further build for a while after a build failed", () =>
  Effect.gen(function* () {
    let builds = 0
    const failing = Effect.suspend(() => (builds++, Effect.fail(new NotBuilt({ reason: "broken" }))))
    const answers = yield* Effect.all([get, get]).pipe(Effect.provide(serving(failing)))
    expect([...answers.map(({ status }) => status), builds]).toEqual([404, 404, 1])
  })
)
