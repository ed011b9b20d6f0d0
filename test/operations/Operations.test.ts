import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { OperationRunner } from "../../src/operations/OperationRunner.ts"
import { importer, openAccount, table } from "../banking/Books.ts"
import { useBilling } from "../support/Billing.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"
import { orderingOf } from "./Ordering.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })

const opened = async () => {
  const books = await open()
  return { books, ...orderingOf(books) }
}

/** Makes the first inserts into a table fail as if the disk were full. */
const failFirst = async (table: string, count: number) => {
  await app.inDatabase(`create sequence failures_of_${table}`)
  await app.inDatabase(`create function fail_first_of_${table}() returns trigger language plpgsql as $$ begin
    if nextval('failures_of_${table}') <= ${count} then raise 'no space' using errcode = 'disk_full'; end if;
    return new; end $$`)
  await app.inDatabase(`create trigger fail_first before insert on ${table} for each row
    execute function fail_first_of_${table}()`)
}

/** Results without the values that differ between two equal batches. */
const shapeOf = (results: ReadonlyArray<{ readonly data: object | null }>) =>
  results.map(({ data, ...result }) => ({ ...result, id: null, data: data === null ? null : Object.keys(data) }))

describe("Prefer: respond-async", () => {
  it("answers a batch of new invoices with 202 and an operation, which ends with the batch results", async () => {
    const { books, ended, order } = await opened()
    const invoices = [{ ...books.body(), external_id: "A-1" }, {}, books.body({ notes: "second" })]
    const { body, headers, status } = await order("/batch/invoices/create", { invoices })
    expect([status, headers.get("location"), headers.get("preference-applied")]).toEqual([
      202,
      `/api/v1/operations/${body.data.id}`,
      "respond-async"
    ])
    expect(body.data).toMatchObject({ kind: "batch_create", total: 3, results: null, error: null, completed_at: null })
    const done = await ended(body.data.id)
    expect(done).toMatchObject({ status: "completed", total: 3, done: 3, failed: 1, error: null })
    expect(done.results[0].data).toEqual(await books.invoice(done.results[0].id))
    // Removes the external id, because no two invoices may have the same one.
    await books.made("PUT", `/invoices/${done.results[0].id}`, { external_id: null })
    const synchronous = await books.call("POST", "/batch/invoices/create", { invoices })
    expect(shapeOf(done.results)).toEqual(shapeOf(synchronous.body.data.results))
    const { body: list } = await books.call("GET", "/operations?kind=batch_create&status=completed")
    const { results: _, ...listed } = done
    expect([list.meta.total, list.data]).toEqual([1, [listed]])
  })

  it("can be combined with amounts=string, in any notation, and is ignored within quotes", async () => {
    const { books, ended } = await opened()
    const create = (prefer: string, body: object = { invoices: [books.body()] }) =>
      books.call("POST", "/batch/invoices/create", body, { headers: { prefer } })
    const both = await create("amounts=string, Respond-Async; wait=10")
    expect([both.status, both.headers.get("preference-applied")]).toEqual([202, "respond-async, amounts=string"])
    const { id } = await ended(both.body.data.id)
    const asText = await books.call("GET", `/operations/${id}`, undefined, { headers: { prefer: "amounts=string" } })
    expect(asText.body.data.results[0].data.total).toBe("121.00")
    for (const prefer of ['note="a, respond-async, b"', "respond-asynchronous", "wait=10"]) {
      expect([prefer, (await create(prefer)).status]).toEqual([prefer, 201])
    }
    expect((await create("respond-async", { invoices: [] })).body.code).toBe("validation_failed")
    const many = { invoices: Array.from({ length: 101 }, () => ({})) }
    expect((await create("respond-async", many)).body.code).toBe("batch_too_large")
  })

  it("fails a batch in which nothing succeeds, with the refusal and each result", async () => {
    const { books, ended, order } = await opened()
    const each = await order("/batch/invoices/create", { invoices: [{}, {}] })
    const failed = await ended(each.body.data.id)
    expect(failed).toMatchObject({ status: "failed", done: 2, failed: 2, error: { code: "batch_failed" } })
    expect(failed.results[1].error.code).toBe("validation_failed")
    const atomic = await order("/batch/invoices/create", { invoices: [books.body(), {}], atomic: true })
    const undone = await ended(atomic.body.data.id)
    expect(undone).toMatchObject({ status: "failed", done: 2, failed: 2, error: { code: "batch_failed" } })
    expect(undone.results.map(({ http_status }: { http_status: number }) => http_status)).toEqual([424, 422])
    expect((await books.call("GET", "/invoices")).body.meta.total).toBe(0)
  })

  it("repeats an invoice that the database could not store for now, and goes on with the following ones", async () => {
    const books = await open()
    const { ended, order } = orderingOf(books)
    await failFirst("invoices", 1)
    const notes = ["first", "second", "last"]
    const { body } = await order("/batch/invoices/create", {
      invoices: notes.map((note) => books.body({ notes: note }))
    })
    const done = await ended(body.data.id)
    expect(done).toMatchObject({ status: "completed", done: 3, failed: 0 })
    expect(done.results.map(({ data }: { data: { notes: string } }) => data.notes)).toEqual(notes)
    expect((await books.call("GET", "/invoices")).body.meta.total).toBe(3)
  }, 60_000)

  it("reports an invoice that a person is sending as failed, and does not mail it a second time", async () => {
    const { books, draftsTo, ended, order } = await opened()
    const [id] = await draftsTo("held@beta.example")
    const sending = books.call("POST", `/invoices/${id}/send`, { attach_pdf: false })
    await until("the mail that is held", () => (mails.held() === 1 ? true : undefined))
    const { body } = await order("/batch/invoices/send", { invoice_ids: [id], attach_pdf: false })
    const done = await ended(body.data.id)
    expect(done.results).toMatchObject([{ status: "failed", http_status: 409, error: { code: "send_in_progress" } }])
    mails.release()
    expect((await sending).status).toBe(200)
    expect(mails.received).toHaveLength(1)
  })

  it("reports sent invoices as sent, although their results could not be stored for now", async () => {
    const { draftsTo, ended, order } = await opened()
    await failFirst("operation_items", 1)
    const invoice_ids = await draftsTo("a@beta.example", "held@beta.example", "b@beta.example")
    const { body } = await order("/batch/invoices/send", { invoice_ids, attach_pdf: false })
    await until("the mail that is held", () => (mails.held() === 1 ? true : undefined))
    mails.release()
    expect(await ended(body.data.id)).toMatchObject({ status: "completed", done: 3, failed: 0 })
    expect(mails.received).toHaveLength(3)
  })

  it("sends an invoice later whose send could not be stored for now, and each invoice once", async () => {
    const { draftsTo, ended, order } = await opened()
    await failFirst("document_sends", 1)
    const invoice_ids = await draftsTo("a@beta.example", "b@beta.example")
    const { body } = await order("/batch/invoices/send", { invoice_ids, attach_pdf: false })
    expect(await ended(body.data.id)).toMatchObject({ status: "completed", done: 2, failed: 0 })
    expect(mails.received.map(({ to }) => to).toSorted()).toEqual(["a@beta.example", "b@beta.example"])
  })

  it("reports the progress of a batch of mails while it runs", async () => {
    const { draftsTo, ended, order, reached } = await opened()
    const held = ["held1@beta.example", "held2@beta.example"]
    const invoice_ids = await draftsTo("a@beta.example", ...held, "b@beta.example")
    const { body } = await order("/batch/invoices/send", { invoice_ids: [...invoice_ids, 999_999], attach_pdf: false })
    const running = await reached(body.data.id, "has sent what it can", ({ done }) => done === 3)
    expect(running).toMatchObject({ status: "running", total: 5, done: 3, failed: 1, results: null })
    await until("both that are held", () => (mails.atOnce() === 2 ? true : undefined))
    mails.release()
    const done = await ended(body.data.id)
    expect(done).toMatchObject({ status: "completed", done: 5, failed: 1 })
    expect(done.results.map(({ id }: { id: number }) => id)).toEqual([...invoice_ids, 999_999])
    expect(done.results[1].data).toMatchObject({ status: "sent", deliveries: [{ status: "accepted" }] })
    expect(mails.received).toHaveLength(4)
  })

  it("imports a statement in the background, and ends with its session or its refusal", async () => {
    const { books, ended } = await opened()
    const account = await openAccount(app, books.id)
    const upload = async (content: string, fields: Readonly<Record<string, string>> = {}) => {
      const { data, status } = await importer(app, books)(account, content, fields, undefined, {
        prefer: "respond-async"
      })
      expect([status, data.kind, data.total]).toEqual([202, "statement_import", 1])
      return ended(data.id)
    }
    const statement = table(["2026-01-05", "-3,00"], ["2026-01-06", "4,50"])
    const taken = await upload(statement, { mapping: '{"delimiter":";"}', format: "csv" })
    expect(taken).toMatchObject({
      status: "completed",
      done: 1,
      failed: 0,
      results: { imported: 2, filename: "jan.txt" }
    })
    expect((await upload(statement)).results).toMatchObject({ duplicate_file: true, imported: 0 })
    expect(await upload("nothing")).toMatchObject({
      status: "failed",
      done: 1,
      failed: 1,
      results: null,
      error: { code: "invalid_statement", details: { line: 1, headers: ["nothing"] } }
    })
    const [kept] = await app.inDatabase(`select count(file) + count(input) as kept from operations
      where organization_id = ${books.id}`)
    expect(kept).toEqual({ kept: 0 })
    const archived = await openAccount(app, books.id, { status: "archived" })
    const refused = await importer(app, books)(archived, statement, {}, undefined, { prefer: "respond-async" })
    expect(refused.body.code).toBe("bank_account_archived")
  })

  it("orders one operation for an Idempotency-Key", async () => {
    const { books } = await opened()
    const send = () =>
      books.call(
        "POST",
        "/batch/invoices/create",
        { invoices: [books.body()] },
        { headers: { prefer: "respond-async", "idempotency-key": "once" } }
      )
    const [first, second] = [await send(), await send()]
    expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
    expect(second.headers.get("location")).toBe(first.headers.get("location"))
    expect((await books.call("GET", "/operations")).body.meta.total).toBe(1)
  })
})

describe("operations of an organization", () => {
  it("take turns with those of others: one runs, and the next one is queued", async () => {
    const [slow, other] = [await opened(), await opened()]
    const [invoice_id] = await slow.draftsTo("held@beta.example")
    const first = await slow.order("/batch/invoices/send", { invoice_ids: [invoice_id], attach_pdf: false })
    const next = await slow.order("/batch/invoices/create", { invoices: [slow.books.body()] })
    await until("the mail that is held", () => (mails.atOnce() === 1 ? true : undefined))
    const quick = await other.order("/batch/invoices/create", { invoices: [other.books.body()] })
    await other.ended(quick.body.data.id)
    expect((await slow.operation(first.body.data.id)).status).toBe("running")
    expect((await slow.operation(next.body.data.id)).status).toBe("queued")
    mails.release()
    expect((await slow.ended(next.body.data.id)).status).toBe("completed")
  })

  it("run with the current rights of their caller", async () => {
    const { books, draftsTo, ended, order } = await opened()
    const member = await app.run(seedMember(books.id, "member"))
    const leaver = await app.run(seedMember(books.id, "member"))
    const revoked = await app.run(seedMember(books.id, "owner"))
    const [invoice_id] = await draftsTo("held@beta.example")
    const first = await order("/batch/invoices/send", { invoice_ids: [invoice_id], attach_pdf: false })
    const orderAs = async (token: string): Promise<number> => {
      const invoices = { invoices: [books.body()] }
      const headers = { prefer: "respond-async" }
      return (await books.call("POST", "/batch/invoices/create", invoices, { token, headers })).body.data.id
    }
    const ids = [await orderAs(member.token), await orderAs(leaver.token), await orderAs(revoked.token)]
    await app.inDatabase(`update members set role = 'viewer' where user_id = ${member.id}`)
    await app.inDatabase(`delete from members where user_id = ${leaver.id}`)
    await app.inDatabase(`update tokens set revoked_at = now() where user_id = ${revoked.id}`)
    mails.release()
    const codes: Array<string> = []
    for (const id of [...ids, first.body.data.id]) codes.push((await ended(id)).error?.code ?? "none")
    expect((await ended(ids[0] ?? 0)).error.required_permission).toBe("invoices.create")
    expect(codes).toEqual(["forbidden", "forbidden", "unauthenticated", "none"])
    expect((await books.call("GET", "/invoices?status=draft")).body.meta.total).toBe(0)
  })

  it("submit invoices to a network only with the scope of submissions", async () => {
    const { books, draftsTo, ended } = await opened()
    const invoice_ids = await draftsTo("a@beta.example")
    const codes: Array<string> = []
    for (const scopes of [["invoices:send"], ["invoices:send", "einvoicing:submit"]]) {
      const token = await app.run(seedOrganizationToken(books.id, scopes))
      const further = { token, headers: { prefer: "respond-async" } }
      const body = { invoice_ids, method: "einvoice" }
      const { body: ordered } = await books.call("POST", "/batch/invoices/send", body, further)
      codes.push((await ended(ordered.data.id)).results[0].error.code)
    }
    expect(codes).toEqual(["missing_scope", "no_network_recipient"])
  })

  it("are visible only to callers who may use the operation's endpoint", async () => {
    const { books, ended, order } = await opened()
    const { body } = await order("/batch/invoices/create", { invoices: [books.body()] })
    const { id } = await ended(body.data.id)
    const see = async (token: string) => {
      const one = await books.call("GET", `/operations/${id}`, undefined, { token })
      const all = await books.call("GET", "/operations", undefined, { token })
      return [one.status, all.status, all.body.meta.total]
    }
    const tokens = await app.run(
      Effect.all([
        seedMember(books.id, "member", ["invoices:write"]),
        seedMember(books.id, "owner", ["invoices:send", "invoices:read"]),
        seedMember(books.id, "viewer")
      ])
    )
    const seen = []
    for (const { token } of tokens) seen.push(await see(token))
    expect(seen).toEqual([
      [200, 200, 1],
      [404, 200, 0],
      [404, 200, 0]
    ])
  })

  it("are kept for 7 days after their end", async () => {
    const { books, ended, operation, order } = await opened()
    const ids: Array<number> = []
    for (const days of [8, 6]) {
      const { body } = await order("/batch/invoices/create", { invoices: [books.body()] })
      const { id } = await ended(body.data.id)
      await app.inDatabase(`update operations set completed_at = now() - interval '${days} days' where id = ${id}`)
      ids.push(id)
    }
    await app.run(OperationRunner.use(({ purge }) => purge).pipe(Effect.provide(OperationRunner.layer)))
    expect((await books.call("GET", `/operations/${ids[0]}`)).status).toBe(404)
    expect((await operation(ids[1] ?? 0)).status).toBe("completed")
  })
})
