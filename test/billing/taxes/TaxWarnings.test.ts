import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, issuing, line, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open({ country: "BE" })
  await books.made("PUT", `/organizations/${books.id}`, { tax_number: "BE0202239951" })
})

const untaxed = (reason: string) => ({ items: [line(100, { tax_exempt: true, tax_exemption_reason: reason })] })

const supply = { ...untaxed("K"), delivery_date: "2026-03-02" }

/** The warnings of a draft for a new customer. */
const warningsOf = async (customer: object, changes: object, seller = books) => {
  const { id: customer_id } = await seller.made("POST", "/customers", { name: "Gamma", ...customer })
  return (await seller.draft({ customer_id, ...changes })).warnings
}

const to = (country: string, postal_code: string | null = null) => ({
  delivery_address: { name: "Gamma", address_line1: "1 Road", city: "Town", postal_code, country }
})

describe("the warnings about the taxes of an invoice", () => {
  it("name a missing tax number of the customer, from the draft to its issue", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Gamma", country: "FR" })
    for (const content of [untaxed("AE"), supply]) {
      for (const [index] of issuing(0).entries()) {
        const draft = await books.draft({ customer_id, ...content })
        const [path, body] = issuing(draft.id)[index] ?? ["", {}]
        const { data } = (await books.call("POST", path, body)).body
        const answered = path === "/payments" ? draft : data
        expect([path, draft.warnings, answered.warnings]).toEqual([path, missing, missing])
      }
    }
    const draft = await books.draft({ customer_id })
    const changed = await books.made("PUT", `/invoices/${draft.id}`, untaxed("AE"))
    expect([draft.warnings, changed.warnings]).toEqual([undefined, missing])
    expect((await books.invoice(draft.id)).warnings).toBeUndefined()
    const sent = await books.send(draft)
    expect(sent).toMatchObject({ status: "sent", warnings: missing })
    expect((await books.made("PUT", `/invoices/${draft.id}`, { due_date: "2999-04-30" })).warnings).toBeUndefined()
  })

  it("are in the answers of every request that writes a draft", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Gamma", country: "FR" })
    const body = books.body({ customer_id, ...untaxed("AE") })
    const created = await books.made("POST", "/batch/invoices/create", { invoices: [body] })
    const draft = created.results[0].data
    const updates = [{ id: draft.id, notes: "Changed" }]
    const updated = await books.made("POST", "/batch/invoices/update", { updates })
    const quote = await books.made("POST", "/quotes", { ...body, valid_until: "2999-03-31" })
    const converted = await books.made("POST", `/quotes/${quote.id}/convert-to-invoice`)
    const copy = await books.made("POST", `/invoices/${draft.id}/duplicate`)
    for (const answer of [draft, updated.results[0].data, converted, copy]) expect(answer.warnings).toEqual(missing)
  })

  it("name a payee without an account of its own", async () => {
    const payee = { name: "Factor NV" }
    const account = { method: "bank_transfer", iban: "BE68539007547034" }
    const card = { method: "card", card_last_digits: "1234" }
    expect((await books.draft({ payee })).warnings).toEqual(["payee_iban_missing"])
    expect((await books.draft({ payee, payment_means: { method: "bank_transfer" } })).warnings).toEqual([
      "payee_iban_missing"
    ])
    for (const payment_means of [account, card]) {
      expect((await books.draft({ payee, payment_means })).warnings).toBeUndefined()
    }
  })

  it("name an intra-community supply within one state, or to a country outside of the EU", async () => {
    const within: ReadonlyArray<readonly [object, object]> = [
      [{ country: "FR", tax_number: "FR40303265045" }, {}],
      [{ country: "GR", tax_number: "el123456783" }, {}],
      [{ country: "CH", tax_number: "DE123456788" }, {}],
      [{ country: "GB", tax_number: "XI123456782" }, to("GB")],
      [{ country: "BE", tax_number: "FR40303265045" }, to("FR")],
      [{ country: "MC", tax_number: "FR40303265045" }, to("MC", "98000")]
    ]
    for (const [customer, place] of within) {
      expect([customer, await warningsOf(customer, { ...supply, ...place })]).toEqual([customer, undefined])
    }
    const outside: ReadonlyArray<readonly [object, object]> = [
      [{ country: "BE", tax_number: "BE0404616494" }, {}],
      [{ country: "GB", tax_number: "GB123456782" }, {}],
      [{ country: "CH", tax_number: "CHE-123.456.788 MWST" }, {}],
      [{ country: "FR", tax_number: "FR40303265045" }, to("BE")],
      [{ country: "FR", tax_number: "FR40303265045" }, to("US")],
      [{ country: "BE", tax_number: "BE0404616494" }, to("MC", "98000")]
    ]
    for (const [customer, place] of outside) {
      expect([customer, await warningsOf(customer, { ...supply, ...place })]).toEqual([customer, doubtful])
    }
  })

  it("name an intra-community supply without the date or the period of its delivery", async () => {
    const customer = { country: "FR", tax_number: "FR40303265045" }
    const delivery_period = { start: "2026-03-01", end: "2026-03-31" }
    expect(await warningsOf(customer, untaxed("K"))).toEqual(["delivery_date_missing"])
    expect(await warningsOf(customer, { ...untaxed("K"), delivery_period })).toBeUndefined()
    expect(await warningsOf(customer, untaxed("AE"))).toBeUndefined()
  })

  it("name an export that stays in the EU, unless the goods leave it or its VAT area", async () => {
    const business = { country: "FR", tax_number: "FR40303265045" }
    expect(await warningsOf({ country: "US" }, untaxed("G"))).toBeUndefined()
    expect(await warningsOf(business, untaxed("G"))).toEqual(doubtful)
    expect(await warningsOf({ country: "BE" }, untaxed("G"))).toEqual(doubtful)
    expect(await warningsOf(business, { ...untaxed("G"), ...to("US") })).toBeUndefined()
    expect(await warningsOf(business, { ...untaxed("G"), ...to("ES", "35001") })).toBeUndefined()
    expect(await warningsOf(business, { ...untaxed("G"), ...to("ES", "28001") })).toEqual(doubtful)
    const monaco = await warningsOf({ country: "MC", postal_code: "98000" }, untaxed("G"))
    expect([monaco, await warningsOf({ country: "FR", postal_code: "98000" }, untaxed("G"))]).toEqual([
      doubtful,
      doubtful
    ])
    expect(await warningsOf({ country: "FR", postal_code: "98800" }, untaxed("G"))).toBeUndefined()
    const british = await open({ country: "GB", rates: [20] })
    expect(await warningsOf(business, untaxed("G"), british)).toBeUndefined()
    expect(await warningsOf({ country: "GB" }, untaxed("G"), british)).toEqual(doubtful)
  })

  it("name a line without a tax rate in an organization without default rates, unless the line is exempt", async () => {
    const rateless = await open({ country: "US", rates: [] })
    const draft = await rateless.draft()
    expect(draft.warnings).toEqual(["tax_rate_missing"])
    expect((await rateless.send(draft)).warnings).toEqual(["tax_rate_missing"])
    const exempt = { items: [line(100, { tax_exempt: true })] }
    expect((await rateless.draft(exempt)).warnings).toBeUndefined()
    expect((await books.draft()).warnings).toBeUndefined()
  })

  it("name the rate of a third country, and the seller's rate of goods for a consumer in another state", async () => {
    const goods = { operation_nature: "goods" }
    const consumer = { country: "FR" }
    expect(await warningsOf(consumer, goods)).toEqual(["tax_rate_doubtful"])
    expect(await warningsOf(consumer, {})).toBeUndefined()
    expect(await warningsOf(consumer, { operation_nature: "services" })).toBeUndefined()
    expect(await warningsOf({ country: "BE" }, goods)).toBeUndefined()
    expect(await warningsOf({ country: "US" }, goods)).toBeUndefined()
    expect(await warningsOf({ country: "FR", tax_number: "FR40303265045" }, goods)).toBeUndefined()
    expect(await warningsOf(consumer, { ...goods, ...to("BE") })).toBeUndefined()
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update tax_rates set country = 'FR' where organization_id = ${books.id}`
      )
    )
    expect(await warningsOf(consumer, goods)).toBeUndefined()
    expect(await warningsOf({ country: "DE" }, goods)).toEqual(["tax_rate_doubtful"])
    expect(await warningsOf({ country: "DE" }, to("FR"))).toBeUndefined()
  })
})

const missing = ["customer_tax_number_missing"]
const doubtful = ["tax_category_doubtful"]
