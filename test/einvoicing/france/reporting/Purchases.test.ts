import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../../src/einvoicing/received/Inbox.ts"
import { ublInvoice } from "../../../expenses/receipts/extraction/EmbeddedInvoices.ts"
import { settings, useDeclarants } from "./Declarant.ts"
import { brokenByReports } from "./OfficialReports.ts"

const { app, arrived, declarant, point } = await useDeclarants()

const inbox = Inbox.layer.pipe(Layer.provide(ConnectedProviders))
const reporting = { ...settings, purchases: "services" }

it("purchases abroad are reported one by one by the buyer, and what cannot be stated is named", async () => {
  const books = await declarant(reporting)
  const bought = async (changes: object) =>
    books.made("POST", "/expenses", {
      expense_date: "2025-03-05",
      category: "other",
      amount: 250,
      currency: "EUR",
      description: "Hosting",
      is_vat_deductible: false,
      ...changes
    })
  const american = await bought({ country: "US", vendor: "Cloud Inc.", reference: "INV-1", currency: "USD" })
  const german = await bought({ country: "DE", vendor: "Server GmbH", reference: "R-7" })
  await bought({ country: "GB", vendor: "Ltd", reference: null })
  // These are not reported: the supplier charged tax of its own country, has no known country, or is in France.
  await bought({ country: "BE", vendor: "Hotel", reference: "H-1", tax_amount: 14.15 })
  await bought({ vendor: "Inconnu", reference: "I-1" })
  await bought({ country: "FR", vendor: "Papeterie", reference: "P-1" })
  expect(await books.run()).toBe("done")
  const [file = "", ...others] = arrived()
  expect([others, brokenByReports([file])]).toEqual([[], []])
  expect(file).toContain("<RoleCode>BY</RoleCode>")
  expect(file).toContain(`<Seller><CompanyId schemeId="0227">USCLOUDINC</CompanyId>`)
  expect(file).toContain(`<Buyer><CompanyId schemeId="0002">732829320</CompanyId>`)
  expect(file.match(/<ID>INV-1<|<TaxableAmount>250.00<|<Code>AE</g)).toHaveLength(3)
  expect(await books.reports()).toMatchObject([
    {
      kind: "purchases",
      status: "accepted",
      documents: 1,
      problems: [
        { number: "R-7", reason: "The business has no VAT identifier." },
        { number: expect.stringMatching(/^expense \d+$/), reason: expect.stringContaining("reference") }
      ]
    }
  ])
  // The e-invoice of the supplier names its VAT identifier.
  point.receive(ublInvoice())
  await app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox)))
  await books.inDatabase(`update received_documents
    set expense_id = ${german.id}, supplier = supplier || '{"tax_number":"DE123456788","country":"DE"}' where`)
  await books.made("PUT", `/expenses/${american.id}`, { amount: 300 })
  await books.tomorrow()
  expect(await books.run()).toBe("done")
  const rectified = arrived().at(-1) ?? ""
  expect(brokenByReports([rectified])).toEqual([])
  expect(rectified.match(/<TypeCode>RE<|<TaxableAmount>300.00<|<CompanyId schemeId="0223">DE123456788</g)).toHaveLength(
    3
  )
})
