import { Layer } from "effect"
import { Adapters } from "./providers/Adapter.ts"
import { ConfiguredProviders } from "./providers/ConfiguredProviders.ts"
import { Connections } from "./providers/Connections.ts"

/** Every adapter that an operator can choose. */
const ConfiguredAdapters = Layer.succeed(Adapters, [])

/** The connections of organizations, and the providers made from them. */
export const ConnectedProviders = ConfiguredProviders.pipe(
  Layer.provideMerge(Connections.layer),
  Layer.provide(ConfiguredAdapters)
)
