import { describe, expect, it } from "vitest"
import { type Books, useBilling } from "../support/Billing.ts"
import { digestOf } from "../support/Digest.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { seedMember, seedOrganizationToken } from "../support/Seed.ts"
import { csvRecords } from "../support/CsvRecords.ts"

const { app, open } = useBilling()

/** The content of an organization's tables, except its audit chain. */
const state = async (books: Books) => {
  const chain = ["audit_entries", "journals"]
  return (await app.run(digestOf(books.id))).filter(({ table }) => !chain.includes(table))
}

describe("POST /api/v1/reports/export", () => {
  it("audits who exported what, before the first byte and each time, and changes nothing else", async () => {
    const books = await open()
    const body = { resource: "customers", end_date: "2999-12-31" }
    const key = { headers: { "idempotency-key": "export-1" } }
    const before = await state(books)
    const first = await books.call("POST", "/reports/export", body, key)
    expect(await state(books)).toEqual(before)
    await books.made("POST", "/customers", { name: "Gamma" })
    const second = await books.call("POST", "/reports/export", { ...body, format: null }, key)
    expect([csvRecords(first.text).length, csvRecords(second.text).length]).toEqual([1, 2])
    const token = await app.run(seedOrganizationToken(books.id, ["reports:export"]))
    await books.call("POST", "/reports/export", { resource: "payments", format: "json" }, { token })
    const { entries } = await app.run(verifiedAuditLog(books.id))
    const exported = entries.filter(({ action }) => action === "report.exported")
    const period = { start_date: null, end_date: "2999-12-31" }
    expect(exported.map(({ data }) => data)).toEqual([
      { resource: "customers", format: "csv", ...period, records: 1, surface: "api" },
      { resource: "customers", format: "csv", ...period, records: 2, surface: "api" },
      { resource: "payments", format: "json", start_date: null, end_date: null, records: 0, surface: "api" }
    ])
    const [first_actor, , last_actor] = exported.map(({ actor }) => actor)
    expect([first_actor, last_actor?.split(":")[0]]).toEqual([`user:${books.owner.id}`, "token"])
  })

  it("records nothing for a refused export", async () => {
    const books = await open()
    const { token } = await app.run(seedMember(books.id, "viewer"))
    const before = await app.run(digestOf(books.id))
    const reversed = { resource: "invoices", start_date: "2026-01-02", end_date: "2026-01-01" }
    expect((await books.call("POST", "/reports/export", reversed)).status).toBe(422)
    expect((await books.call("POST", "/reports/export", { resource: "invoices" }, { token })).status).toBe(403)
    expect(await app.run(digestOf(books.id))).toEqual(before)
  })
})
