import { Console, Context, Effect, Layer, Option, Path, Redacted } from "effect"
import { TimeZone, today } from "../kernel/Calendar.ts"
import { AppConfig, publicUrl } from "../platform/config/AppConfig.ts"
import { Demo } from "./Demo.ts"
import { demoFile, type DemoFacts } from "./DemoFacts.ts"
import { welcome } from "./Welcome.ts"

const demo_timezone = TimeZone.make("Europe/Paris")

class CurrentDemo extends Context.Service<CurrentDemo, Option.Option<DemoFacts>>()(
  "invoicing/demo/DemoStart/CurrentDemo"
) {}

/** By default, demo data is added only to an embedded database outside production. SEED_DEMO overrides this. */
const Seeded = Layer.effect(
  CurrentDemo,
  Effect.gen(function* () {
    const { databaseUrl, production, seedDemo } = yield* AppConfig
    if (!Option.getOrElse(seedDemo, () => Option.isNone(databaseUrl) && !production)) return Option.none()
    const demo = yield* Demo
    return yield* demo.seed
  })
).pipe(Layer.provide(Demo.layer))

/** Outside production, the demo's own token gives access to the administration unless ADMIN_TOKEN is configured. */
const WithAdminToken = Layer.effect(
  AppConfig,
  Effect.gen(function* () {
    const config = yield* AppConfig
    const demo = yield* CurrentDemo
    if (config.production) return config
    const demoToken = Option.map(demo, ({ admin_token }) => Redacted.make(admin_token))
    return { ...config, adminToken: Option.orElse(config.adminToken, () => demoToken) }
  })
)

export const DemoStart = Layer.provideMerge(WithAdminToken, Seeded)

/** Prints the service's address and the first commands to try. */
export const Welcome = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* AppConfig
    const demo = yield* CurrentDemo
    if (config.role === "worker")
      return yield* Console.log(`A worker is ready, its probes on http://${config.host}:${config.port}/health/ready`)
    if (Option.isNone(demo))
      return yield* Console.log(
        `Invoicing is ready on ${publicUrl(config)}, its reference on ${publicUrl(config)}/docs`
      )
    const path = yield* Path.Path
    yield* Console.log(
      welcome(demo.value, {
        today: yield* today(demo_timezone),
        file: path.resolve(yield* demoFile(config.dataDir)),
        // Secrets are shown only on a terminal, because systemd or a container engine would store the output in logs.
        showsSecrets: process.stdout.isTTY
      })
    )
  })
)
