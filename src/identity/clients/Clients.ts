import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import { ClientId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { hashToken, newToken, sameSecret } from "../../platform/crypto/Opaque.ts"
import { Database } from "../../platform/sql/Database.ts"
import { ClientWebhooks } from "../ClientWebhooks.ts"
import { InvalidClient } from "../OAuthErrors.ts"
import { covers, mobileScopes } from "../Scope.ts"
import { type Client, type ClientChanges, type ClientDraft, every_scope_refused, mayHaveScopes } from "./Client.ts"
import { ClientsRepo } from "./ClientsRepo.ts"

/** The secret is shown once; only its hash is stored. */
interface CreatedClient {
  readonly client: Client
  readonly secret: Option.Option<Redacted.Redacted>
}

/** Credentials with which a request proves which client sent it (RFC 6749, 2.3.1). */
export interface ClientCredentials {
  readonly client_id: string
  readonly client_secret: string | undefined
}

const decodeId = Schema.decodeUnknownOption(ClientId)

export const client_secret_prefix = "ocs"
const newSecret = newToken(client_secret_prefix)

export class Clients extends Context.Service<
  Clients,
  {
    readonly create: (draft: ClientDraft) => Effect.Effect<CreatedClient>
    readonly list: (request: PageRequest) => Effect.Effect<PageRows<Client>>
    readonly find: (client_id: string) => Effect.Effect<Option.Option<Client>>
    /**
     * If the client loses scopes, its access tokens with these scopes expire, and a renewal gives it tokens without
     * them. A client that loses `webhooks:write` also loses its webhooks, which are deactivated.
     */
    readonly update: (id: ClientId, changes: ClientChanges) => Effect.Effect<Client, NotFound | ValidationFailed>
    /** The old secret stops working immediately. Fails with NotFound for a public client, which has no secret. */
    readonly rotateSecret: (id: ClientId) => Effect.Effect<Redacted.Redacted, NotFound>
    /** Also revokes all tokens and codes of the client, and deactivates its webhooks. */
    readonly remove: (id: ClientId) => Effect.Effect<Client, NotFound>
    readonly authenticate: (credentials: ClientCredentials) => Effect.Effect<Client, InvalidClient>
  }
>()("invoicing/identity/clients/Clients") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ClientsRepo
      const webhooks = yield* ClientWebhooks
      const { transaction } = yield* Database

      const create = Effect.fn("Clients.create")(function* ({ confidential, ...draft }: ClientDraft) {
        const secret = confidential ? Option.some(yield* newSecret) : Option.none()
        const client = yield* repo.insert({
          id: ClientId.make(SecureRandom.uuidV4Unsafe()),
          password_grant: false,
          scopes: mobileScopes,
          ...draft,
          secret_hash: Option.match(secret, { onNone: () => null, onSome: hashToken })
        })
        return { client, secret: Option.map(secret, (text) => Redacted.make(text)) }
      })

      const list = Effect.fn("Clients.list")(function* (request: PageRequest) {
        const rows = yield* repo.list({ limit: limitOf(request), offset: offsetOf(request) })
        return { rows, total: (yield* repo.count()).total }
      })

      const find = Effect.fn("Clients.find")(function* (client_id: string) {
        const id = decodeId(client_id)
        return Option.isNone(id) ? Option.none() : yield* repo.find(id.value)
      })

      const update = Effect.fn("Clients.update")(function* (id: ClientId, changes: ClientChanges) {
        // This lock comes first, because every change of a user's tokens takes it before any other lock.
        if (changes.scopes !== undefined) yield* repo.lockUsers(id)
        const current = yield* orNotFound(repo.lock(id))
        const client = { ...current, ...changes }
        if (!mayHaveScopes(client)) return yield* ValidationFailed.field("scopes", every_scope_refused)
        if (!covers(client.scopes, current.scopes)) yield* repo.expireAccess(client)
        if (makesWebhooks(current) && !makesWebhooks(client))
          yield* webhooks.deactivate({ user_id: null, client_id: id, organization_id: null })
        return yield* repo.save(client)
      }, transaction)

      const rotateSecret = Effect.fn("Clients.rotateSecret")(function* (id: ClientId) {
        const secret = yield* newSecret
        yield* orNotFound(repo.setSecret({ id, secret_hash: hashToken(secret) }))
        return Redacted.make(secret)
      })

      const remove = Effect.fn("Clients.remove")(function* (id: ClientId) {
        // As in an update, the users are locked first.
        yield* repo.lockUsers(id)
        // This update waits for logins at the client that are in progress. Later logins find the client removed.
        const removed = yield* orNotFound(repo.remove(id))
        yield* repo.revokeAll(id)
        yield* webhooks.deactivate({ user_id: null, client_id: id, organization_id: null })
        return removed
      }, transaction)

      const authenticate = Effect.fn("Clients.authenticate")(function* (credentials: ClientCredentials) {
        const id = decodeId(credentials.client_id)
        const known = Option.isNone(id) ? Option.none() : yield* repo.findWithSecret(id.value)
        if (Option.isNone(known)) return yield* InvalidClient.of()
        const { secret_hash, ...client } = known.value
        if (!provesItself(secret_hash, credentials.client_secret)) return yield* InvalidClient.of()
        return client
      })

      return Clients.of({ create, list, find, update, rotateSecret, remove, authenticate })
    })
  ).pipe(Layer.provide(ClientsRepo.layer))
}

const makesWebhooks = ({ scopes }: Client) => covers(scopes, ["webhooks:write"])

/** A secret that is sent for a public client, which has none, is a mistake or an attack. */
const provesItself = (secret_hash: Uint8Array | null, secret: string | undefined): boolean =>
  secret_hash === null || secret === undefined
    ? secret_hash === null && secret === undefined
    : sameSecret(secret_hash, hashToken(secret))
