import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { installationKeys } from "../../platform/crypto/InstallationKeys.ts"

const Sealed = Schema.Struct({ key: Schema.String, secrets: Schema.Int })

/** A sealed secret reads `v1.<key id>.<content>`. The statement is about the installation, so it names no organization. */
const sealedSecrets = Effect.map(SqlClient.SqlClient, (sql) =>
  SqlSchema.findAll({
    Request: Schema.Void,
    Result: Sealed,
    execute: () => sql`
      select split_part(sealed, '.', 2) as key, count(*)::integer as secrets from (
        select secret as sealed from webhooks
        union all select sealed_settings from provider_connections
        union all select sealed_secret from second_factors) as sealed
      group by key order by key`
  })
)

/**
 * Says at the start that secrets were sealed with a key that SECRET_KEY does not hold. Such a process answers requests,
 * but sends no webhook, reaches no provider, and lets nobody with a second step log in: better known at once than later.
 */
export const KeyNotice = Layer.effectDiscard(
  Effect.gen(function* () {
    const { secret_keys } = yield* installationKeys
    const found = yield* (yield* sealedSecrets)()
    const unknown = found.filter(({ key }) => !secret_keys.includes(key))
    for (const { key, secrets } of unknown) {
      yield* Effect.logError(
        `SECRET_KEY has no key with the id ${key}, and ${secrets} stored secrets cannot be opened: ` +
          "their webhooks, connections to providers and second steps fail. Stop the service, and set the former key."
      )
    }
  }).pipe(
    // A database that fails right now must not end a process that already listens.
    Effect.catchCause((cause) => Effect.logWarning("the keys of stored secrets were not compared", cause))
  )
)
