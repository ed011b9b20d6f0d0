import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { lunch } from "../FakeReader.ts"
import { type Receipts, useReceipts } from "../Uploading.ts"

const { open, reader } = useReceipts({ role: "all" })

const read_fields = { ...lunch().fields, vendor: "CAFE ZURCH", category: "travel" }
const trace = { vendor_keys: ["tax:123456789"], figures: [], pages: [], places: [] }

/** Reads a receipt on which the reader misses the name and the category. */
const misread = ({ captured }: Receipts) => {
  reader.answer = () => Effect.succeed(lunch({ fields: read_fields, warnings: [], trace }))
  return captured()
}

const corrected = { vendor: "Café Zürich", category: "meals" }

describe("a vendor whose earlier receipt a person corrected", () => {
  it("has the corrected name and category, which the answer says", async () => {
    const ours = await open()
    const { fields, receipt_path, warnings } = await misread(ours)
    expect([fields.vendor, fields.category, warnings]).toEqual(["CAFE ZURCH", "travel", []])
    const expense = await ours.expense({ ...corrected, receipt_path })
    const again = await misread(ours)
    expect(again.fields).toMatchObject({ ...corrected, amount: "118.40" })
    expect(again.warnings).toEqual([
      `vendor is that of expense ${expense.id}, whose receipt has the same tax number`,
      `category is that of expense ${expense.id}, whose receipt has the same tax number`
    ])
    expect(Object.keys(again)).not.toContain("trace")
  })

  it("learns from the expense that replaced a rejected one with the same receipt", async () => {
    const ours = await open()
    const { receipt_path } = await misread(ours)
    await ours.expense({ ...corrected, category: "gifts", receipt_path, status: "rejected" })
    await ours.expense({ ...corrected, amount: 100, receipt_path })
    expect((await misread(ours)).fields).toMatchObject(corrected)
  })

  it("has the name and category of a later correction by an update", async () => {
    const ours = await open()
    const { fields, receipt_path } = await misread(ours)
    const { body } = await ours.call("POST", "/expenses", { ...fields, receipt_path })
    expect((await misread(ours)).fields).toMatchObject({ vendor: "CAFE ZURCH", category: "travel" })
    await ours.call("PUT", `/expenses/${body.data.id}`, corrected)
    expect((await misread(ours)).fields).toMatchObject(corrected)
  })

  it.each([
    ["of another organization", "theirs", {}],
    ["that is a draft", "ours", { status: "draft" }],
    ["that was rejected", "ours", { status: "rejected" }]
  ] as const)("gives nothing from an expense %s", async (_, owner, changes) => {
    const [ours, theirs] = [await open(), await open()]
    const owned = owner === "ours" ? ours : theirs
    const { receipt_path } = await misread(owned)
    await owned.expense({ ...corrected, ...changes, receipt_path })
    expect((await misread(ours)).fields).toMatchObject({ vendor: "CAFE ZURCH", category: "travel" })
  })

  it("learns the name, but no total and no category, from a receipt that is split into two expenses", async () => {
    const ours = await open()
    const capture = (food: string, drinks: string, amount: string) => {
      const figures = Object.entries({ food, drinks, total: amount }).map(([label, figure]) => ({
        label,
        amount: figure
      }))
      const fields = { expense_date: "2026-02-27", vendor: "CAFE ZURCH", category: "travel", currency: "EUR", amount }
      const read = lunch({ status: "done", fields, warnings: [], trace: { ...trace, figures } })
      reader.answer = () => Effect.succeed(read)
      return ours.captured()
    }
    const { receipt_path } = await capture("60.00", "40.00", "100.00")
    const food = await ours.expense({ ...corrected, amount: 60, receipt_path })
    const drinks = await ours.expense({ ...corrected, amount: 40, category: "gifts", receipt_path })
    const next = await capture("30.00", "20.00", "50.00")
    expect(next).toMatchObject({
      status: "done",
      fields: { vendor: "Café Zürich", category: "travel", amount: "50.00" }
    })
    await ours.call("DELETE", `/expenses/${drinks.id}`)
    await ours.call("PUT", `/expenses/${food.id}`, { amount: 100 })
    expect((await capture("30.00", "20.00", "50.00")).fields).toMatchObject({ category: "meals", amount: "50.00" })
  })

  it("is forgotten with the deleted expense", async () => {
    const ours = await open()
    const { receipt_path } = await misread(ours)
    const { id } = await ours.expense({ ...corrected, receipt_path })
    expect((await misread(ours)).fields).toMatchObject(corrected)
    await ours.call("DELETE", `/expenses/${id}`)
    expect((await misread(ours)).fields).toMatchObject({ vendor: "CAFE ZURCH", category: "travel" })
  })
})
