import { Effect, Option, Schema } from "effect"
import { ConnectionKey } from "../../einvoicing/providers/connections/Connection.ts"
import { placeOf } from "../../einvoicing/providers/connections/Connections.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { literal } from "../../platform/backup/Catalogue.ts"
import type { CopySession } from "../../platform/backup/CopySession.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { PreviousSecret, secretContext } from "../../webhooks/subscriptions/WebhookSecret.ts"
import { newSigningSecret } from "../../platform/crypto/WebhookSignature.ts"

/** A webhook and its encrypted secret. The driver returns `bigint` columns as text. */
const Hook = Schema.Struct({
  id: Schema.FiniteFromString,
  secret: Schema.String,
  previous_secrets: Schema.Array(PreviousSecret)
})
const Owned = Schema.Struct({ id: Schema.FiniteFromString })
const Connected = Schema.Struct({ provider: ConnectionKey.fields.provider, sealed_settings: Schema.String })

/**
 * Encrypts the secrets with this installation's key; what cannot be decrypted is deactivated or omitted. Deactivates the
 * webhooks of applications that this installation does not have.
 */
export const resealSecrets = Effect.fn("MovedSecrets.reseal")(function* (session: CopySession, id: OrganizationId) {
  const box = yield* SecretBox
  const resealed = (sealed: string, context: string) =>
    Effect.flatMap(
      box.tryOpen(sealed, context),
      Option.match({ onNone: () => Effect.succeedNone, onSome: (text) => Effect.asSome(box.seal(text, context)) })
    )

  const where = `where organization_id = ${id}`
  const left_out: Array<string> = []
  for (const hook of yield* session.rows(Hook, `select id, secret, previous_secrets from webhooks ${where}`)) {
    const context = secretContext(id, hook.id)
    const secret = yield* resealed(hook.secret, context)
    const previous = yield* Effect.forEach(hook.previous_secrets, ({ secret, until }) =>
      Effect.map(
        resealed(secret, context),
        Option.map((secret) => ({ secret, until }))
      )
    )
    const sealed = Option.getOrUndefined(secret) ?? (yield* box.seal(yield* newSigningSecret, context))
    const off = Option.isNone(secret) ? ", is_active = false" : ""
    if (off !== "") left_out.push(`secret of webhook ${hook.id}`)
    const kept = literal(JSON.stringify(previous.flatMap(Option.toArray)))
    yield* session.run(
      `update webhooks set secret = ${literal(sealed)}, previous_secrets = ${kept}${off} ${where} and id = ${hook.id}`
    )
  }

  // The applications of the source do not move, so nobody could disconnect them here.
  const of_applications = yield* session.rows(
    Owned,
    `update webhooks set is_active = false, disabled_reason = 'disconnected' ${where} and is_active
       and client_id is not null and client_id not in (select id from clients where removed_at is null) returning id`
  )
  left_out.push(...of_applications.map(({ id }) => `application of webhook ${id}`))

  const connections = `select provider, sealed_settings from provider_connections ${where}`
  for (const { provider, sealed_settings } of yield* session.rows(Connected, connections)) {
    const settings = yield* resealed(sealed_settings, placeOf({ organization_id: id, provider }))
    const chosen = `${where} and provider = ${literal(provider)}`
    if (Option.isSome(settings)) {
      yield* session.run(`update provider_connections set sealed_settings = ${literal(settings.value)} ${chosen}`)
    } else {
      left_out.push(`connection to ${provider}`)
      yield* session.run(`delete from provider_connections ${chosen}`)
    }
  }
  return left_out
})
