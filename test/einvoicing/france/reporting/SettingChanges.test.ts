import { expect, it } from "vitest"
import { lifecycle } from "../Lifecycle.ts"
import { toBuyer } from "../Seller.ts"
import { settings, useDeclarants } from "./Declarant.ts"

const { app, arrived, declarant, point } = await useDeclarants()

const day_of = (file: string) => /<StartDate>(\d+)</.exec(file)?.[1]
const due_on_invoice = "<TaxDueDateTypeCode>5<"

it("accepted reports are not sent again when the platform or the organization's name changes", async () => {
  const books = await declarant()
  await books.sold(books.consumer)
  await books.run()
  expect(arrived()).toHaveLength(1)
  await books.tomorrow()
  await app.run(books.reconnect({ ...settings, platform_number: "PA02" }))
  await books.made("PUT", `/organizations/${books.id}`, { name: "Nouveau nom" })
  expect(await books.run()).toBe("done")
  expect(arrived()).toHaveLength(1)
  await books.sold(books.consumer, { issue_date: "2025-03-06" })
  expect(await books.run()).toBe("done")
  expect(arrived()).toHaveLength(2)
  expect(arrived()[1]).toContain('<Id schemeId="0238">PA02<')
  expect(arrived()[1]).toContain("<Name>Nouveau nom<")
})

it("accepted reports of the organization are sent again when its SIREN changes", async () => {
  const books = await declarant()
  await books.sold(books.consumer)
  await books.run()
  await books.tomorrow()
  await books.made("PUT", `/organizations/${books.id}`, { registration_number: "552100554" })
  expect(await books.run()).toBe("done")
  expect(arrived()).toHaveLength(2)
  expect(arrived()[1]).toContain('<Issuer><Id schemeId="0002">552100554<')
})

it("a change of the VAT regime does not change the deadline of a period that ended before", async () => {
  const books = await declarant()
  await books.run()
  // These periods count as ended, but not as due yet.
  await books.inDatabase("delete from french_periods where period_start > '2025-03-10' and")
  await app.run(books.reconnect({ ...settings, vat_regime: "franchise" }))
  await books.inDatabase("update french_regimes set since = since - 1 where")
  expect(await books.run()).toBe("done")
  const transactions = (await books.list()).reports.filter(({ kind }) => kind === "transactions")
  expect(transactions.map(({ due_date, period_end }) => [period_end, due_date])).toEqual(
    expect.arrayContaining([
      ["2025-03-20", "2025-03-31"],
      ["2025-03-31", "2025-04-10"],
      ["2025-04-10", "2025-04-20"]
    ])
  )
})

it("the option to owe VAT on invoices changes only invoices since its first day, and their payments", async () => {
  const books = await declarant()
  const before = await books.sold(books.consumer)
  await books.sold(books.abroad)
  await books.run()
  expect(arrived()).toHaveLength(1)
  await books.tomorrow()
  await books.received(before.id, 60, "2025-03-20")
  await app.run(books.reconnect({ ...settings, vat_on_debits: "2025-04-01" }))
  const after = await books.sold(books.consumer, { issue_date: "2025-04-02" })
  await books.sold(books.abroad, { issue_date: "2025-04-02" })
  await books.received(before.id, 30, "2025-04-03")
  await books.received(after.id, 50, "2025-04-03")
  expect(await books.run()).toBe("done")
  const [first, ...others] = arrived()
  expect(first).not.toContain(due_on_invoice)
  const sales = others.filter((file) => file.includes("<TransactionsReport>"))
  expect(sales.map((file) => [day_of(file), file.split(due_on_invoice).length - 1])).toEqual([["20250401", 2]])
  const payments = others.filter((file) => file.includes("<PaymentsReport>"))
  expect(payments.map((file) => [day_of(file), ...(file.match(/<Amount>[\d.]+/g) ?? [])])).toEqual([
    ["20250301", "<Amount>60.00"],
    ["20250401", "<Amount>30.00"]
  ])
})

it("payments of services to businesses abroad are reported although the platform has the invoice", async () => {
  const books = await declarant()
  const draft = await books.draft({ customer_id: books.abroad, issue_date: "2025-03-05", operation_nature: "services" })
  const foreign = { recipient_identifier_scheme: "9930", recipient_identifier_value: "DE123456788" }
  const { id, invoice_id, number } = await books.submitted(draft, {
    ...toBuyer,
    ...foreign,
    recipient_country_code: "DE"
  })
  expect(await books.transmit(id)).toBe("done")
  point.receive(lifecycle({ number, code: "203" }), "CDAR", "CustomerInvoiceLC")
  await books.received(invoice_id, 60)
  await books.follow(id)
  expect(point.sent("CDAR")).toEqual([])
  expect(await books.run()).toBe("done")
  expect(arrived()).toHaveLength(1)
  expect(arrived()[0]).toContain(`<InvoiceID>${number}<`)
  expect(arrived()[0]).toContain("<Amount>60.00<")
})
