import { describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { seedMember, seedOrganizationToken } from "../../support/database/Seed.ts"
import { useExports } from "./Exporting.ts"

const exporting = useExports()
const { actions, app, build, collect, documents, filled, giveUp, open, order, ordered, query, status } = exporting

describe("an order", () => {
  it("is refused with 409 when nothing matches, and leaves nothing", async () => {
    const ours = await filled(1)
    const before = await actions(ours)
    for (const filters of [{ kind: "ubl_xml" }, { issued_from: "2027-01-01" }, { counterparty: "nobody" }]) {
      const { body, status } = await order(ours, filters)
      expect([status, body.code]).toEqual([409, "nothing_to_export"])
    }
    expect(await actions(ours)).toEqual(before)
    expect(await query((sql) => sql`select id from archive_exports where organization_id = ${ours.id}`)).toEqual([])
  })

  it("is refused with 409 over the limit, until it is narrowed", async () => {
    const ours = await filled(4)
    const { body, status } = await order(ours)
    expect([status, body.code, body.details]).toEqual([
      409,
      "too_many_objects",
      { object_count: 4, object_count_max: 3 }
    ])
    await ordered(ours, { issued_until: "2026-03-31" })
  })

  it("is accepted once when twenty race, and again when that one has ended", async () => {
    const ours = await filled(1)
    const answers = await race(20, () => order(ours))
    expect(statuses(answers)).toEqual({ 202: 1, 409: 19 })
    expect(new Set(answers.flatMap(({ body }) => body.code ?? []))).toEqual(new Set(["export_in_progress"]))
    const id = answers.find(({ status }) => status === 202)?.body.data.id
    await giveUp(ours, id)
    const failed = await ours.made("GET", `/archive/exports/${id}`)
    expect([failed.status, typeof failed.error, failed.download_url]).toEqual(["failed", "string", null])
    await build(ours, id)
    expect(await status(ours, id)).toBe("failed")
    await ordered(ours)
  })

  it.each([
    [{ issued_from: "2026-02-01", issued_until: "2026-01-01" }, "issued_until"],
    [{ amount_min: 2, amount_max: 1 }, "amount_max"],
    [{ kind: "docx" }, "kind"],
    [{ direction: "up" }, "direction"],
    [{ issued_from: "yesterday" }, "issued_from"]
  ])("is refused with 422 for %j", async (filters, field) => {
    const ours = await open()
    const { body, status } = await order(ours, filters)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it("needs the permission and the scope", async () => {
    const ours = await filled(1)
    const viewer = await app.run(seedMember(ours.id, "viewer"))
    const narrow = await app.run(seedOrganizationToken(ours.id, ["archive.view"]))
    const as = (token: string) => app.call("POST", "/api/v1/archive/exports", { token, organization: ours.id })
    const answers = [await as(viewer.token), await as(narrow)]
    expect(answers.map(({ body, status }) => [status, body.code])).toEqual([
      [403, "forbidden"],
      [403, "missing_scope"]
    ])
    expect(await actions(ours)).not.toContain("archive.export_ordered")
  })

  it("stays open to an archived organization, as everything about its archive does", async () => {
    const ours = await filled(1)
    await query((sql) => sql`update organizations set archived_at = now() where id = ${ours.id}`)
    const id = await ordered(ours)
    await build(ours, id)
    expect((await collect(ours, id)).response.status).toBe(200)
    const [row] = await documents(ours)
    expect((await ours.call("GET", `/archive/documents/${row.id}/download`)).status).toBe(200)
  })

  it("is another organization's 404, for its state and its ZIP", async () => {
    const [ours, theirs] = [await filled(1), await filled(1)]
    const id = await ordered(theirs)
    await build(theirs, id)
    const paths = [`/archive/exports/${id}`, `/archive/exports/${id}/download`, "/archive/exports/2147483647"]
    const answers = await Promise.all(paths.map((path) => ours.call("GET", path)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})
