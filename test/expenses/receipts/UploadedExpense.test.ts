import { describe, expect, it } from "vitest"
import { nothing, useReceipts } from "./Uploading.ts"

const { open } = useReceipts()

describe("the expense_id of an upload", () => {
  it("names an expense of the organization", async () => {
    const ours = await open()
    const { id } = await ours.expense()
    const { body, status } = await ours.upload({ fields: { expense_id: String(id) } })
    expect([status, body.data.expense_id]).toEqual([202, id])
    expect((await ours.upload({ fields: { expense_id: " " } })).body.data.expense_id).toBeNull()
  })

  it("may be in the query, in the form, or in both if it is the same", async () => {
    const { expense, kept, upload } = await open()
    const [{ id }, other] = [await expense(), await expense()]
    for (const [query, fields] of [
      [`${id}`, {}],
      [`${id}`, { expense_id: `${id}` }],
      [`${id}`, { expense_id: " " }],
      ["", { expense_id: `${id}` }]
    ] as const) {
      const { body, status } = await upload({ fields, query: `?expense_id=${query}` })
      expect([query, fields, status, body.data?.expense_id]).toEqual([query, fields, 202, id])
    }
    const before = await kept()
    for (const [query, fields] of [
      [`?expense_id=${id}`, { expense_id: String(other.id) }],
      ["?expense_id=abc", {}]
    ] as const) {
      const { body, status } = await upload({ fields, query })
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, ["expense_id"]])
    }
    expect(await kept()).toEqual(before)
  })

  it("is refused with 422 if the expense does not exist, and nothing is stored", async () => {
    const ours = await open()
    const theirs = await open()
    const { id: foreign } = await theirs.expense()
    const { id: deleted } = await ours.expense({ status: "draft" })
    await ours.call("DELETE", `/expenses/${deleted}`)
    for (const expense_id of [foreign, deleted, 2_000_000_000, 0, -1, "1e3", "abc", "99999999999"]) {
      const { body, status } = await ours.upload({ fields: { expense_id: String(expense_id) } })
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(["expense_id"])
    }
    expect(await ours.kept()).toEqual(nothing)
  })
})
