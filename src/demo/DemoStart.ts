import { Console, Context, Effect, Layer, Option, Redacted } from "effect"
import { TimeZone, today } from "../kernel/Calendar.ts"
import { AppConfig, publicUrl } from "../platform/config/AppConfig.ts"
import { Demo } from "./Demo.ts"
import type { DemoFacts } from "./DemoFacts.ts"
import { welcome } from "./Welcome.ts"

const demo_timezone = TimeZone.make("Europe/Paris")

/** The demo of this process, if it has one. */
class CurrentDemo extends Context.Service<CurrentDemo, Option.Option<DemoFacts>>()(
  "invoicing/demo/DemoStart/CurrentDemo"
) {}

/** The embedded database starts with the demo, a database that somebody named only when SEED_DEMO says so. */
const Seeded = Layer.effect(
  CurrentDemo,
  Effect.gen(function* () {
    const { databaseUrl, seedDemo } = yield* AppConfig
    if (!Option.getOrElse(seedDemo, () => Option.isNone(databaseUrl))) return Option.none()
    const demo = yield* Demo
    return yield* demo.seed
  })
).pipe(Layer.provide(Demo.layer))

/** Where no ADMIN_TOKEN is configured, the demo's own opens the administration. */
const WithAdminToken = Layer.effect(
  AppConfig,
  Effect.gen(function* () {
    const config = yield* AppConfig
    const demo = yield* CurrentDemo
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
    const day = yield* today(demo_timezone)
    yield* Console.log(
      Option.match(demo, {
        onNone: () => `Invoicing is ready on ${publicUrl(config)}, its reference on ${publicUrl(config)}/docs`,
        onSome: (facts) => welcome(facts, day)
      })
    )
  })
)
