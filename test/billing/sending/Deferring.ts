import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { MailRetries } from "../../../src/billing/mail-retries/MailRetries.ts"
import type { App } from "../../support/App.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import type { Books } from "../../support/Billing.ts"
import { until } from "../../support/counterparts/Receiver.ts"

export const to = (...recipients: ReadonlyArray<string>) => ({
  recipients,
  attach_pdf: false,
  message: "Thank you all."
})

export const accepted = (recipient: string) => ({ recipient, status: "accepted" })

export const pending = (recipient: string, error = "451 greylisted, come back later") => ({
  recipient,
  status: "pending",
  code: "temporarily_refused",
  error,
  retry_at: expect.stringMatching(/Z$/)
})

/** While `work` runs, every update of the table fails if its row belongs to the organization and meets the condition. */
export const whileFailing = async <A>(
  app: App,
  id: Books["id"],
  [table, condition]: readonly [table: string, condition: string],
  work: () => Promise<A>
): Promise<A> => {
  await app.inDatabase(`create or replace function fails() returns trigger language plpgsql
    as $$ begin raise 'broken'; end $$`)
  await app.inDatabase(`create trigger fails before update on ${table} for each row
    when (new.organization_id = ${id} and ${condition}) execute function fails()`)
  try {
    return await work()
  } finally {
    await app.inDatabase(`drop trigger fails on ${table}`)
  }
}

/** Looks for deferred messages of an organization, as the service does every minute, and reads what became of them. */
export const deferring = (app: App, id: Books["id"]) => {
  /** Number of messages whose attempt is due, or is not concluded yet. */
  const openAttempts = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`
      select from document_mails where organization_id = ${id} and retry_at < now() + interval '4 minutes'
      union all select from document_sends where organization_id = ${id} and finished_at is null`
    return rows.length
  })

  const enqueueDue = () =>
    app.run(Effect.flatMap(MailRetries, ({ enqueueDue }) => enqueueDue).pipe(Effect.provide(MailRetries.layer)))

  const makeDue = () =>
    app.inDatabase(`update document_mails set retry_at = now() where organization_id = ${id} and state = 'deferred'`)

  const concluded = () =>
    until("the next attempt", async () => ((await app.run(openAttempts)) === 0 ? true : undefined))

  /** Makes the next attempts due, and waits until the service has made and recorded them. */
  const nextAttempt = async () => {
    await makeDue()
    await enqueueDue()
    await concluded()
  }

  const events = async () => (await app.run(verifiedAuditLog(id))).events
  const actions = async () => (await app.run(verifiedAuditLog(id))).entries.map(({ action }) => action)

  return { enqueueDue, makeDue, nextAttempt, concluded, events, actions }
}
