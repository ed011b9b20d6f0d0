import { describe, expect, it, onTestFinished } from "vitest"
import { Effect } from "effect"
import { useBilling } from "../support/Billing.ts"
import { here, startService } from "../support/Service.ts"
import { orderingOf } from "./Ordering.ts"

const { app, open } = useBilling()
const test_ms_max = 300_000

const idsOf = (found: ReadonlyArray<{ id: number }>) => found.map(({ id }) => id).toSorted((a, b) => a - b)

const startWorker = async () => {
  const worker = await startService(await app.run(here.pipe(Effect.orDie)), { ROLE: "worker" })
  onTestFinished(() => worker.kill("SIGKILL"))
  await worker.listening
  return worker
}

describe("an operation whose process is killed", () => {
  it(
    "goes on where it was, in another process: each invoice is made once, and has its result",
    async () => {
      const books = await open()
      const { ended, order, reached } = orderingOf(books)
      await app.inDatabase("create sequence pauses")
      await app.inDatabase(`create function pauses() returns trigger language plpgsql as $$ begin
        if nextval('pauses') = 1 then perform pg_sleep(3); end if; return new; end $$`)
      await app.inDatabase(`create trigger pauses before insert on invoices for each row
        when (new.notes = 'slow') execute function pauses()`)
      const notes = ["one", "two", "three", "slow", "five", "six"]
      const invoices = notes.map((note) => books.body({ notes: note }))
      const { body } = await order("/batch/invoices/create", { invoices: [...invoices, {}] })

      const first = await startWorker()
      await reached(body.data.id, "is in the middle", ({ done }) => done === 3)
      first.kill("SIGKILL")
      await first.ended
      expect((await books.call("GET", "/invoices")).body.meta.total).toBe(3)
      // In place of the 45 seconds after which a killed process's job is taken over.
      await app.inDatabase("update jobs set acquired_at = acquired_at - interval '45 seconds' where state = 'pending'")
      await startWorker()

      const done = await ended(body.data.id)
      expect(done).toMatchObject({ status: "completed", total: 7, done: 7, failed: 1 })
      const made = done.results.slice(0, 6).map(({ data }: { data: { id: number; notes: string } }) => data)
      expect(made.map((invoice: { notes: string }) => invoice.notes)).toEqual(notes)
      const { body: all } = await books.call("GET", "/invoices")
      expect(idsOf(all.data)).toEqual(idsOf(made))
    },
    test_ms_max
  )
})
