import { Context, Effect, Layer, Option, Struct } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import type { Environment } from "../../kernel/Environment.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { requireOwn } from "../OwnOrganization.ts"
import { canSend, countriesOf, einvoicingCountry } from "../countries/Countries.ts"
import type { EinvoicingCountry, Nature } from "../countries/EinvoicingCountry.ts"
import type { Connection } from "../providers/connections/Connection.ts"
import { Connections } from "../providers/connections/Connections.ts"
import { type NetworkDefinition, networks } from "../providers/Network.ts"
import { type Participant, type ParticipantIdentifier, type Provider, Providers } from "../providers/Provider.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { ProviderMismatch } from "../registrations/RegistrationErrors.ts"
import { Registrations } from "../registrations/Registrations.ts"
import { LookupUnsupported, NetworkDown } from "./DirectoryErrors.ts"
import type { FoundParticipant, Network, NetworkProvider, ParticipantQuery } from "./Participant.ts"
import { type Requirements, requirementsOf } from "../registrations/Requirements.ts"

interface Looked {
  readonly environment: Environment
  readonly participant: Option.Option<Participant>
}

const answer_time_limit = "10 seconds"

export class Directory extends Context.Service<
  Directory,
  {
    readonly networks: Effect.Effect<ReadonlyArray<typeof Network.Type>, never, CurrentOrganization>
    /** The providers of the current organization, with the health of its connections. */
    readonly providers: Effect.Effect<ReadonlyArray<NetworkProvider>, never, CurrentOrganization>
    readonly requirements: (
      country: CountryCode,
      nature: Nature
    ) => Effect.Effect<Requirements, ValidationFailed, CurrentOrganization>
    readonly search: (
      query: ParticipantQuery
    ) => Effect.Effect<
      FoundParticipant,
      NotFound | ValidationFailed | ProviderMismatch | LookupUnsupported | ProviderNotConfigured | NetworkDown,
      CurrentOrganization
    >
    readonly lookup: (
      network: NetworkDefinition,
      identifier: ParticipantIdentifier
    ) => Effect.Effect<Looked, LookupUnsupported | ProviderNotConfigured | NetworkDown, CurrentOrganization>
  }
>()("invoicing/einvoicing/directory/Directory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const adapters = yield* Providers
      const connections = yield* Connections
      const registrations = yield* Registrations

      /** Returns the reason why documents cannot be sent, or null. */
      const obstacle = Effect.fnUntraced(function* (
        network: NetworkDefinition,
        countries: ReadonlyArray<EinvoicingCountry>
      ) {
        const { id } = yield* CurrentOrganization
        if (Option.isNone(yield* adapters.find(id, network.code))) return ProviderNotConfigured.of(network).message
        const reasons = countries.map(({ form: { domestic } }) => (domestic.isWritten ? null : domestic.reason))
        return reasons.includes(null) ? null : (reasons[0] ?? null)
      })

      const requirements = Effect.fn("Directory.requirements")(function* (code: CountryCode, nature: Nature) {
        const country = yield* known(code)
        return requirementsOf(country, nature, yield* obstacle(networks[country.network], [country]))
      })

      const lookup = Effect.fn("Directory.lookup")(function* (
        network: NetworkDefinition,
        identifier: ParticipantIdentifier
      ) {
        const { id } = yield* CurrentOrganization
        const { environment, lookup: ask } = yield* adapters.require(id, network.code)
        if (ask === undefined && network.supports_lookup) return yield* ProviderNotConfigured.directory(network)
        if (ask === undefined) return yield* LookupUnsupported.of(network)
        const participant = yield* ask(identifier).pipe(
          Effect.mapError((error) => NetworkDown.of(error)),
          Effect.timeoutOrElse({ duration: answer_time_limit, orElse: () => Effect.fail(NetworkDown.late()) })
        )
        return { environment, participant }
      })

      const own = Effect.gen(function* () {
        const registration = Option.getOrUndefined(yield* registrations.live)
        const [first] = registration?.identifiers ?? []
        if (first === undefined) return yield* ValidationFailed.of(absent("identifier_scheme", "identifier_value"))
        return { scheme: first.scheme, value: first.identifier }
      })

      const identifierOf = Effect.fnUntraced(function* ({ identifier_scheme, identifier_value }: ParticipantQuery) {
        if (identifier_scheme === undefined && identifier_value === undefined) return yield* own
        if (identifier_scheme === undefined) return yield* ValidationFailed.of(absent("identifier_scheme"))
        if (identifier_value === undefined) return yield* ValidationFailed.of(absent("identifier_value"))
        const problem = checkIdentifier(identifier_scheme, identifier_value)
        if (Option.isNone(problem)) return { scheme: identifier_scheme, value: identifier_value }
        return yield* ValidationFailed.of({
          identifier_value: [`The identifier_value field ${problem.value}`]
        })
      })

      const search = Effect.fn("Directory.search")(function* (query: ParticipantQuery) {
        if (query.organization_id !== undefined) yield* requireOwn(query.organization_id)
        const network = networks[(yield* known(query.country_code)).network]
        if ((query.provider ?? network.code) !== network.code) return yield* ProviderMismatch.of(network.code)
        if (!network.supports_lookup) return yield* LookupUnsupported.of(network)
        const { scheme, value } = yield* identifierOf(query)
        const { environment, participant } = yield* lookup(network, { scheme, value })
        if (Option.isNone(participant)) return yield* NotFound.of()
        const { country_code, document_types, name } = participant.value
        return {
          found: true as const,
          identifier_scheme: scheme,
          identifier_value: value,
          name,
          country_code: country_code ?? query.country_code,
          network: network.code,
          provider: network.code,
          environment,
          document_types
        }
      })

      return Directory.of({
        networks: Effect.forEach(
          Object.values(networks),
          Effect.fnUntraced(function* (network) {
            const { code, model, name } = network
            const countries = countriesOf(code)
            const reason = yield* obstacle(network, countries)
            const codes = countries.map(({ code }) => CountryCode.make(code))
            return { code, name, model, countries: codes, supported: reason === null, unsupported_reason: reason }
          })
        ).pipe(Effect.withSpan("Directory.networks")),
        providers: Effect.gen(function* () {
          const { id } = yield* CurrentOrganization
          const connected = yield* connections.list(id)
          const found = yield* Effect.forEach(Object.values(networks), (network) => {
            const health = connected.find(({ provider }) => provider === network.code)
            return Effect.map(adapters.find(id, network.code), Option.map(providerOf(network, health)))
          })
          return found.flatMap((provider) => Option.toArray(provider))
        }).pipe(Effect.withSpan("Directory.providers")),
        requirements,
        search,
        lookup
      })
    })
  ).pipe(Layer.provide(Registrations.layer))
}

const known = (country: CountryCode) =>
  Effect.fromOption(einvoicingCountry(country)).pipe(
    Effect.mapError(() =>
      ValidationFailed.of({
        country_code: ["The country_code field must be a country in which e-invoicing is supported."]
      })
    )
  )

const absent = (...fields: ReadonlyArray<string>) =>
  Object.fromEntries(fields.map((field) => [field, [`The ${field} field is required.`]]))

const providerOf =
  (network: NetworkDefinition, connection: Connection | undefined) =>
  (adapter: Provider): NetworkProvider => ({
    code: network.code,
    name: adapter.name,
    environment: adapter.environment,
    countries: countriesOf(network.code).map(({ code }) => CountryCode.make(code)),
    networks: [network.code],
    supports_lookup: network.supports_lookup,
    capabilities: [
      ...(canSend(network.code) ? (["send"] as const) : []),
      ...(network.model === "clearance" ? (["clearance"] as const) : (["receive"] as const)),
      ...(network.supports_lookup ? (["lookup"] as const) : [])
    ],
    connection:
      connection === undefined
        ? null
        : {
            ...Struct.pick(connection, [
              "connected_at",
              "last_exchange_at",
              "last_error",
              "last_error_at",
              "paused_until"
            ]),
            missing_settings: adapter.reporting?.missing_settings ?? []
          }
  })
