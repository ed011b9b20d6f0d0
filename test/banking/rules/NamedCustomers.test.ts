import { assert, describe, it } from "vitest"
import { importer, openAccount } from "../Books.ts"
import { today, useLines } from "../Lines.ts"

const { app, opened } = useLines()

const shop = async () => {
  const { books } = await opened()
  await books.made("POST", "/bank-rules", {
    name: "Shop",
    direction: "credit",
    auto_add: true,
    conditions: [{ type: "amount_min", value: 1 }],
    actions: { document_type: "invoice", counterparty_name: "Shop" }
  })
  const account = await openAccount(app, books.id, { iban: null })
  const upload = async (...rows: ReadonlyArray<string>) => {
    const content = ["Date;Amount;Name;Counterparty IBAN", ...rows.map((row) => `${today};${row}`)].join("\n")
    return (await importer(app, books)(account, content)).data
  }
  const customers = () => books.made("GET", "/customers?search=Shop")
  return { books, upload, customers }
}

describe("A rule with the name of a customer", () => {
  it("books on the customer with the line's IBAN, else on the only customer of this name", async () => {
    const { books, customers, upload } = await shop()
    const { auto_booked } = await upload("10,00;X;BE71096123456769", "11,00;X;BE71096123456769", "12,00;Y;")
    assert.equal(auto_booked, 3)
    const [customer, ...others] = await customers()
    assert.deepEqual(others, [])
    assert.equal((await books.made("GET", `/invoices?customer_id=${customer.id}`)).length, 3)
  })

  it("books nothing while several customers have this name, and says so", async () => {
    const { books, customers, upload } = await shop()
    for (const _ of [1, 2]) await books.made("POST", "/customers", { name: "Shop" })
    const { auto_booked, warnings } = await upload("10,00;X;", "11,00;Y;")
    assert.equal(auto_booked, 0)
    const refused = warnings.filter(({ code }: { readonly code: string }) => code === "rule_not_applied")
    assert.equal(refused.length, 1)
    assert.match(refused[0].message, /^Rule \d+ did not book 2 lines: .* several customers have the name/)
    const transaction_ids = (await books.made("GET", "/bank-transactions")).map(({ id }: { id: number }) => id)
    const confirmed = async () =>
      (await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids })).results.map(
        ({ reason, status }: { readonly reason?: string; readonly status: string }) => [status, reason]
      )
    const failed = ["failed", "customer_required"]
    assert.deepEqual(await confirmed(), [failed, failed])
    const [{ id }, other] = await customers()
    await books.made("DELETE", `/customers/${other.id}`)
    const done = ["confirmed", undefined]
    assert.deepEqual(await confirmed(), [done, done])
    assert.equal((await books.made("GET", `/invoices?customer_id=${id}`)).length, 2)
  })
})
