import { assert, describe, it } from "vitest"
import { line, useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)
const iban = "BE71096123456769"

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  let lines = 0
  /** Imports one line with the IBAN and returns its id. */
  const arrived = async (amount: string, name: string): Promise<number> => {
    const row = [today, amount, name, `Line ${++lines}`, iban].join(";")
    await importer(app, books)(account, `Date;Amount;Name;Description;Counterparty IBAN\n${row}`)
    return (await books.made("GET", "/bank-transactions?per_page=1&sort=-id"))[0].id
  }
  const customer = async (name: string): Promise<number> => (await books.made("POST", "/customers", { name })).id
  const issued = (customer_id: number, amount: number) =>
    books.issued({ customer_id, items: [line(amount, { tax_exempt: true })] })
  const expense = (vendor: string, amount: number) =>
    books.made("POST", "/expenses", {
      expense_date: today,
      category: "rent",
      amount,
      currency: "EUR",
      description: "x",
      vendor
    })
  const rule = (name: string) =>
    books.made("POST", "/bank-rules", {
      name: "All",
      auto_add: true,
      conditions: [{ type: "amount_min", value: 1 }],
      actions: { category: "other", counterparty_name: name }
    })
  const match = (id: number, body: object) => books.made("POST", `/bank-transactions/${id}/match`, body)
  const suggested = async (id: number) => {
    const { suggestion } = await books.made("GET", `/bank-transactions/${id}`)
    return suggestion === null ? null : `${suggestion.type} ${suggestion.id}`
  }
  const prefilled = async (id: number) => {
    const {
      id: party,
      match,
      type
    } = (await books.made("GET", `/bank-transactions/${id}/document-prefill`)).counterparty
    return [type, party, match]
  }
  const create = (id: number) => books.made("POST", `/bank-transactions/${id}/create-document`, {})
  return { books, arrived, customer, issued, expense, rule, match, suggested, prefilled, create }
}

describe("the IBAN of a firm that is customer and supplier", () => {
  it("does not speak against an expense while it is known only for the customer", async () => {
    const { arrived, books, customer, expense, issued, match, rule, suggested } = await opened()
    const invoice = await issued(await customer("Gamma Works"), 50)
    await match(await arrived("50,00", "Gamma Works"), { invoice_id: invoice.id })
    await rule("Gamma Works")
    const { id } = await expense("Gamma Works", 40)
    assert.equal(await suggested(await arrived("-40,00", "Gamma Works")), `expense ${id}`)
    assert.equal((await books.made("GET", "/expenses")).length, 1)
  })

  it("does not speak against an invoice while it is known only for the supplier", async () => {
    const { arrived, books, customer, expense, issued, match, rule, suggested } = await opened()
    const { id } = await expense("Gamma Works", 40)
    await match(await arrived("-40,00", "Gamma Works"), { expense_id: id })
    await rule("Gamma Works")
    const invoice = await issued(await customer("Gamma Works"), 50)
    assert.equal(await suggested(await arrived("50,00", "Gamma Works")), `invoice ${invoice.id}`)
    assert.equal((await books.made("GET", "/invoices")).length, 1)
  })

  it("speaks against a document as soon as it is known for another party of the document's kind", async () => {
    const { arrived, customer, expense, issued, match, suggested } = await opened()
    const { id } = await expense("Delta", 40)
    const invoice = await issued(await customer("Delta"), 50)
    await match(await arrived("-40,00", "Delta"), { expense_id: id })
    await match(await arrived("50,00", "Delta"), { invoice_id: invoice.id })
    await expense("Gamma Works", 41)
    await issued(await customer("Gamma Works"), 51)
    assert.deepEqual(await suggested(await arrived("-41,00", "Gamma Works")), null)
    assert.deepEqual(await suggested(await arrived("51,00", "Gamma Works")), null)
  })

  it("leads a credit to the customer of the same name although it is known only for the supplier", async () => {
    const { arrived, books, create, customer, expense, match, prefilled } = await opened()
    const wanted = await customer("Gamma Works")
    const { id } = await expense("Gamma Works", 40)
    await match(await arrived("-40,00", "Gamma Works"), { expense_id: id })
    const credit = await arrived("50,00", "GAMMA WORKS")
    assert.deepEqual(await prefilled(credit), ["customer", wanted, "fuzzy"])
    const { invoice_id } = await create(credit)
    assert.equal((await books.invoice(invoice_id)).customer_id, wanted)
    assert.deepEqual(await prefilled(await arrived("60,00", "Somebody")), ["customer", wanted, "iban"])
  })

  it("leads a credit to the customer even if the supplier's name is the more similar one", async () => {
    const { arrived, customer, expense, match, prefilled } = await opened()
    const wanted = await customer("Gamma Works Benelux")
    const { id } = await expense("Gamma Works", 40)
    await match(await arrived("-40,00", "Gamma Works"), { expense_id: id })
    assert.deepEqual(await prefilled(await arrived("50,00", "Gamma Works")), ["customer", wanted, "fuzzy"])
  })

  it("leads a debit to the vendor of a similar name although it is known only for the customer", async () => {
    const { arrived, customer, expense, issued, match, prefilled } = await opened()
    const known = await customer("Gamma Works")
    const invoice = await issued(known, 50)
    await match(await arrived("50,00", "Gamma Works"), { invoice_id: invoice.id })
    assert.deepEqual(await prefilled(await arrived("-40,00", "Gamma Works")), ["customer", known, "iban"])
    await expense("Gamma Works NV", 1)
    const [type, , how] = await prefilled(await arrived("-41,00", "Gamma Works"))
    assert.deepEqual([type, how], ["vendor", "fuzzy"])
  })
})
