import { Cause, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { ExtraPollQueue } from "../../../src/einvoicing/documents/EinvoiceQueue.ts"
import { RecordedDocuments } from "../../../src/einvoicing/recording/RecordedDocuments.ts"
import { EinvoiceFollowUp } from "../../../src/einvoicing/transmissions/EinvoiceFollowUp.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { EinvoiceId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { Database } from "../../../src/platform/sql/Database.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { requireChain } from "./RecordVerifier.ts"
import { spanish, useTaxAgency } from "./SpanishSellers.ts"

const { app, required, seller } = useTaxAgency()
let agency: ReturnType<typeof required>

beforeAll(() => {
  agency = required()
})

/** Returns an e-invoice whose record the agency has accepted. */
const accepted = async () => {
  const books = await seller()
  const { id, status, transmit } = await books.sent()
  expect(await transmit()).toBe("done")
  await books.follow(id)
  await books.proceed()
  return { books, id, status, key: { organization_id: OrganizationId.make(books.id), id: EinvoiceId.make(id) } }
}

const recorded = <A, E>(use: (documents: RecordedDocuments["Service"]) => Effect.Effect<A, E>) =>
  RecordedDocuments.use(use).pipe(Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders))))

describe("an organization that is connected to the tax agency", () => {
  it("learns that an issued document has no record, because it breaks the rules of the agency", async () => {
    const books = await seller()
    await books.made("PUT", `/organizations/${books.id}`, { tax_number: null })
    const invoice = await books.issued()
    const listed = async () => (await books.call("GET", "/einvoicing/invoices")).body.data
    for (let attempt = 0; attempt < 2; attempt++) await books.record("invoice", invoice.id)
    const refused = { invoice_id: invoice.id, number: invoice.number, status: "failed", retryable: false }
    const reason = expect.stringMatching(/^\w+: .*NIF.* Credit the invoice, and issue a corrected one\.$/)
    expect(await listed()).toMatchObject([{ ...refused, reason }])
    const events = (await books.call("GET", "/events?per_page=100")).body.data
    expect(events.filter(({ type }: { type: string }) => type.startsWith("einvoice."))).toMatchObject(
      ["created", "failed"].map((name) => ({
        type: `einvoice.${name}`,
        data: { attributes: { number: invoice.number } }
      }))
    )
    expect(books.arrived()).toEqual([])
    await app.run(verifiedAuditLog(books.id))
    // The document keeps the data with which it was issued, although the organization has its NIF again.
    await books.made("PUT", `/organizations/${books.id}`, { tax_number: `ES${books.nif}` })
    const again = await books.submit(invoice, spanish)
    expect([again.status, again.body.code]).toEqual([422, "invalid_document"])
  })

  it("cancels a record by another record of the chain, once", async () => {
    const { books, id, key, status } = await accepted()
    const cancelling = recorded(({ cancel, enqueueCancellation }) =>
      Effect.andThen(enqueueCancellation(key, "admin"), cancel(key))
    )
    await app.run(cancelling)
    await app.run(cancelling)
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_status: "Anulacion Correcto" })
    expect(books.arrived().map(({ kind }) => kind)).toEqual(["Alta", "Anulacion"])
    requireChain(books.arrived())
  })

  it("cancels a record once, although two processes do so at the same time", async () => {
    const { books, key } = await accepted()
    const cancelling = recorded(({ cancel }) => Effect.exit(cancel(key)))
    const locked = Promise.withResolvers<void>()
    // Holds the chain until both cancellations wait for it.
    const holding = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`select from verifactu_chains where organization_id = ${books.id} for update`
      locked.resolve()
      const waiting = sql`select from pg_locks where not granted`
      yield* Effect.repeat(Effect.delay(waiting, "100 millis"), { until: ({ length }) => length >= 2, times: 200 })
    })
    const held = app.run(Database.use(({ transaction }) => transaction(holding)))
    await locked.promise
    const [, ...exits] = await Promise.all([held, app.run(cancelling), app.run(cancelling)])
    // The second one may find that the first one is sending the record. It never fails with a defect.
    for (const exit of exits) expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(false)
    const kinds = await app.inDatabase(`select kind from verifactu_records where organization_id = ${books.id}`)
    expect(kinds).toEqual([{ kind: "registration" }, { kind: "cancellation" }])
    requireChain(books.arrived())
  })

  it("cancels a record again if the agency refused the first cancellation", async () => {
    const { books, id, key, status } = await accepted()
    const cancelling = recorded(({ cancel, enqueueCancellation }) =>
      Effect.andThen(enqueueCancellation(key, "admin"), cancel(key))
    )
    agency.faults.push("refused")
    await app.run(cancelling)
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_status: "Anulacion Incorrecto 1100" })
    await books.proceed()
    await app.run(cancelling)
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_status: "Anulacion Correcto" })
    expect(books.arrived().map(({ kind }) => kind)).toEqual(["Alta", "Anulacion", "Anulacion"])
    expect(agency.messages.at(-1)).toContain("<sf:RechazoPrevio>S</sf:RechazoPrevio>")
    requireChain(books.arrived())
  })

  it("does not repeat a refused cancellation by the job of the same order", async () => {
    const { books, id, key } = await accepted()
    await app.run(recorded(({ enqueueCancellation }) => enqueueCancellation(key, "admin")))
    const dated = `select 1 as one from jobs where queue_name = 'einvoices.cancellation'
      and element::jsonb -> 'payload' ->> 'id' = '${id}' and element::jsonb -> 'payload' ->> 'ordered_at' is not null`
    expect(await app.inDatabase(dated)).toHaveLength(1)
    const payload = { ...key, ordered_at: Timestamp.make(new Date().toISOString()) }
    // The agency requested a pause, after which the cancellation is sent together with another invoice.
    await app.inDatabase(`update verifactu_chains set next_send_at = now() + interval '1 minute'
      where organization_id = ${books.id}`)
    expect((await app.run(recorded(({ cancel }) => Effect.flip(cancel(payload)))))._tag).toBe("NetworkUnavailable")
    await books.proceed()
    agency.state.refused_number = (await books.at(id)).body.data.number
    const other = await books.sent()
    expect(await other.transmit()).toBe("done")
    agency.state.refused_number = ""
    await books.proceed()
    await app.run(recorded(({ cancel }) => cancel(payload)))
    expect(books.arrived().map(({ kind }) => kind)).toEqual(["Alta", "Anulacion", "Alta"])
    await app.run(recorded(({ cancel }) => cancel({ ...key, ordered_at: Timestamp.make(new Date().toISOString()) })))
    expect(books.arrived().map(({ kind }) => kind)).toEqual(["Alta", "Anulacion", "Alta", "Anulacion"])
    requireChain(books.arrived())
  })

  it("shows the result of a cancellation that was ordered after the last regular poll", async () => {
    const { id, key, status } = await accepted()
    await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
    await app.inDatabase("delete from jobs where queue_name = 'einvoices.extra-poll'")
    const followed = Effect.gen(function* () {
      const [jobs, { followExtra }, recorded] = [yield* Jobs, yield* EinvoiceFollowUp, yield* RecordedDocuments]
      yield* recorded.cancel(key)
      yield* jobs.take(ExtraPollQueue, followExtra)
    })
    const services = Layer.merge(RecordedDocuments.layer, EinvoiceFollowUp.layer)
    await app.run(followed.pipe(Effect.provide(services.pipe(Layer.provideMerge(ConnectedProviders)))))
    expect(await status()).toMatchObject({ status: "accepted", network_status: "Anulacion Correcto" })
  })

  it("finds out by a query that a record was cancelled, if the answer is lost", async () => {
    const { books, id, key, status } = await accepted()
    const cancel = recorded((documents) => documents.cancel(key))
    agency.faults.push("reset_after")
    expect((await app.run(Effect.flip(cancel)))._tag).toBe("NetworkUnavailable")
    const before = agency.messages.length
    await app.run(cancel)
    await books.follow(id)
    expect(await status()).toMatchObject({ network_status: "Anulacion Correcto" })
    expect(agency.messages.length).toBe(before)
  })
})
