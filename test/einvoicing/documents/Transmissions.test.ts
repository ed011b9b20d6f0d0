import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { globSync, renameSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { damaged } from "../../archive/integrity/Damage.ts"
import { race } from "../../support/Billing.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { useEinvoicing } from "./Submitting.ts"

const { app, open } = useEinvoicing()

const seller = async () => {
  const books = await open()
  await books.register()
  const sent = async (recipient_identifier_value: string) =>
    books.submitted(await books.draft(), { recipient_identifier_value })
  return { ...books, sent }
}

const query = <A>(ask: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, ask))

/** Returns type, status and previous status of the e-invoicing events, in order. */
const events = async (id: number) => {
  const rows = await query(
    (sql) => sql<{ type: string; data: { attributes: { status: string }; previous?: { status: string } } }>`
      select type, data from outbox where organization_id = ${id} and type like 'einvoice.%' order by sequence`
  )
  return rows.map(({ data, type }) => [type, data.attributes.status, data.previous?.status] as const)
}

/** Counts the attempts to submit the document to the network. */
const attempts = async (id: number) => {
  const [known] = await query(
    (sql) => sql<{ attempts: number }>`
      select t.attempts from network_transmissions t join einvoices e using (transmission_id) where e.id = ${id}`
  )
  return known?.attempts ?? 0
}

const progress = (history: ReadonlyArray<{ status: string; code: string | null; source: string }>) =>
  history.map(({ code, source, status }) => [status, code, source])

describe("a submitted document", () => {
  it("is archived, transmitted as archived, and followed until its receiver accepts it", async () => {
    const { at, call, carried, id, invoice, sent } = await seller()
    const { id: einvoice_id, invoice_id, xml_sha256 } = await sent(magic.accepted)
    expect((await at(einvoice_id, "/evidence")).status).toBe(404)
    expect(await carried(einvoice_id)).toMatchObject({ status: "accepted", network_status: "AP", reason: null })
    const { body } = await at(einvoice_id, "/status")
    expect([body.data.status, body.data.network_status]).toEqual(["accepted", "AP"])
    expect(progress(body.data.history)).toEqual([
      ["pending", null, "service"],
      ["submitted", null, "network"],
      ["sent", "AS4", "network"],
      ["delivered", "AB", "recipient"],
      ["delivered", "IP", "recipient"],
      ["accepted", "AP", "recipient"]
    ])
    expect(await events(id)).toEqual([
      ["einvoice.created", "pending", undefined],
      ["einvoice.updated", "submitted", "pending"],
      ["einvoice.sent", "sent", "submitted"],
      ["einvoice.delivered", "delivered", "sent"],
      ["einvoice.updated", "delivered", "delivered"],
      ["einvoice.updated", "accepted", "delivered"]
    ])
    const told: ReadonlyArray<{ type: string; livemode: boolean }> = (await call("GET", "/events?per_page=100")).body
      .data
    expect(told.map(({ livemode, type }) => livemode !== type.startsWith("einvoice."))).not.toContain(false)
    const { sent_at, sent_method } = await invoice(invoice_id)
    expect([typeof sent_at, sent_method]).toEqual(["string", "einvoice"])

    const evidence = (await at(einvoice_id, "/evidence")).body.data
    expect([evidence.document_id, evidence.xml_sha256]).toEqual([einvoice_id, xml_sha256])
    const simulated = await Promise.all(["", "/status", "/evidence"].map((rest) => at(einvoice_id, rest)))
    expect(simulated.map(({ body }) => body.data.environment)).toEqual(["sandbox", "sandbox", "sandbox"])
    expect(evidence.receipts.map(({ type }: { type: string }) => type)).toEqual([
      "as4_receipt",
      "invoice_response",
      "invoice_response",
      "invoice_response"
    ])
    for (const { archive_object_id, sha256 } of evidence.receipts) {
      const { text } = await call("GET", `/archive/documents/${archive_object_id}/download`)
      expect(createHash("sha256").update(text).digest("hex")).toBe(sha256)
    }
    const { body: index } = await call("GET", "/archive/documents?kind=ubl_xml")
    expect(index.data).toMatchObject([
      { direction: "outbound", sha256: xml_sha256, document_type: "invoice", document_id: invoice_id, amount: "121.00" }
    ])
    await app.run(verifiedAuditLog(id))
  })

  it.each([
    ["rejected", "rejected", "RE", [["einvoice.sent"], ["einvoice.delivered"], ["einvoice.failed"]]],
    ["undeliverable", "failed", "MLS-RE", [["einvoice.sent"], ["einvoice.failed"]]],
    ["under_query", "delivered", "UQ", [["einvoice.sent"], ["einvoice.delivered"]]],
    ["paid", "accepted", "PD", [["einvoice.sent"], ["einvoice.delivered"]]],
    ["silent", "sent", "AS4", [["einvoice.sent"]]]
  ] as const)("that is %s ends as %s, with one event each", async (outcome, status, code, told) => {
    const { carried, follow, id, sent } = await seller()
    const { id: einvoice_id } = await sent(magic[outcome])
    const after = await carried(einvoice_id)
    expect([after.status, after.network_status]).toEqual([status, code])
    if (told.some(([type]) => type === "einvoice.failed")) expect(after.reason).toEqual(expect.any(String))
    await follow(einvoice_id)
    const steps = (await events(id)).flatMap(([type]) => (/created|updated/.test(type) ? [] : [[type]]))
    expect(steps).toEqual(told)
  })

  it("goes through the statuses of the French lifecycle in France", async () => {
    const { carried, draft, register, submitted } = await open()
    await register({ country_code: "FR", identifier_scheme: "FR:SIRET", identifier_value: "73282932000074" })
    const ends = []
    for (const outcome of [
      "accepted",
      "paid",
      "under_query",
      "conditionally_accepted",
      "rejected",
      "undeliverable"
    ] as const) {
      const { id } = await submitted(await draft(), { recipient_identifier_value: magic[outcome] })
      const { network_status, status } = await carried(id)
      ends.push([outcome, status, network_status])
    }
    expect(ends).toEqual([
      ["accepted", "accepted", "205"],
      ["paid", "accepted", "212"],
      ["under_query", "delivered", "207"],
      ["conditionally_accepted", "delivered", "206"],
      ["rejected", "rejected", "210"],
      ["undeliverable", "rejected", "221"]
    ])
  })

  it("fails for good when the network refuses it", async () => {
    const { carried, id, invoice, sent } = await seller()
    const { id: einvoice_id, invoice_id } = await sent(magic.refused)
    expect(await carried(einvoice_id)).toMatchObject({ status: "failed", network_status: "refused", retryable: false })
    expect(await events(id)).toEqual([
      ["einvoice.created", "pending", undefined],
      ["einvoice.failed", "failed", "pending"]
    ])
    expect((await invoice(invoice_id)).sent_at).toBeNull()
  })

  it("is not transmitted before the archive has it", async () => {
    const { at, follow, sent, transmit } = await seller()
    const { id } = await sent(magic.accepted)
    const spool = join(app.dataDir, "spool")
    renameSync(spool, `${spool}-away`)
    const kept = await transmit(id)
    renameSync(`${spool}-away`, spool)
    expect([kept, await attempts(id)]).toEqual(["StorageUnavailable", 0])
    expect((await at(id, "/status")).body.data.history).toHaveLength(1)
    expect(await transmit(id)).toBe("done")
    await follow(id)
    expect((await at(id)).body.data.status).toBe("accepted")
  })

  it("is not transmitted when it differs from what was archived", async () => {
    const { at, id: organization_id, sent, transmit } = await seller()
    const { id } = await sent(magic.unavailable_at_first)
    expect(await transmit(id)).toBe("NetworkUnavailable")
    const [file = ""] = globSync(join(app.dataDir, "objects", "archive", String(organization_id), "*", "*"))
    const restore = damaged(file, (bytes) => Buffer.from(bytes.toString().replace("Beta", "Gama")))
    expect(await transmit(id)).toBe("ArchiveIncident")
    restore()
    expect(await attempts(id)).toBe(1)
    expect((await at(id)).body.data.status).toBe("pending")
  })

  it("waits while the network is down, and arrives once when it is back", async () => {
    const { at, follow, sent, transmit } = await seller()
    const { id } = await sent(magic.unavailable_at_first)
    expect([await transmit(id), await transmit(id)]).toEqual(["NetworkUnavailable", "NetworkUnavailable"])
    expect((await at(id)).body.data.status).toBe("pending")
    expect(await transmit(id)).toBe("done")
    expect(await transmit(id)).toBe("done")
    await follow(id)
    expect((await at(id)).body.data.status).toBe("accepted")
  })

  it("fails, to be tried again, when the network never answered", async () => {
    const { at, id: organization_id, sent, submit, transmit } = await seller()
    const { id, invoice_id } = await sent(magic.unavailable)
    expect(await transmit(id, true)).toBe("done")
    expect((await at(id)).body.data).toMatchObject({ status: "failed", retryable: true })
    expect(await events(organization_id)).toEqual([
      ["einvoice.created", "pending", undefined],
      ["einvoice.failed", "failed", "pending"]
    ])
    expect((await submit({ id: invoice_id })).status).toBe(201)
  })

  it("is transmitted and announced once, even by several processes at the same time", async () => {
    const { at, follow, id: organization_id, sent, transmit } = await seller()
    const { id } = await sent(magic.accepted)
    expect(new Set(await race(4, () => transmit(id)))).toEqual(new Set(["done"]))
    await race(4, () => follow(id))
    expect((await at(id, "/status")).body.data.history).toHaveLength(6)
    expect(await events(organization_id)).toHaveLength(6)
    const [exchanges] = await query(
      (sql) => sql<{ count: number }>`
        select count(*)::integer as count from archive_transmissions where organization_id = ${organization_id}`
    )
    expect(exchanges?.count).toBe(5)
  })

  it("does not mark an invoice as sent that was marked before", async () => {
    const { carried, invoice, issued, submitted } = await seller()
    const target = await issued()
    await carried((await submitted(target)).id)
    const { sent_at, sent_method } = await invoice(target.id)
    expect([sent_at, sent_method]).toEqual([target.sent_at, "manual"])
  })

  it("whose sender died is queried, and ends as failed when the network does not know it", async () => {
    const { at, follow, resume, sent } = await seller()
    const { id } = await sent(magic.accepted)
    expect(await resume()).toBe(0)
    await query((sql) => sql`update einvoices set next_poll_at = now() - interval '2 hours' where id = ${id}`)
    expect(await resume()).toBe(1)
    await follow(id)
    expect((await at(id)).body.data).toMatchObject({ status: "failed", retryable: true })
  })

  it("of one organization waits for no more than one of another", async () => {
    const many = await seller()
    const sent: Array<number> = []
    for (let count = 0; count < 3; count++) sent.push((await many.sent(magic.accepted)).id)
    const single = (await (await seller()).sent(magic.accepted)).id
    const order = await query(
      (sql) => sql<{ id: number }>`
        select id::integer as id from jobs where queue_name = 'einvoices.transmission' and state = 'pending'
        order by visible_at, sequence`
    )
    const place = (id: number) => order.findIndex((job) => job.id === id)
    expect(place(single)).toBeLessThan(place(sent[1] ?? 0))
  })

  it("is queried again although the queries of a thousand others keep failing", async () => {
    const { resume, sent } = await seller()
    const { id } = await sent(magic.accepted)
    const lost = (document: number, hours: number) =>
      query(
        (sql) =>
          sql`update einvoices set next_poll_at = now() - make_interval(hours => ${hours}) where id = ${document}`
      )
    await query(
      (sql) => sql`
        insert into einvoices select (jsonb_populate_record(e, jsonb_build_object('id', 1000000 + n, 'status', 'failed',
          'transmission_id', gen_random_uuid(), 'next_poll_at', now() - interval '3 hours'))).*
        from einvoices e, generate_series(1, 1001) n where e.id = ${id}`
    )
    await lost(id, 2)
    const found = [await resume(), await resume()]
    await query((sql) => sql`delete from einvoices where id > 1000000`)
    expect(found).toEqual([1002, 0])
  })

  it("is no longer queried after 90 days, even if its network does not answer", async () => {
    const { at, carried, follow, resume, sent } = await seller()
    const { id } = await sent(magic.silent)
    const { status } = await carried(id)
    const days = (count: number) =>
      query(
        (sql) => sql`
          update einvoices set environment = 'production', next_poll_at = now() - interval '2 hours',
            created_at = now() - make_interval(days => ${count}) where id = ${id}`
      )
    await days(89)
    await expect(follow(id)).rejects.toThrow()
    expect(await resume()).toBe(1)
    await days(91)
    await expect(follow(id)).rejects.toThrow()
    expect(await resume()).toBe(0)
    expect((await at(id)).body.data.status).toBe(status)
  })
})

describe("GET /api/v1/einvoicing/invoices/{id}", () => {
  it("and what is below it answer 404 for an id of another organization and for a missing id", async () => {
    const { sent } = await seller()
    const { id } = await sent(magic.accepted)
    const other = await seller()
    for (const rest of ["", "/status", "/evidence"]) {
      const foreign = await other.at(id, rest)
      expect([foreign.status, foreign.text]).toEqual([404, (await other.at(999_999, rest)).text])
    }
  })
})
