import { Effect, Layer, Metric } from "effect"
import { measureEvery } from "../../../platform/observability/Measuring.ts"
import { ProviderCode } from "../Network.ts"
import { ConnectionsRepo } from "./ConnectionsRepo.ts"

const interval = "1 minute"
/** Time without a successful exchange, so that a connection whose provider fails now and then does not count. */
const hours_min = 1

const failing = Metric.gauge("einvoice_connections_failing", {
  description:
    "Connections to an e-invoicing provider whose last exchange failed, after more than an hour without a success."
})

/** Shows operators which documents stay away, e.g. because credentials have expired. Every worker reports the same. */
export const ConnectionGauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const repo = yield* ConnectionsRepo
    const measure = Effect.gen(function* () {
      const counted = new Map(
        (yield* repo.failing({ hours_min })).map(({ connections, provider }) => [provider, connections])
      )
      for (const provider of ProviderCode.literals) {
        yield* Metric.update(Metric.withAttributes(failing, { provider }), counted.get(provider) ?? 0)
      }
    })
    yield* measureEvery(interval, "the connections to providers")(measure)
  })
).pipe(Layer.provide(ConnectionsRepo.layer))
