import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { purge } from "../../platform/sql/statements/Purge.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { Lease } from "./DocumentSendsRepo.ts"

/** Number of seconds after which a lease that was not renewed expires, because its sender is presumed dead. */
export const sending_seconds = 20

export class SendLeasesRepo extends Context.Service<SendLeasesRepo>()("invoicing/billing/sending/SendLeasesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const begin = SqlSchema.findOneOption({
      Request: Lease,
      Result: Schema.Struct({ holder: Schema.String }),
      execute: ({ document, document_id, holder, organization_id }) => sql`
          insert into document_sendings as s (organization_id, document, document_id, holder, expires_at)
          values (${organization_id}, ${document}, ${document_id}, ${holder},
            now() + ${sending_seconds} * interval '1 second')
          on conflict (organization_id, document, document_id) do update set
            holder = excluded.holder, expires_at = excluded.expires_at
          where s.expires_at < now()
          returning holder`
    })

    const renew = SqlSchema.findOneOption({
      Request: Lease,
      Result: Schema.Struct({ holder: Schema.String }),
      execute: ({ document, document_id, holder, organization_id }) => sql`
          update document_sendings set expires_at = now() + ${sending_seconds} * interval '1 second'
          where organization_id = ${organization_id} and document = ${document}
            and document_id = ${document_id} and holder = ${holder}
          returning holder`
    })

    const end = SqlSchema.void({
      Request: Lease,
      execute: ({ document, document_id, holder, organization_id }) => sql`
          delete from document_sendings where organization_id = ${organization_id} and document = ${document}
            and document_id = ${document_id} and holder = ${holder}`
    })

    return {
      ...traced("SendLeasesRepo", {
        /** Returns none when another process is sending the document. */
        begin,
        /** Returns none when another process has taken the lease over. */
        renew,
        end
      }),
      /** Removes expired leases, which crashed senders left behind. */
      purge: purge(sql, "document_sendings", "organization_id, document, document_id", sql`expires_at < now()`)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
