import { Config, Console, Effect, Layer, Option } from "effect"
import { createServer } from "node:net"
import { AppConfig } from "../config/AppConfig.ts"

const attempts_max = 20

const isFree = (host: string, port: number) =>
  Effect.callback<boolean>((resume) => {
    const probe = createServer()
    probe.once("error", () => resume(Effect.succeed(false)))
    probe.listen(port, host, () => probe.close(() => resume(Effect.succeed(true))))
  })

/** The port that PORT names; without it the default one or, where another program has that, the next that is free. */
export const FreePort = Layer.effect(
  AppConfig,
  Effect.gen(function* () {
    const config = yield* AppConfig
    if (Option.isSome(yield* Config.option(Config.String("PORT")))) return config
    for (let port = config.port; port < config.port + attempts_max; port++) {
      if (!(yield* isFree(config.host, port))) continue
      if (port !== config.port) yield* Console.log(`Port ${config.port} is in use: taking ${port}.`)
      return { ...config, port }
    }
    return config
  })
)
