import { Effect, Layer } from "effect"
import { platformAdapter } from "./france/PlatformAdapter.ts"
import { PeppolDirectory } from "./peppol/PeppolDirectory.ts"
import { recommandAdapter } from "./peppol/RecommandAdapter.ts"
import { Adapters } from "./providers/Adapter.ts"
import { ConfiguredProviders } from "./providers/connections/ConfiguredProviders.ts"
import { Connections } from "./providers/connections/Connections.ts"
import { SubmissionsOnce } from "./providers/SubmissionsOnce.ts"
import { sdiAdapter } from "./sdi/SdiAdapter.ts"
import { aeatAdapter } from "./verifactu/aeat/AeatAdapter.ts"
import { localRecordsAdapter } from "./verifactu/aeat/LocalAdapter.ts"
import { RecordChain } from "./verifactu/RecordChain.ts"

const ConfiguredAdapters = Layer.effect(
  Adapters,
  Effect.all([recommandAdapter, platformAdapter, sdiAdapter, aeatAdapter, localRecordsAdapter])
).pipe(Layer.provide([PeppolDirectory.layer, SubmissionsOnce.layer, RecordChain.layer]))

export const ConnectedProviders = ConfiguredProviders.pipe(
  Layer.provideMerge(Connections.layer),
  Layer.provide(ConfiguredAdapters)
)
