import { Config, Console, Data, Effect, Layer, Option } from "effect"
import { createServer } from "node:net"
import { AppConfig } from "../../config/AppConfig.ts"

const attempts_max = 20

class PortUnusable extends Data.TaggedError("PortUnusable")<{ readonly message: string }> {
  static of(name: string, host: string, port: number, { message }: Error) {
    return new PortUnusable({ message: `${name} ${port} on HOST ${host} cannot be used: ${message}.` })
  }
}

const tryOut = (host: string, port: number, name = "PORT") =>
  Effect.callback<void, PortUnusable>((resume) => {
    const probe = createServer()
    probe.once("error", (error) => resume(Effect.fail(PortUnusable.of(name, host, port, error))))
    probe.listen(port, host, () => probe.close(() => resume(Effect.void)))
  })

/** Fails if PORT or METRICS_PORT is not free. Without PORT, takes the default port or the next free one. */
export const FreePort = Layer.effect(
  AppConfig,
  Effect.gen(function* () {
    const config = yield* publicPort
    const { host, metricsPort, port } = config
    if (Option.isNone(metricsPort)) return config
    if (metricsPort.value === port) {
      return yield* new PortUnusable({ message: `METRICS_PORT must differ from PORT, but both are ${port}.` })
    }
    yield* tryOut(host, metricsPort.value, "METRICS_PORT")
    return config
  })
)

const publicPort = Effect.gen(function* () {
  const config = yield* AppConfig
  if (Option.isSome(yield* Config.option(Config.String("PORT")))) {
    yield* tryOut(config.host, config.port)
    return config
  }
  for (let port = config.port; port < config.port + attempts_max; port++) {
    if (Option.isNone(yield* Effect.option(tryOut(config.host, port)))) continue
    if (port !== config.port) yield* Console.log(`Port ${config.port} is in use: taking ${port}.`)
    return { ...config, port }
  }
  return config
})
