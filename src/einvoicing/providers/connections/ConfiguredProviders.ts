import { Effect, Layer, Option } from "effect"
import { AppConfig } from "../../../platform/config/AppConfig.ts"
import { Connections } from "./Connections.ts"
import { ProviderCode } from "../Network.ts"
import { type InboxOf, Providers, providersFrom } from "../Provider.ts"
import { makeSandbox } from "../../sandbox/SandboxNetwork.ts"

/** An organization without a connection sends its documents to the simulated network, if this installation has one. */
export const ConfiguredProviders = Layer.effect(
  Providers,
  Effect.gen(function* () {
    const connections = yield* Connections
    const { einvoicingSandbox, production } = yield* AppConfig
    const isSimulated = Option.getOrElse(einvoicingSandbox, () => !production)
    const sandbox = isSimulated ? Option.some(yield* makeSandbox) : Option.none()
    const simulated = ProviderCode.literals.flatMap((code): ReadonlyArray<InboxOf> =>
      Option.match(sandbox, { onNone: () => [], onSome: (adapters) => [{ code, provider: adapters[code] }] })
    )

    return providersFrom({
      find: Effect.fn("Providers.find")(function* (organization_id, code, environment) {
        const connected = yield* connections.find({ organization_id, provider: code })
        const candidates = [...Option.toArray(connected), ...Option.toArray(Option.map(sandbox, (all) => all[code]))]
        const fitting = candidates.find((provider) => (environment ?? provider.environment) === provider.environment)
        return Option.fromUndefinedOr(fitting)
      }),
      inboxes: Effect.gen(function* () {
        const connected = yield* Effect.forEach(
          yield* connections.openable,
          ({ open, organization_id, provider: code }) =>
            open.pipe(
              Effect.map((found) =>
                Option.toArray(Option.map(found, (provider): InboxOf => ({ code, organization_id, provider })))
              ),
              // Settings that cannot be decrypted must not stop the collection of other organizations' documents.
              Effect.catchDefect((defect) =>
                Effect.as(
                  Effect.logError(`the connection of organization ${organization_id} does not open`, defect),
                  []
                )
              )
            )
        )
        return [...simulated, ...connected.flat()]
      })
    })
  })
)
