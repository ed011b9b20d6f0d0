import { Effect, Layer, Option } from "effect"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { Providers, providersFrom } from "./Provider.ts"
import { SandboxNetwork } from "./sandbox/SandboxNetwork.ts"

const NoProviders = Layer.succeed(
  Providers,
  providersFrom(() => Option.none())
)

/** The simulated network outside of production, or where the operator asks for it; otherwise nothing pretends. */
export const ConfiguredProviders = Layer.unwrap(
  Effect.map(AppConfig, ({ einvoicingSandbox, production }) =>
    Option.getOrElse(einvoicingSandbox, () => !production) ? SandboxNetwork : NoProviders
  )
)
