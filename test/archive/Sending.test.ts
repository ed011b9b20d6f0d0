import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ArchivingJob } from "../../src/billing/archiving/ArchivingQueue.ts"
import { DocumentArchiver } from "../../src/billing/archiving/DocumentArchiver.ts"
import type { Books } from "../support/Billing.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { useArchive } from "./DocumentArchiver.ts"

const mails = await smtp()
const { archiveAll, archiveFrozen, documents, open, query, work } = useArchive(mails.settings)
const decodeJob = Schema.decodeUnknownSync(ArchivingJob)

const to = (recipient: string) => ({ recipients: recipient, attach_pdf: false })

/** Returns in how many minutes each archiving job of the organization becomes due. */
const jobs = async ({ id }: Books) => {
  const rows = await query(
    (sql) => sql<{ minutes: number }>`
      select extract(epoch from visible_at - localtimestamp)::float8 / 60 as minutes from jobs
      where queue_name = 'billing.archiving' and element::jsonb -> 'payload' ->> 'organization_id' = ${String(id)}
      order by sequence`
  )
  return rows.map(({ minutes }) => Math.round(minutes))
}

const deposits = ({ id }: Books) =>
  query((sql) => sql`select document_id, number from archive_deposits where organization_id = ${id}`)

describe("an invoice that is sent", () => {
  it("is archived once somebody has it, or when its sending never ended", async () => {
    const ours = await open()
    const { id } = await ours.draft()
    const sending = ours.call("POST", `/invoices/${id}/send`, to("held@beta.eu"))
    await until("the message", () => (mails.atOnce() > 0 ? true : undefined))
    expect(await jobs(ours)).toEqual([30])
    mails.release()
    expect((await sending).status).toBe(200)
    expect((await jobs(ours)).map((minutes) => Math.max(minutes, 0))).toEqual([30, 0])
    await archiveAll(ours)
    expect(await documents(ours)).toMatchObject([{ document_id: id, document_type: "invoice" }])
  })

  it("is not archived when no recipient got it: it is a draft again", async () => {
    const ours = await open()
    const { id } = await ours.draft()
    expect((await ours.call("POST", `/invoices/${id}/send`, to("unknown@beta.eu"))).status).toBe(422)
    expect((await ours.invoice(id)).status).toBe("draft")
    expect(await deposits(ours)).toEqual([])
    expect((await ours.call("POST", `/invoices/${id}/send`, to("a@beta.eu"))).status).toBe(200)
    expect(await archiveAll(ours)).toBe(1)
    expect(await documents(ours)).toMatchObject([{ number: "INV-2026-0001" }])
  })

  it("is not archived by the job of an earlier send that failed", async () => {
    const ours = await open()
    const { id } = await ours.draft()
    expect((await ours.call("POST", `/invoices/${id}/send`, to("unknown@beta.eu"))).status).toBe(422)
    const [late] = await query(
      (sql) => sql<{ payload: unknown }>`
        select element::jsonb -> 'payload' as payload from jobs
        where queue_name = 'billing.archiving' and element::jsonb -> 'payload' ->> 'document_id' = ${String(id)}`
    )
    const sending = ours.call("POST", `/invoices/${id}/send`, to("held-unknown@beta.eu"))
    await until("the message", () => (mails.atOnce() > 0 ? true : undefined))
    await work(DocumentArchiver.use(({ archive }) => archive(decodeJob(late?.payload))))
    expect(await documents(ours)).toEqual([])
    mails.release()
    expect((await sending).status).toBe(422)
    expect((await ours.invoice(id)).status).toBe("draft")
  })

  it("stays issued when no recipient got it but it is already archived", async () => {
    const ours = await open()
    const { id } = await ours.draft()
    const sending = ours.call("POST", `/invoices/${id}/send`, to("held-unknown@beta.eu"))
    await until("the message", () => (mails.atOnce() > 0 ? true : undefined))
    await archiveAll(ours)
    mails.release()
    const { body, status } = await sending
    expect([status, body.details.number]).toEqual([422, "INV-2026-0001"])
    expect(await ours.invoice(id)).toMatchObject({ status: "sent", number: "INV-2026-0001", sent_at: null })
    expect(await documents(ours)).toMatchObject([{ document_id: id, number: "INV-2026-0001" }])
  })

  it("is archived as it was sent, although its PDF was made when it was sent to nobody before", async () => {
    const ours = await open()
    const { id } = await ours.draft()
    const sending = ours.call("POST", `/invoices/${id}/send`, to("held-unknown@beta.eu"))
    await until("the message", () => (mails.atOnce() > 0 ? true : undefined))
    const store = await archiveFrozen(ours, id)
    mails.release()
    expect((await sending).status).toBe(422)
    await ours.made("PUT", `/invoices/${id}`, { items: [{ description: "Other", quantity: 1, unit_price: 7 }] })
    expect((await ours.call("POST", `/invoices/${id}/send`, to("a@beta.eu"))).status).toBe(200)
    await store()
    expect(await documents(ours)).toEqual([])
    expect(await archiveAll(ours)).toBe(1)
    expect(await documents(ours)).toMatchObject([{ document_id: id, number: "INV-2026-0001", amount: "8.47" }])
  })

  it("is archived although no recipient got it when a later number is in use", async () => {
    const ours = await open()
    const { id } = await ours.draft()
    const sending = ours.call("POST", `/invoices/${id}/send`, to("held-unknown@beta.eu"))
    await until("the message", () => (mails.atOnce() > 0 ? true : undefined))
    const later = await ours.issued()
    mails.release()
    expect((await sending).body.details.number).toBe("INV-2026-0001")
    expect(await deposits(ours)).toHaveLength(2)
    await archiveAll(ours)
    const rows = await documents(ours)
    expect(
      rows.map((row: { document_id: number }) => row.document_id).toSorted((a: number, b: number) => a - b)
    ).toEqual([id, later.id])
  })
})
