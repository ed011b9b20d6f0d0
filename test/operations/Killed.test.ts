import { describe, expect, it, onTestFinished } from "vitest"
import { Effect } from "effect"
import { BatchFailed } from "../../src/batch/BatchErrors.ts"
import { OperationRunner } from "../../src/operations/OperationRunner.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { here, startService } from "../support/service/Service.ts"
import { orderingOf } from "./Ordering.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
const test_ms_max = 300_000

const idsOf = (found: ReadonlyArray<{ id: number }>) => found.map(({ id }) => id).toSorted((a, b) => a - b)

const startWorker = async () => {
  const worker = await startService(await app.run(here.pipe(Effect.orDie)), {
    ROLE: "worker",
    SMTP_URL: mails.url,
    MAIL_FROM: "Invoicing <invoicing@example.com>"
  })
  onTestFinished(() => worker.kill("SIGKILL"))
  await worker.listening
  return worker
}

const notes = ["one", "two", "three", "slow", "five", "six"]
const invoicesOf = ({ body }: Books) => notes.map((note) => body({ notes: note }))

/** Makes the next creation of an invoice with the notes `slow` take three seconds. */
const pauseOnce = async () => {
  await app.inDatabase("drop sequence if exists pauses")
  await app.inDatabase("create sequence pauses")
  await app.inDatabase(`create or replace function pauses() returns trigger language plpgsql as $$ begin
    if nextval('pauses') = 1 then perform pg_sleep(3); end if; return new; end $$`)
  await app.inDatabase(`create or replace trigger pauses before insert on invoices for each row
    when (new.notes = 'slow') execute function pauses()`)
}

/** Starts another process, which need not wait 45 seconds until the lock of the killed process expires. */
const takeOver = async () => {
  await app.inDatabase("update jobs set acquired_at = acquired_at - interval '45 seconds' where state = 'pending'")
  return startWorker()
}

describe("an operation whose process is killed", () => {
  it(
    "continues in another process: each invoice is created once, and has its result",
    async () => {
      const books = await open()
      const { ended, order, reached } = orderingOf(books)
      await pauseOnce()
      const { body } = await order("/batch/invoices/create", { invoices: [...invoicesOf(books), {}] })

      const first = await startWorker()
      await reached(body.data.id, "is in the middle", ({ done }) => done === 3)
      first.kill("SIGKILL")
      await first.ended
      expect((await books.call("GET", "/invoices")).body.meta.total).toBe(3)
      await takeOver()

      const done = await ended(body.data.id)
      expect(done).toMatchObject({ status: "completed", total: 7, done: 7, failed: 1 })
      const made = done.results.slice(0, 6).map(({ data }: { data: { id: number; notes: string } }) => data)
      expect(made.map((invoice: { notes: string }) => invoice.notes)).toEqual(notes)
      const { body: all } = await books.call("GET", "/invoices")
      expect(idsOf(all.data)).toEqual(idsOf(made))
    },
    test_ms_max
  )

  it(
    "is taken over for good, although the process goes on later: each invoice is created once",
    async () => {
      const books = await open()
      const { ended, order, reached } = orderingOf(books)
      await pauseOnce()
      const { body } = await order("/batch/invoices/create", { invoices: invoicesOf(books) })

      const first = await startWorker()
      await reached(body.data.id, "is in the middle", ({ done }) => done === 3)
      first.kill("SIGSTOP")
      await takeOver()
      const done = await ended(body.data.id)
      // On a slow machine, the database has already ended the transaction of the stopped process.
      const waiting = await app.inDatabase(`select pid from pg_stat_activity where datname = current_database()
        and state = 'idle in transaction' and state_change < now() - interval '2 seconds'`)
      first.kill("SIGCONT")
      const hasBegun = () => (first.output().includes("has begun") ? true : undefined)
      if (waiting.length > 0) await until("the end of the first run", hasBegun)

      const made = done.results.map(({ data }: { data: { id: number } }) => data)
      const { body: all } = await books.call("GET", "/invoices")
      expect(idsOf(all.data)).toEqual(idsOf(made))
      expect(await app.inDatabase("select from operation_items")).toEqual([])
    },
    test_ms_max
  )

  it(
    "mails no document twice, and reports documents for which sending is uncertain",
    async () => {
      const books = await open()
      const { draftsTo, ended, order } = orderingOf(books)
      const held = ["held1@beta.example", "held2@beta.example", "held3@beta.example", "held4@beta.example"]
      const addresses = ["a@beta.example", "b@beta.example", ...held, "c@beta.example", "d@beta.example"]
      const invoice_ids = await draftsTo(...addresses)
      const { body } = await order("/batch/invoices/send", { invoice_ids, attach_pdf: false })

      const first = await startWorker()
      await until("all that is held", () => (mails.held() === held.length ? true : undefined))
      first.kill("SIGKILL")
      await first.ended
      mails.release()
      await takeOver()

      const done = await ended(body.data.id)
      expect(done).toMatchObject({ status: "completed", total: 8, done: 8, failed: 0 })
      const states = done.results.map(
        ({ data }: { data: { deliveries: [{ status: string }] } }) => data.deliveries[0].status
      )
      // The kill may have cut off a message that was held. The next process sends it again, and the mail server then
      // accepts it.
      const heldStates: ReadonlyArray<string> = states.splice(2, held.length)
      expect(heldStates).toContain("unknown")
      expect(heldStates.filter((state) => !["unknown", "accepted"].includes(state))).toEqual([])
      expect(states).toEqual(["accepted", "accepted", "accepted", "accepted"])
      // A message with the state "unknown" may have been cut off, so it may also be missing.
      const certain = addresses.filter((address) => heldStates[held.indexOf(address)] !== "unknown")
      const received = mails.received.map(({ to }) => to)
      expect(new Set(received).size).toBe(received.length)
      expect(received).toEqual(expect.arrayContaining(certain))
      expect(addresses).toEqual(expect.arrayContaining(received))
    },
    test_ms_max
  )

  it("fails with its job in the last attempt, and the next operation starts", async () => {
    const books = await open()
    const { operation, order } = orderingOf(books)
    const orderOne = async () => (await order("/batch/invoices/create", { invoices: [books.body()] })).body.data.id
    const [dead, next] = [await orderOne(), await orderOne()]
    const traceOf = async (id: number) =>
      (await app.inDatabase(`select split_part(traceparent, '-', 2) as trace_id from operations where id = ${id}`))[0]
    const jobsOf = (id: number) =>
      app.inDatabase(`select state, split_part(element::json ->> 'traceparent', '-', 2) as trace_id from jobs
        where queue_name = 'operations.batch_create' and id = '${id}'`)
    // While a request's own job is enqueued, both have the trace of the request.
    expect(await jobsOf(dead)).toEqual([{ state: "pending", ...(await traceOf(dead)) }])
    expect(await traceOf(next)).not.toEqual(await traceOf(dead))
    expect(await jobsOf(next)).toEqual([])
    await app.inDatabase(
      `update jobs set state = 'failed' where queue_name = 'operations.batch_create' and id = '${dead}'`
    )
    await app.inDatabase(`update operations set created_at = now() - interval '2 minutes' where id = ${dead}`)
    const work = { kind: "batch_create", results: "list", refusals: BatchFailed, run: () => Effect.void } as const
    await app.run(
      OperationRunner.use(({ endAbandoned }) => endAbandoned(work)).pipe(Effect.provide(OperationRunner.layer))
    )
    expect(await operation(dead)).toMatchObject({ status: "failed", error: { code: "server_error" }, results: null })
    expect((await operation(next)).status).toBe("queued")
    // The trace of its job links to its own request, not to the work after which it was enqueued.
    expect(await jobsOf(next)).toEqual([{ state: "pending", ...(await traceOf(next)) }])
  })
})
