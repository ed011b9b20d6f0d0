import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { tax_rates_kept_max } from "../../../../src/billing/taxes/TaxRates.ts"
import { usePanel } from "../Panel.ts"

const { app, enter, fill, lastEntry, state } = usePanel()

const setting = async (rates: ReadonlyArray<number> = [21]) => {
  const admin = await enter()
  const { id, tax_rate_ids } = await app.organization({ name: "Taxed", rates })
  return { admin, id, tax_rate_ids, path: `/admin/organizations/${id}/tax-rates` }
}

describe("tax rates in the panel", () => {
  it("are added, also with a decimal comma", async () => {
    const { admin, id, path } = await setting()
    const added = await fill(admin, `${path}/new`, {
      name: "TVA 5,5 %",
      rate: "5,5",
      category: "S",
      is_default: "true"
    })
    expect(added.location).toBe(`${path}?done=CreateTaxRate`)
    expect(await lastEntry(id)).toMatchObject({
      actor: `user:${admin.user.id}`,
      action: "tax_rate.created",
      data: { name: "TVA 5,5 %", rate: "5.5" }
    })
    expect((await admin.get(path)).text).toMatch(/TVA 5,5 % <span class="tag">default<\/span>[^]*?5\.5 %, S: standard/)
  })

  it("are changed, and archived so that new documents cannot use them", async () => {
    const { admin, id, path, tax_rate_ids } = await setting()
    const one = `${path}/${tax_rate_ids[0]}`
    const shown = await admin.get(one)
    expect(shown.text).toMatch(/id="rate"[^>]*value="21"/)
    const changes = { name: "BTW", rate: "20.5", category: "L", archived: "true" }
    expect((await fill(admin, one, changes)).location).toBe(`${path}?done=UpdateTaxRate`)
    expect(await lastEntry(id)).toMatchObject({ action: "tax_rate.updated", data: { archived: true, rate: "20.5" } })
    const { text } = await admin.get(path)
    expect(text).toContain("archived</span>")
    expect(text).toContain("20.5 %, L: Canary Islands (IGIC)")
  })

  it("are chosen as default", async () => {
    const { admin, id, path, tax_rate_ids } = await setting([21, 12, 6])
    const [, second = 0, third = 0] = tax_rate_ids
    const chosen = [String(second), String(third)]
    expect((await fill(admin, `${path}/defaults`, { tax_rate_ids: chosen })).location).toBe(
      `${path}?done=SetDefaultTaxRates`
    )
    expect(await lastEntry(id)).toMatchObject({
      action: "tax_rate.defaults_set",
      data: { tax_rate_ids: [second, third] }
    })
    const { text } = await admin.get(`${path}/defaults`)
    expect(text.match(/checked/g)).toHaveLength(2)
    expect((await fill(admin, `${path}/defaults`, {})).status).toBe(303)
    expect((await admin.get(`${path}/defaults`)).text).not.toContain("checked")
  })

  it("are added until the limit of an organization is reached", async () => {
    const { admin, id, path } = await setting()
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          insert into tax_rates (organization_id, name, rate, category, is_default)
          select ${id}, 'Rate ' || n, 1, 'S', false from generate_series(2, ${tax_rates_kept_max}::integer) n`
      )
    )
    expect((await admin.get(path)).text).toContain("Page 1 of 8, 200 in all")
    const last = await admin.get(`${path}?page=8`)
    expect(last.text.match(/Rate \d+\s/g)).toHaveLength(25)
    const before = await state()
    const refused = await fill(admin, `${path}/new`, { name: "VAT", rate: "21", category: "S", is_default: "false" })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("An organization may not have more than 200 tax rates, archived ones included.")
    expect(await state()).toBe(before)
  })

  it("refuse invalid rates, and rates of another organization", async () => {
    const { admin, path, tax_rate_ids } = await setting()
    const foreign = await setting()
    const before = await state()
    const draft = { name: "VAT", rate: "21", category: "S", is_default: "false" }
    for (const [fields, sentence] of [
      [{ ...draft, name: "" }, "Name may not be empty."],
      [{ ...draft, rate: "5.55555" }, "Percent may not have more than 4 decimal places."],
      [{ ...draft, rate: "101" }, "Percent must be a percentage from 0 to 100."],
      [{ ...draft, rate: "much" }, "Percent must be"],
      [{ ...draft, category: "X" }, "Category must be"]
    ] as const) {
      for (const form of [`${path}/new`, `${path}/${tax_rate_ids[0]}`]) {
        const refused = await fill(admin, form, fields)
        expect([form, refused.status]).toEqual([form, 422])
        expect(refused.text).toContain(sentence)
      }
    }
    expect((await fill(admin, `${path}/${foreign.tax_rate_ids[0]}`, draft)).status).toBe(404)
    const taken = await fill(admin, `${path}/defaults`, { tax_rate_ids: [String(foreign.tax_rate_ids[0])] })
    expect([taken.status, taken.text.includes("One of the rates is no longer in use.")]).toEqual([422, true])
    expect(await state()).toBe(before)
  })
})
