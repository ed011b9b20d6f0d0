import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { purgeDocumentLinks } from "../../../src/billing/sending/DocumentLinksPurge.ts"
import { useBilling } from "../../support/Billing.ts"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const { app, open } = useBilling()

describe("the purge of document links", () => {
  it("removes links that were never delivered 90 days after they expired, the leases of dead senders, and sends of a month ago", async () => {
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
        for (const [index, days] of [31, 29].entries()) {
          yield* sql`
            with send as (
              insert into document_sends (organization_id, document, document_id, operation, created_at)
              values (${books.id}, 'invoice', ${index}, 'once', now() - make_interval(days => ${days}))
              returning organization_id, id)
            insert into document_mails (organization_id, send_id, position, recipient, message_id, state, inherited)
            select organization_id, id, 0, ${`${days} days ago`}, 'a@b', 'unknown', false from send`
        }
        expect(yield* purgeDocumentLinks()).toEqual({ links: 1, sendings: 1, sends: 1 })
        return {
          links: yield* sql`select recipient from document_links order by id`,
          sendings: yield* sql`select holder from document_sendings`,
          mails: yield* sql`select recipient from document_mails`
        }
      })
    )
    expect(left.links).toEqual([{ recipient: "refused, lately" }, { recipient: "delivered" }])
    expect(left.sendings).toEqual([{ holder: "alive" }])
    expect(left.mails).toEqual([{ recipient: "29 days ago" }])
  })
})

it("keeps messages as files in the outbox when no mail server is configured", async () => {
  const books = await open()
  const { id } = await books.draft()
  const sent = await books.made("POST", `/invoices/${id}/send`, { recipients: "a@beta.eu", attach_pdf: "1" })
  expect(sent).toMatchObject({ status: "sent", deliveries: [{ recipient: "a@beta.eu", status: "accepted" }] })
  const folder = join(app.dataDir, "outbox")
  const [name = "", ...others] = readdirSync(folder)
  expect([name.endsWith(".eml"), others]).toEqual([true, []])
  const text = readFileSync(join(folder, name), "utf8")
  expect(text).toMatch(/^To: a@beta\.eu\r$/m)
  expect(text).toContain("filename=INV-2026-0001.pdf")
})
