import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { now } from "../../../kernel/Calendar.ts"
import type { OrganizationId } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../../kernel/Refusal.ts"
import { SecretBox } from "../../../platform/crypto/SecretBox.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { type Adapter, Adapters, Settings } from "../Adapter.ts"
import type { Connection, ConnectionKey, SealedConnection } from "./Connection.ts"
import { ConnectionsRepo } from "./ConnectionsRepo.ts"
import { observed } from "../ObservedProvider.ts"
import { NetworkUnavailable, type Provider } from "../Provider.ts"
import { ConnectionRefused } from "../ProviderErrors.ts"

interface Choice {
  readonly organization_id: OrganizationId
  readonly adapter: string
  readonly settings: Settings
}

type Opening = Effect.Effect<Option.Option<Provider>>

const Sealed = Schema.fromJsonString(Settings)
const encode = Schema.encodeEffect(Sealed)
const decode = Schema.decodeEffect(Sealed)

/** The accounts of organizations at providers. Their settings hold secrets, so only the adapters see them. */
export class Connections extends Context.Service<
  Connections,
  {
    readonly adapters: ReadonlyArray<Adapter>
    readonly list: (organization_id?: OrganizationId) => Effect.Effect<ReadonlyArray<Connection>>
    /** Adds or replaces a connection to a network. Refused credentials prevent that, an outage does not. */
    readonly connect: (choice: Choice, actor: string) => Effect.Effect<Connection, ValidationFailed | ConnectionRefused>
    readonly disconnect: (key: ConnectionKey, actor: string) => Effect.Effect<Connection, NotFound>
    readonly find: (key: ConnectionKey) => Effect.Effect<Option.Option<Provider>>
    /**
     * Returns the connections of all organizations for periodic work: the working ones first, and among these the one
     * that was used longest ago. Opening a connection may be a defect.
     */
    readonly openable: Effect.Effect<ReadonlyArray<ConnectionKey & { readonly open: Opening }>>
  }
>()("invoicing/einvoicing/providers/connections/Connections") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ConnectionsRepo
      const adapters = yield* Adapters
      const box = yield* SecretBox
      const auditLog = yield* AuditLog
      const { apart, transaction } = yield* Database

      const healthOf = (key: ConnectionKey) => ({
        answered: apart(repo.noteAnswer(key)),
        failed: ({ message, retry_after_seconds }: NetworkUnavailable) =>
          apart(repo.noteFailure({ ...key, message, pause_seconds: retry_after_seconds ?? null }))
      })

      const opened = Effect.fnUntraced(function* (connection: SealedConnection) {
        const chosen = adapters.find(({ code }) => code === connection.adapter)
        if (chosen === undefined) return Option.none<Provider>()
        const settings = yield* box.open(connection.sealed_settings, placeOf(connection)).pipe(Effect.flatMap(decode))
        return Option.some(yield* chosen.connect(connection.organization_id, settings))
      }, Effect.orDie)

      const open = Effect.fnUntraced(function* (connection: SealedConnection) {
        const pause = yield* pauseOf(connection)
        const { organization_id, provider } = connection
        const health = healthOf({ organization_id, provider })
        return Option.map(yield* opened(connection), (provider) => observed(provider, health, pause))
      })

      const find = Effect.fn("Connections.find")(function* (key: ConnectionKey) {
        const connection = yield* repo.find(key)
        return Option.isNone(connection) ? Option.none<Provider>() : yield* open(connection.value)
      })

      const openable = Effect.map(repo.inTurn, (connections) =>
        connections.map((connection) => {
          const { organization_id, provider } = connection
          return { organization_id, provider, open: open(connection) }
        })
      )

      /** Ends the log of records (VERI*FACTU), unless the organization connects again with the same adapter. */
      const leave = Effect.fnUntraced(function* (key: ConnectionKey, next: string | null) {
        const present = Option.filter(yield* repo.find(key), ({ adapter }) => adapter !== next)
        if (Option.isNone(present)) return
        // Settings that can no longer be decrypted must not prevent their replacement.
        const provider = yield* opened(present.value).pipe(
          Effect.catchCause((cause) => Effect.as(Effect.logWarning("a connection does not open", cause), Option.none()))
        )
        yield* Option.getOrUndefined(provider)?.books?.end ?? Effect.void
      })

      const connect: Connections["Service"]["connect"] = Effect.fn("Connections.connect")(function* (choice, actor) {
        const { organization_id, settings } = choice
        const chosen = adapters.find(({ code }) => code === choice.adapter)
        if (chosen === undefined) return yield* ValidationFailed.field("adapter", `must be ${codesOf(adapters)}.`)
        const provider = yield* chosen.connect(organization_id, settings)
        const account = yield* chosen.account(settings)
        const outage = yield* provider.check.pipe(
          Effect.as(Option.none()),
          Effect.catchTags({
            NetworkRefused: (error) => Effect.fail(ConnectionRefused.of(error)),
            NetworkUnavailable: (error) => Effect.succeedSome(error)
          })
        )
        const key = { organization_id, provider: chosen.network }
        const sealed_settings = yield* box.seal(yield* Effect.orDie(encode(settings)), placeOf(key))
        const { environment } = provider
        const updated_at = yield* now
        yield* transaction(
          Effect.gen(function* () {
            yield* leave(key, chosen.code)
            const row = { ...key, adapter: chosen.code, account, environment, sealed_settings, updated_at }
            if (Option.isNone(yield* repo.save(row))) return yield* ConnectionRefused.taken()
            yield* (provider.books?.begin ?? Effect.void).pipe(Effect.mapError((error) => ConnectionRefused.of(error)))
            const data = { provider: key.provider, adapter: chosen.code, environment }
            yield* auditLog.append({ organization_id, actor, action: "einvoicing.provider_connected", data })
          })
        )
        const health = healthOf(key)
        yield* Option.match(outage, { onNone: () => health.answered, onSome: health.failed })
        return yield* orNotFound(repo.find(key)).pipe(Effect.orDie)
      })

      const disconnect = Effect.fn("Connections.disconnect")(function* (key: ConnectionKey, actor: string) {
        const { organization_id, provider } = key
        yield* leave(key, null)
        const removed = yield* orNotFound(repo.remove(key))
        const data = { provider, adapter: removed.adapter }
        yield* auditLog.append({ organization_id, actor, action: "einvoicing.provider_disconnected", data })
        return removed
      }, transaction)

      return Connections.of({
        adapters,
        list: (organization_id) => (organization_id === undefined ? repo.list : repo.ofOrganization(organization_id)),
        connect,
        disconnect,
        find,
        openable
      })
    })
  ).pipe(Layer.provide(ConnectionsRepo.layer))
}

/** Returns the context of the encryption, so that settings can be decrypted only for their organization and network. */
export const placeOf = ({ organization_id, provider }: ConnectionKey) =>
  `provider_connection:${organization_id}:${provider}`

const codesOf = (adapters: ReadonlyArray<Adapter>) =>
  adapters.length === 0 ? "the code of an adapter, but there is none" : adapters.map(({ code }) => code).join(" or ")

const pauseOf = Effect.fnUntraced(function* ({ paused_until }: Connection) {
  if (paused_until === null) return Option.none<NetworkUnavailable>()
  const isOver = DateTime.isLessThanOrEqualTo(DateTime.makeUnsafe(paused_until), yield* DateTime.now)
  return isOver
    ? Option.none()
    : Option.some(
        new NetworkUnavailable({
          message: `The provider gets no request before ${paused_until}.`,
          is_unsent: true
        })
      )
})
