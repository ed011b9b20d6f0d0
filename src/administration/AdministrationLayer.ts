import { ByteSize, Cause, Effect, Layer, Option, Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { AppConfig } from "../platform/config/AppConfig.ts"
import { sameSecret } from "../platform/crypto/Opaque.ts"
import { bearerToken } from "../platform/http/edge/Edge.ts"
import { isPassing, logOutage } from "../platform/http/answers/EdgeAnswers.ts"
import { RequestFacts } from "../platform/http/Security.ts"
import { AdminDenied, AdminFailed } from "./AdministrationErrors.ts"
import { AdministrationHandlers } from "./AdministrationHandlers.ts"
import { AdminGate, AdministrationRpc } from "./AdministrationRpc.ts"

const body_bytes_max = 64 * 1024
/** One RPC request may contain several calls. At most this number of them run at the same time. */
const concurrent_calls_max = 4

const adminGate = (token: Redacted.Redacted) =>
  Layer.succeed(
    AdminGate,
    AdminGate.of(
      Effect.fnUntraced(function* (call, { headers }) {
        const shown = bearerToken(headers["authorization"]) ?? ""
        if (!sameSecret(shown, Redacted.value(token))) return yield* AdminDenied.of()
        const { id } = yield* RequestFacts
        return yield* call.pipe(
          // Hides the message of a defect, which the protocol would send to the client.
          Effect.catchCauseIf(Cause.hasDies, (cause) => {
            const error = Cause.squash(cause)
            return isPassing(error)
              ? Effect.andThen(logOutage(error), Effect.fail(AdminFailed.ofOutage(id)))
              : Effect.andThen(Effect.logError("unhandled failure", cause), Effect.fail(AdminFailed.of(id)))
          })
        )
      })
    )
  )

const Route = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { httpEffect, protocol } = yield* RpcServer.makeProtocolWithHttpEffect()
    yield* RpcServer.make(AdministrationRpc, { concurrency: concurrent_calls_max, disableFatalDefects: true }).pipe(
      Effect.provideService(RpcServer.Protocol, protocol),
      Effect.forkScoped
    )
    const limited = Effect.provideService(httpEffect, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(body_bytes_max))
    yield* router.add("POST", "/rpc/admin", limited)
  })
).pipe(Layer.provide([AdministrationHandlers, RpcSerialization.layerNdjson]))

/** Without an admin token, the route does not exist. */
export const AdministrationRoutes = Layer.unwrap(
  Effect.map(AppConfig, ({ adminToken }) =>
    Option.match(adminToken, {
      onNone: () => Layer.empty,
      onSome: (token) => Layer.provide(Route, adminGate(token))
    })
  )
)
