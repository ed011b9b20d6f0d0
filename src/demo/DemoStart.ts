import { Console, Context, Effect, Layer, Option, Path, Redacted } from "effect"
import { TimeZone, today } from "../kernel/Calendar.ts"
import { AppConfig, publicUrl } from "../platform/config/AppConfig.ts"
import { Demo } from "./Demo.ts"
import { demoFile, type DemoFacts } from "./DemoFacts.ts"
import { welcome } from "./Welcome.ts"

const demo_timezone = TimeZone.make("Europe/Paris")

/** The demo of this process, if it has one. */
class CurrentDemo extends Context.Service<CurrentDemo, Option.Option<DemoFacts>>()(
  "invoicing/demo/DemoStart/CurrentDemo"
) {}

/** Without SEED_DEMO the demo is for development: only the embedded database gets it, and never in production. */
const Seeded = Layer.effect(
  CurrentDemo,
  Effect.gen(function* () {
    const { databaseUrl, production, seedDemo } = yield* AppConfig
    if (!Option.getOrElse(seedDemo, () => Option.isNone(databaseUrl) && !production)) return Option.none()
    const demo = yield* Demo
    return yield* demo.seed
  })
).pipe(Layer.provide(Demo.layer))

/** Outside production the demo's own token opens the administration where no ADMIN_TOKEN is configured. */
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

/** Says where the service is, and what to try first. */
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
        // Other outputs are kept: as logs, by systemd or by a container's engine.
        showsSecrets: process.stdout.isTTY
      })
    )
  })
)
