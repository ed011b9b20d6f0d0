import { expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifiedAuditLog } from "../../../support/AuditLog.ts"
import { testDatabase } from "../../../support/database/Postgres.ts"
import { receiptHeic } from "../../../support/files/PrintedReceipt.ts"
import { seedOrganization } from "../../../support/database/Seed.ts"
import { here, service } from "../../../support/service/Service.ts"

/** Generous time limit for a busy machine; an idle machine takes ten seconds for the whole test. */
const patience = "2 minutes"
const answer_ms_max = 20_000
const test_duration_max_ms = 300_000

const until = <A, E, R>(ask: Effect.Effect<A | undefined, E, R>) =>
  ask.pipe(
    Effect.filterOrFail(
      (answer) => answer !== undefined,
      () => "not yet" as const
    ),
    Effect.retry({ schedule: Schedule.spaced("25 millis") }),
    Effect.timeout(patience)
  )

it.layer(testDatabase, { excludeTestServices: true })("a process that is killed while it reads a receipt", (it) => {
  it.effect(
    "leaves it to the next process, which completes it once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const dataDir = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "invoicing-killed-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
        )
        const { id, owner } = yield* seedOrganization({ country: "DE" })
        const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }

        const variables = { DATA_DIR: dataDir, OCR_PROCESSES: "1" }
        const first = yield* service(yield* here, variables)
        const form = new FormData()
        form.set("receipt", new Blob([Uint8Array.from(receiptHeic)]), "IMG_0001.HEIC")
        const uploaded = yield* Effect.promise(() =>
          fetch(`${first.url}/api/v1/expenses/upload-receipt`, {
            method: "POST",
            headers,
            body: form,
            signal: AbortSignal.timeout(answer_ms_max)
          })
        )
        expect(uploaded.status).toBe(202)
        const { data } = yield* Effect.promise(() => uploaded.json() as Promise<{ data: { poll_url: string } }>)
        const attempts = Effect.map(
          sql<{
            attempts: number
          }>`select attempts from jobs where queue_name = 'receipts.ocr' and acquired_by is not null`,
          ([job]) => job?.attempts
        )
        yield* until(attempts)
        first.kill("SIGKILL")
        yield* Effect.promise(() => first.ended)
        const [left] = yield* sql<{ status: string }>`select status from receipts`
        expect(left?.status).toBe("processing")

        // The test does not wait until the lock of the killed process expires.
        yield* sql`update jobs set acquired_at = acquired_at - interval '1 minute' where queue_name = 'receipts.ocr'`
        const second = yield* service(yield* here, variables)
        const receipt = yield* until(
          Effect.promise(async () => {
            const answer = await fetch(second.url + data.poll_url, {
              headers,
              signal: AbortSignal.timeout(answer_ms_max)
            })
            return answer.status === 200 ? answer.json() : undefined
          })
        )
        expect(receipt).toMatchObject({ data: { error: null, fields: { amount: "25.26" } } })
        const { entries } = yield* verifiedAuditLog(id)
        // A checkpoint of the archive may come between the two entries.
        const actions = entries.map(({ action }) => action).filter((action) => action !== "archive.checkpoint")
        expect(actions).toEqual(["receipt.uploaded", "receipt.processed"])
        const jobs = yield* sql<{ attempts: number; state: string }>`
          select attempts, state from jobs where queue_name = 'receipts.ocr'`
        expect(jobs).toEqual([{ attempts: 2, state: "completed" }])
      }),
    test_duration_max_ms
  )
})
