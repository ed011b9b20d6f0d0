import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, type Duration, Effect, Layer } from "effect"
import { Resolver } from "node:dns/promises"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { AppConfig } from "../../../src/platform/config/AppConfig.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"

/** The client for outgoing requests, configured by the environment variables `env`. */
export const outbound = (env: Record<string, string> = {}, resolver = new Resolver()) =>
  Outbound.via(resolver).pipe(
    Layer.provide(AppConfig.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
    Layer.provide(NodeServices.layer)
  )

/** Allows exactly these ports of this machine, also by http. */
export const allowing = (ports: ReadonlyArray<number>, resolver?: Resolver) => {
  const targets = ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`])
  return outbound({ WEBHOOKS_ALLOW_HTTP: "true", WEBHOOKS_ALLOWED_TARGETS: targets.join(",") }, resolver)
}

export const post = Effect.fnUntraced(function* (url: string, time_limit: Duration.Input = "1 minute", body = "{}") {
  const { post } = yield* Outbound
  return yield* post({ url, headers: { "content-type": "application/json" }, body, time_limit })
})

/** Listens on every address of this machine, runs `talk` for each connection, and counts the connections. */
export const receiver = Effect.fnUntraced(function* (talk: (socket: Socket, request: string) => void) {
  const sockets: Array<Socket> = []
  const requests: Array<string> = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => undefined)
    socket.on("data", (bytes) => {
      requests.push(bytes.toString())
      talk(socket, bytes.toString())
    })
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "::", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      for (const socket of sockets) socket.destroy()
    })
  )
  return { port: portOf(server.address()), sockets, requests }
})

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0

export const response = (body: string, headers = "", status = "200 OK") =>
  `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
