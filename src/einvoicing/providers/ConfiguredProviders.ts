import { Effect, Layer, Option } from "effect"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { Providers, providersFrom } from "./Provider.ts"
import { SandboxNetwork } from "./sandbox/SandboxNetwork.ts"

const NoProviders = Layer.succeed(
  Providers,
  providersFrom(() => Option.none())
)

/** Provides the simulated network outside of production or when the operator enables it, and no network otherwise. */
export const ConfiguredProviders = Layer.unwrap(
  Effect.map(AppConfig, ({ einvoicingSandbox, production }) =>
    Option.getOrElse(einvoicingSandbox, () => !production) ? SandboxNetwork : NoProviders
  )
)
