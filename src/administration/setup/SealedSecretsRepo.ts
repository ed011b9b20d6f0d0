import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { traced } from "../../platform/sql/Traced.ts"

const Sealed = Schema.Struct({ key: Schema.String, secrets: Schema.Int })
const SignedProof = Schema.Struct({ record: Schema.String, signature: Schema.String })

/** Maximum number of signed proof results to check at the start. With a wrong key, the first one already fails. */
const proofs_max = 100

/** The SQL statements name no organization, because the keys belong to the whole installation. */
export class SealedSecretsRepo extends Context.Service<SealedSecretsRepo>()(
  "invoicing/administration/setup/SealedSecretsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** An encrypted secret is stored as `v1.<key id>.<content>`. */
      const countByKey = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Sealed,
        execute: () => sql`
          select split_part(sealed, '.', 2) as key, count(*)::integer as secrets from (
            select secret as sealed from webhooks
            union all select sealed_settings from provider_connections
            union all select sealed_secret from second_factors) as sealed
          group by key order by key`
      })

      const proofs = SqlSchema.findAll({
        Request: Schema.Void,
        Result: SignedProof,
        execute: () => sql`
          select record, signature from archive_proofs order by organization_id limit ${proofs_max}`
      })

      return traced("SealedSecretsRepo", { countByKey, proofs })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
