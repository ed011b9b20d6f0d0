import { assert, describe, it } from "vitest"
import { importer, openAccount } from "../Books.ts"
import { today, useLines } from "../Lines.ts"

const { app, opened } = useLines()

describe("A rule with the name of a customer", () => {
  it("books on the customer with the line's IBAN, else on the only customer of this name", async () => {
    const { books } = await opened()
    await books.made("POST", "/bank-rules", {
      name: "Shop",
      direction: "credit",
      auto_add: true,
      conditions: [{ type: "amount_min", value: 1 }],
      actions: { document_type: "invoice", counterparty_name: "Shop" }
    })
    const account = await openAccount(app, books.id, { iban: null })
    const rows = ["10,00;X;BE71096123456769", "11,00;X;BE71096123456769", "12,00;Y;"].map((row) => `${today};${row}`)
    const { data } = await importer(app, books)(account, ["Date;Amount;Name;Counterparty IBAN", ...rows].join("\n"))
    assert.equal(data.auto_booked, 3)
    const customers = await books.made("GET", "/customers?search=Shop")
    assert.equal(customers.length, 1)
    const invoices = await books.made("GET", `/invoices?customer_id=${customers[0].id}`)
    assert.equal(invoices.length, 3)
  })
})
