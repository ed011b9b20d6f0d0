import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { password } from "../../../identity/Visitor.ts"
import { violations, hasChromium, withPage } from "../../../support/counterparts/Chromium.ts"
import { receiptPhoto, short_lines } from "../../../support/files/PrintedReceipt.ts"
import { until } from "../../../support/counterparts/Receiver.ts"
import { usePanel } from "../Panel.ts"
import { readReceipt } from "../World.ts"

const { app, enter } = usePanel({ role: "all" })

/** Uploads a photo and waits until it is read. */
const photographed = async ({ id, owner }: Awaited<ReturnType<typeof app.organization>>) => {
  const form = new FormData()
  form.set("receipt", new Blob([Uint8Array.from(await Effect.runPromise(receiptPhoto(2, short_lines)))]), "lunch.jpg")
  const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }
  const answer = await fetch(`${app.url}/api/v1/expenses/upload-receipt`, { method: "POST", headers, body: form })
  const { data } = JSON.parse(await answer.text())
  await until("the end of the reading", async () => {
    const { status } = await app.call("GET", data.poll_url, { token: owner.token, organization: id })
    return status === 200 ? true : undefined
  })
  return `/admin/organizations/${id}/receipts/${data.receipt_ref}`
}

/** Creates a receipt that waits to be read, or one whose reading began this many seconds ago. */
const waiting = (id: number, reading_seconds: number | null) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ref = yield* readReceipt(id, "waiting.pdf")
      yield* sql`
        update receipts set status = 'processing', result = null, reading_since = now() - make_interval(secs => ${reading_seconds})
        where organization_id = ${id} and receipt_ref = ${ref}::uuid`
      yield* sql`
        insert into jobs (id, queue_name, element, state, acquired_at, visible_at, created_at, updated_at)
        values (${ref}, 'receipts.ocr', '{}', 'pending',
          case when ${reading_seconds}::integer is not null then localtimestamp end,
          localtimestamp + interval '1 hour', localtimestamp, localtimestamp)`
      return `/admin/organizations/${id}/receipts/${ref}`
    })
  )

describe("the page of a receipt", () => {
  it("shows the first page with boxes around the fields, their confidence and the doubts", async () => {
    const organization = await app.organization({ country: "DE", currency: "EUR" })
    const path = await photographed(organization)
    const admin = await enter()
    const { status, text } = await admin.get(path)
    expect(status).toBe(200)
    expect(text).toMatch(/<dt>Amount<\/dt>\s*<dd>25\.26 \(\d+ % sure\)<\/dd>/)
    expect(text).toMatch(/href="data:image\/webp;base64,UklGR/)
    expect([...text.matchAll(/<title>(\w+)<\/title>/g)].map(([, title]) => title)).toEqual(["Amount", "Date", "Vendor"])
    expect(text).toContain("Doubts and sources")
    if (!hasChromium) return
    await withPage(async (page) => {
      await page.open(app.url + path)
      await page.type(admin.user.email)
      await page.press("Tab")
      await page.type(password)
      await page.press("Enter", { loads: true })
      expect(await violations(page)).toEqual([])
      const shown = `(({ width, height }) => width > 100 && height > 100)(document.querySelector("svg.page image").getBoundingClientRect())`
      expect(await page.evaluate(shown)).toBe(true)
    })
  }, 120_000)

  it("shows how many receipts are read before, and for how long a reading has been running", async () => {
    const { id } = await app.organization({})
    const admin = await enter()
    const [running, first, second] = [await waiting(id, 7), await waiting(id, null), await waiting(id, null)]
    expect((await admin.get(running)).text).toMatch(/<dd>being read for \d+ s<\/dd>/)
    expect((await admin.get(first)).text).toContain("<dd>queued, number 1 in the queue</dd>")
    expect((await admin.get(second)).text).toContain("<dd>queued, number 2 in the queue</dd>")
  })

  it("answers 404 for the receipt of another organization", async () => {
    const [ours, theirs] = [await app.organization({}), await app.organization({})]
    const ref = await app.run(readReceipt(theirs.id, "theirs.pdf"))
    const admin = await enter()
    expect((await admin.get(`/admin/organizations/${theirs.id}/receipts/${ref}`)).status).toBe(200)
    expect((await admin.get(`/admin/organizations/${ours.id}/receipts/${ref}`)).status).toBe(404)
    expect((await admin.get(`/admin/organizations/${ours.id}/receipts/none`)).status).toBe(404)
  })
})
