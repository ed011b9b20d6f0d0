import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { purgeDocumentLinks } from "../../../src/billing/sending/DocumentLinksPurge.ts"
import { useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

describe("the purge of document links", () => {
  it("removes those nobody got, 90 days after they expired, and the marks of senders that died", async () => {
    const books = await open()
    const left = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const link = (name: string, expired_days: number, delivered: boolean) => sql`
          insert into document_links (hash, organization_id, document, document_id, recipient, expires_at, delivered_at)
          values (${new TextEncoder().encode(name)}, ${books.id}, 'invoice', 1, ${name},
            now() - make_interval(days => ${expired_days}), ${delivered ? "2020-01-01" : null}::timestamptz)`
        yield* link("refused, long ago", 91, false)
        yield* link("refused, lately", 89, false)
        yield* link("delivered", 400, true)
        yield* sql`insert into document_sendings values
          (${books.id}, 'invoice', 1, 'dead', now() - interval '1 second'),
          (${books.id}, 'invoice', 2, 'alive', now() + interval '1 minute')`
        expect(yield* purgeDocumentLinks()).toEqual({ links: 1, sendings: 1 })
        return {
          links: yield* sql`select recipient from document_links order by id`,
          sendings: yield* sql`select holder from document_sendings`
        }
      })
    )
    expect(left.links).toEqual([{ recipient: "refused, lately" }, { recipient: "delivered" }])
    expect(left.sendings).toEqual([{ holder: "alive" }])
  })
})
