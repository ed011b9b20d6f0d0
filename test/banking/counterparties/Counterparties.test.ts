import { assert, describe, it } from "vitest"
import { nameOf, similarity } from "../../../src/banking/texts/Words.ts"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)

/** Creates an organization with a bank line of each amount and name. */
const opened = async (...given: ReadonlyArray<readonly [amount: string, name: string]>) => {
  const books = await open()
  const account = await openAccount(app, books.id)
  await importer(app, books)(
    account,
    table(...given.map(([amount, name], index) => [today, amount, name, `Line ${index}`] as const))
  )
  const lines: ReadonlyArray<{ readonly id: number }> = await books.made(
    "GET",
    "/bank-transactions?per_page=100&sort=id"
  )
  const path = (index: number, action: string) => `/bank-transactions/${lines[index]?.id}/${action}`
  const partyOf = async (index: number) => (await books.made("GET", path(index, "document-prefill"))).counterparty
  const create = (index: number, body: object = {}) => books.call("POST", path(index, "create-document"), body)
  return { books, create, partyOf }
}

const names = [
  "Société Générale",
  "Straßenbau Müller GmbH",
  "J.P. Morgan",
  "Kaufmannschaftshaus",
  "Peeters Jan",
  "Customer 12",
  "Customer 13",
  "KBC NV",
  "Verzekeringsmaatschappij Noordzee",
  "Ångström Æther ApS",
  "De Decker Bouwonderneming Antwerpen",
  "Jan Janssens Elektriciteitswerken Antwerpen",
  "山田商店",
  "Газпром",
  "Παπαδόπουλος Ελλάς ΑΕ"
]
const spellings = [
  "SOCIETE GENERALE SA",
  "Strassenbau Mueller",
  "Strassenbau Muller GmbH & Co KG",
  "JP Morgan Bank Luxembourg",
  "Aufmannschaftshaus",
  "Jan Karel Peeters",
  "CUSTOMER 13",
  "Customer 14",
  "KBC",
  "Verzekeringsm Noordzee",
  "Angstrom Aether",
  "Nobody Else",
  "DE DECKER",
  "Jan Janssens",
  "Jan Janssens Elektriciteitsw",
  "DE DECKER BOUW",
  "山田商店",
  "山田商店",
  "ГАЗПРОМ",
  "Газпром",
  "ΠΑΠΑΔΟΠΟΥΛΟΣ",
  "Παπαδόπουλος Ελλάς"
]

describe("the other party of a bank line", () => {
  it("is the same as if all names were compared", async () => {
    const { books, partyOf } = await opened(
      ...spellings.map((name, index) => [index % 2 === 0 ? "10,00" : "-10,00", name] as const)
    )
    for (const name of names) await books.made("POST", "/customers", { name })
    const expense = { expense_date: today, category: "x", amount: 1, currency: "EUR", description: "x" }
    for (const name of names) await books.made("POST", "/expenses", { ...expense, vendor: name })
    for (const [index, spelling] of spellings.entries()) {
      const alike = names.map((name) => ({ name, likeness: similarity(nameOf(spelling), nameOf(name)) }))
      const [best] = alike.toSorted((left, right) => right.likeness - left.likeness)
      const expected = best !== undefined && best.likeness >= 0.6 ? best.name : spelling
      const { name, type } = await partyOf(index)
      assert.deepEqual([name, type], [expected, index % 2 === 0 ? "customer" : "vendor"], spelling)
    }
  })

  it("is found by a contained name, although many names have the same first word", async () => {
    const { books, partyOf } = await opened(["10,00", "DE DECKER"])
    const wanted = await books.made("POST", "/customers", { name: "De Decker Bouwonderneming Antwerpen" })
    await app.inDatabase(`
      insert into counterparties (id, organization_id, name, is_customer, is_vendor)
      select nextval('customers_id_seq'), ${books.id},
        'De Be ' || repeat(chr(97 + n % 26), 3) || repeat(chr(97 + n / 26), 3),
        false, true
      from generate_series(0, 300) n`)
    assert.equal((await partyOf(0)).id, wanted.id)
  })

  it("is nobody if several customers have the name, and create-document asks for one of them", async () => {
    const { books, create, partyOf } = await opened(["50,00", "Jan Peeters"], ["60,00", "JAN PEETERS"])
    const first = await books.made("POST", "/customers", { name: "Jan Peeters" })
    await books.made("POST", "/customers", { name: "Jan Peeters" })
    assert.deepEqual(await partyOf(0), {
      id: null,
      type: "customer",
      name: "Jan Peeters",
      match: "none",
      confidence: 0
    })
    const refused = await create(0)
    assert.deepEqual([refused.status, refused.body.code], [422, "customer_required"])
    const { body } = await create(0, { counterparty_id: first.id })
    assert.equal((await books.invoice(body.data.invoice_id)).customer_id, first.id)
    const made = await create(1, { counterparty_name: "Jan Peeters junior" })
    assert.equal(made.status, 201)
  })

  it("is the one with exactly the name, rather than one with another legal form", async () => {
    const { books, partyOf } = await opened(["50,00", "ALFA NV"], ["-60,00", "Alfa"])
    const wanted = await books.made("POST", "/customers", { name: "Alfa NV" })
    await books.made("POST", "/customers", { name: "Alfa BV" })
    assert.equal((await partyOf(0)).id, wanted.id)
    assert.equal((await partyOf(1)).match, "none")
  })

  it("is the latest of several vendors with the name, whose category the expense gets", async () => {
    const { books, create } = await opened(["-10,00", "PROXIMUS SA"], ["-20,00", "One"], ["-30,00", "Two"])
    await create(1, { counterparty_name: "Proximus", category: "office_supplies" })
    await create(2, { counterparty_name: "Proximus NV", category: "telecom" })
    const { body } = await create(0)
    const expense = await books.made("GET", `/expenses/${body.data.expense_id}`)
    assert.deepEqual([expense.vendor, expense.category], ["Proximus NV", "telecom"])
  })
})
