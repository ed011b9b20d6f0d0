import { BigDecimal, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import type { TaxRateChanges, TaxRateDraft } from "../../../src/billing/taxes/TaxRate.ts"
import { tax_rates_kept_max, TaxRates } from "../../../src/billing/taxes/TaxRates.ts"
import { usualTaxRates } from "../../../src/billing/taxes/UsualTaxRates.ts"
import { CountryCode } from "../../../src/kernel/Country.ts"
import { OrganizationId, TaxRateId } from "../../../src/kernel/Ids.ts"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()
let ours: Books
let theirs: Books

beforeAll(async () => {
  ours = await open()
  theirs = await open()
})

const using = <A, E>(use: (rates: TaxRates["Service"]) => Effect.Effect<A, E>) =>
  app.run(Effect.flatMap(TaxRates, use).pipe(Effect.provide(TaxRates.layer)))

const create = (books: Books, rate: string, changes: Partial<TaxRateDraft> = {}) => {
  const draft = { name: `VAT ${rate}%`, category: "S" as const, is_default: false, ...changes }
  const percent = BigDecimal.fromStringUnsafe(rate)
  return using((rates) => rates.create(OrganizationId.make(books.id), { ...draft, rate: percent }, "admin"))
}
const update = (books: Books, id: number, changes: TaxRateChanges) =>
  using((rates) => rates.update(OrganizationId.make(books.id), TaxRateId.make(id), changes, "admin"))
const setDefaults = (books: Books, ids: ReadonlyArray<number>) =>
  using((rates) =>
    rates.setDefaults(
      OrganizationId.make(books.id),
      ids.map((id) => TaxRateId.make(id)),
      "admin"
    )
  )
const list = (books: Books) => using((rates) => rates.list(OrganizationId.make(books.id)))

const germany = CountryCode.make("DE")

const named = (tax_rate_ids: ReadonlyArray<number>) => ({ items: [line(100, { tax_rate_ids })] })

describe("TaxRates", () => {
  it("gives a new organization the usual rates of its country, the standard one as default", async () => {
    const empty = await open({ rates: [] })
    await using((rates) => rates.openUsual(OrganizationId.make(empty.id), CountryCode.make("BE"), "system"))
    const rates = await list(empty)
    expect(rates.map(({ category, is_default, rate }) => [BigDecimal.format(rate), category, is_default])).toEqual([
      ["21", "S", true],
      ["12", "S", false],
      ["6", "S", false],
      ["0", "Z", false]
    ])
    expect(await empty.draft()).toMatchObject({ tax_total: 21, total: 121 })
    const { entries } = await app.run(verifiedAuditLog(empty.id))
    expect(entries.filter(({ action }) => action === "tax_rate.created")).toHaveLength(4)
  })

  it.each([
    ["FR", ["TVA 20 %", "TVA 10 %", "TVA 5,5 %", "TVA 2,1 %", "TVA 0 %"]],
    ["DE", ["USt 19 %", "USt 7 %", "USt 0 %"]],
    ["NL", ["BTW 21%", "BTW 9%", "BTW 0%"]],
    ["GB", ["VAT 20%", "VAT 5%", "VAT 0%"]],
    // Rates that changed in 2026.
    ["AT", ["USt 20 %", "USt 13 %", "USt 10 %", "USt 4,9 %", "USt 0 %"]],
    ["FI", ["ALV 25,5 %", "ALV 13,5 %", "ALV 10 %", "ALV 0 %"]],
    ["LT", ["PVM 21 %", "PVM 12 %", "PVM 5 %", "PVM 0 %"]],
    // Italian law has no zero rate.
    ["IT", ["IVA 22%", "IVA 10%", "IVA 5%", "IVA 4%"]]
  ])("names the usual rates as the language of the country writes them: %s", (country, rates) => {
    expect(usualTaxRates(CountryCode.make(country)).map(({ name }) => name)).toEqual(rates)
  })

  it("applies every default rate to a line without a rate that is not exempt", async () => {
    const both = await open({ rates: [10, 5] })
    await setDefaults(both, both.tax_rate_ids)
    const [taxed, exempt] = (await both.draft({ items: [line(100), line(100, { tax_exempt: true })] })).items
    expect(taxed.tax_rates.map((rate: { tax_amount: number }) => rate.tax_amount)).toEqual([10, 5])
    expect(exempt).toMatchObject({ tax_amount: 0, tax_rates: [] })
  })

  it("keeps the rate an invoice was priced with when the rate changes; duplicates get the new one", async () => {
    const books = await open()
    const adjusted = { discounts: [{ description: "Rebate", amount: 10 }] }
    const invoice = await books.issued()
    const { due_date, ...body } = books.body(adjusted)
    const quote = await books.made("POST", "/quotes", { ...body, valid_until: due_date })
    await update(books, books.tax_rate_ids[0] ?? 0, { rate: BigDecimal.fromStringUnsafe("25"), name: "VAT 25%" })
    expect(await books.invoice(invoice.id)).toMatchObject({ tax_total: 21, total: 121 })
    expect(await books.made("POST", `/invoices/${invoice.id}/duplicate`)).toMatchObject({ tax_total: 25, total: 125 })
    expect(await books.made("POST", `/quotes/${quote.id}/duplicate`)).toMatchObject({ tax_total: 22.5, total: 112.5 })
    const converted = await books.made("POST", `/quotes/${quote.id}/convert-to-invoice`)
    expect(converted).toMatchObject({ tax_total: 18.9, total: 108.9 })
    expect(await books.draft()).toMatchObject({ tax_total: 25, total: 125 })
  })

  it("keeps an archived rate in the duplicate of a document, warns, and lets the draft be corrected or issued", async () => {
    const books = await open()
    const { id } = await create(books, "6")
    const { due_date, ...body } = books.body(named([id]))
    const invoice = await books.issued(named([id]))
    const quote = await books.made("POST", "/quotes", { ...body, valid_until: due_date })
    expect(await books.made("POST", `/invoices/${invoice.id}/duplicate`)).not.toHaveProperty("warnings")
    await update(books, id, { archived: true })
    for (const path of [`/invoices/${invoice.id}`, `/quotes/${quote.id}`]) {
      const copy = await books.made("POST", `${path}/duplicate`)
      expect(copy).toMatchObject({ status: "draft", total: 106, warnings: ["tax_rate_archived"] })
      expect(copy.items[0].tax_rates).toMatchObject([{ id, rate: 6 }])
    }
    const copy = await books.made("POST", `/invoices/${invoice.id}/duplicate`)
    const corrected = await books.made("PUT", `/invoices/${copy.id}`, { items: books.body().items })
    expect(corrected).toMatchObject({ total: 121 })
    const kept = await books.send(await books.made("POST", `/invoices/${invoice.id}/duplicate`))
    expect(kept).toMatchObject({ status: "sent", total: 106 })
  })

  it("keeps an archived rate in the invoice that a quote becomes, as the customer accepted it, and warns", async () => {
    const books = await open()
    const { id } = await create(books, "6")
    const convert = async (rates: ReadonlyArray<number>) => {
      const { due_date: valid_until, ...body } = books.body(named(rates))
      const quote = await books.made("POST", "/quotes", { ...body, valid_until })
      await books.made("POST", `/quotes/${quote.id}/mark-accepted`)
      return () => books.made("POST", `/quotes/${quote.id}/convert-to-invoice`)
    }
    const [lasting, ending] = [await convert([]), await convert([id])]
    await update(books, id, { archived: true })
    expect(await lasting()).not.toHaveProperty("warnings")
    const invoice = await ending()
    expect(invoice).toMatchObject({ status: "draft", total: 106, warnings: ["tax_rate_archived"] })
    expect(invoice.items[0].tax_rates).toMatchObject([{ id, rate: 6 }])
  })

  it("no longer applies an archived rate: not by default, and 422 where a line names it", async () => {
    const books = await open()
    const { id } = await create(books, "6")
    expect((await books.draft(named([id]))).total).toBe(106)
    await update(books, id, { archived: true })
    const refused = await books.call("POST", "/invoices", books.body(named([id])))
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["items.0.tax_rate_ids.0"]])
    await update(books, books.tax_rate_ids[0] ?? 0, { archived: true })
    expect((await books.draft()).total).toBe(100)
  })

  it("accepts an exemption code only with a category without tax, and lets it and the country be cleared", async () => {
    const books = await open()
    await expect(create(books, "21", { exemption_code: "VATEX-EU-132" })).rejects.toMatchObject({
      errors: { exemption_code: [expect.stringContaining("E, AE, K, G, O")] }
    })
    const { id } = await create(books, "0", { category: "E", exemption_code: "VATEX-EU-132", country: germany })
    await expect(update(books, id, { category: "S" })).rejects.toMatchObject({ _tag: "ValidationFailed" })
    const cleared = await update(books, id, { category: "S", exemption_code: null, country: null })
    expect(cleared).toMatchObject({ category: "S", exemption_code: null, country: null })
  })

  it("accepts a percentage only with a category that has tax, and lets a rate of an earlier version be archived", async () => {
    const books = await open()
    const percent = BigDecimal.fromStringUnsafe
    const none = { errors: { rate: [expect.stringContaining("must be 0 in category")] } }
    const untaxed = ["Z", "E", "AE", "K", "G", "O"] as const
    for (const category of untaxed) await expect(create(books, "20", { category })).rejects.toMatchObject(none)
    const split = { category: "AE", exemption_code: "VATEX-IT-S-22" } as const
    await expect(create(books, "22", split)).rejects.toMatchObject(none)
    const { id } = await create(books, "0", split)
    await expect(update(books, id, { rate: percent("22") })).rejects.toMatchObject(none)
    const [standard = 0] = books.tax_rate_ids
    await expect(update(books, standard, { category: "AE" })).rejects.toMatchObject(none)
    for (const category of ["L", "M"] as const) await create(books, "7", { category })
    await app.inDatabase(`update tax_rates set rate = 22 where id = ${id}`)
    const kept = await update(books, id, { rate: percent("22"), category: "AE", archived: true })
    expect(kept).toMatchObject({ archived: true, category: "AE" })
    expect(await update(books, id, { rate: percent("0"), archived: false })).toMatchObject({ archived: false })
  })

  it("stores no country for a rate of the organization's own country, so that it is no One Stop Shop rate", async () => {
    const books = await open()
    const { country: own } = await books.made("GET", `/organizations/${books.id}`)
    const country = CountryCode.make(own)
    const rate = await create(books, "21", { country })
    expect(rate.country).toBeNull()
    const abroad = await update(books, rate.id, { country: germany })
    expect(abroad.country).toBe("DE")
    const home = await update(books, rate.id, { country })
    expect(home.country).toBeNull()
  })

  it("knows no rate of another organization", async () => {
    const [foreign = 0] = theirs.tax_rate_ids
    await expect(update(ours, foreign, { name: "Stolen" })).rejects.toMatchObject({ _tag: "NotFound" })
    await expect(setDefaults(ours, [foreign])).rejects.toMatchObject({ _tag: "NotFound" })
    expect((await list(ours)).filter(({ is_default }) => is_default)).toHaveLength(1)
    expect(await list(theirs)).toMatchObject([{ id: foreign, name: "VAT 21%", is_default: true }])
  })

  it("are two hundred at most, archived ones included, however many are added at the same time", async () => {
    const full = await open({ rates: [21] })
    const present = tax_rates_kept_max - 2
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          insert into tax_rates (organization_id, name, rate, category, is_default, archived_at)
          select ${full.id}, 'Old', 1, 'S', false, now() from generate_series(2, ${present}::integer)`
      )
    )
    const answers = await Promise.allSettled(["1", "2", "3", "4", "5"].map((rate) => create(full, rate)))
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(2)
    expect(await list(full)).toHaveLength(tax_rates_kept_max)
    await expect(create(full, "9")).rejects.toThrow("may not have more than 200 tax rates")
    expect(await list(full)).toHaveLength(tax_rates_kept_max)
    await app.run(verifiedAuditLog(full.id))
  })
})

describe("/api/v1/tax-rates", () => {
  it("lists the rates that lines may name, archived ones last, by page and by each filter", async () => {
    const books = await open({ rates: [21, 6] })
    const exempt = await create(books, "0", { category: "E", exemption_code: "VATEX-EU-132" })
    const oss = await create(books, "19", { country: germany })
    await update(books, books.tax_rate_ids[1] ?? 0, { archived: true })
    const [standard = 0, archived = 0] = books.tax_rate_ids
    const ids = async (query: string) => {
      const { body } = await books.call("GET", `/tax-rates${query}`)
      return body.data.map((rate: { id: number }) => rate.id)
    }
    expect(await ids("")).toEqual([standard, exempt.id, oss.id, archived])
    expect(await ids("?per_page=3&page=2")).toEqual([archived])
    expect(await ids("?archived=true")).toEqual([archived])
    expect(await ids("?is_default=true")).toEqual([standard])
    expect(await ids("?category=E")).toEqual([exempt.id])
    expect(await ids("?country=DE")).toEqual([oss.id])
    expect((await books.call("GET", "/tax-rates?category=X")).status).toBe(422)
    expect(await books.made("GET", `/tax-rates/${exempt.id}`)).toEqual({
      id: exempt.id,
      name: "VAT 0%",
      rate: 0,
      category: "E",
      country: null,
      exemption_code: "VATEX-EU-132",
      is_default: false,
      archived: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/)
    })
  })
})
