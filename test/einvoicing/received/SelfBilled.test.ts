import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { crossIndustryInvoice, ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { arrivalOf, collecting } from "./Arriving.ts"
import { fatturaPa } from "./Fatture.ts"

const { app, open } = useEinvoicing()

/** Lets a document arrive over a network that confirms receipts to suppliers, and counts the confirmations. */
const arrived = async (content: string) => {
  const books = await open()
  const told: Array<string> = []
  const takeInCharge = ({ transmission_id }: { readonly transmission_id: string }) =>
    Effect.sync(() => {
      told.push(transmission_id)
      return Option.none()
    })
  await app.run(collecting([arrivalOf(books, content)], { takeInCharge }))
  const [received] = await books.made("GET", "/einvoicing/received")
  return { books, received, told }
}

const ublOfType = (code: string) =>
  ublInvoice()
    .replace(">380<", `>${code}<`)
    .replace(
      "</cac:AccountingSupplierParty>",
      "</cac:AccountingSupplierParty><cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity>" +
        "<cbc:RegistrationName>Gamma SA</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>" +
        "</cac:AccountingCustomerParty>"
    )

describe("a self-billed document that arrives", () => {
  it.each([
    ["invoice", "ubl", "Gamma SA", ublOfType("389")],
    ["invoice", "ubl", "Gamma SA", ublOfType("527")],
    ["credit_note", "ubl", "Gamma SA", ublOfType("261")],
    ["invoice", "cii", "Muster GmbH", crossIndustryInvoice().replace(">380<", ">389<")],
    ["credit_note", "cii", "Muster GmbH", crossIndustryInvoice().replace(">380<", ">502<")],
    [
      "invoice",
      "fatturapa",
      "Delta S.p.A.",
      fatturaPa().replace(
        "</FatturaElettronicaHeader>",
        "<CessionarioCommittente><DatiAnagrafici><Anagrafica><Denominazione>Delta S.p.A.</Denominazione></Anagrafica>" +
          "</DatiAnagrafici></CessionarioCommittente>" +
          "<SoggettoEmittente>CC</SoggettoEmittente></FatturaElettronicaHeader>"
      )
    ]
  ])(
    "as %s in %s is archived with its buyer, and is neither booked nor answered: %#",
    async (document_type, syntax, buyer, xml) => {
      const { books, received, told } = await arrived(xml)
      expect(received).toMatchObject({ document_type, syntax, is_self_billed: true, status: "received" })
      expect(received.problem).toMatch(/^The buyer issued this document in the name of the seller \(self-billing\)\./)
      expect(told).toEqual([])
      for (const [verb, body] of [
        ["create-expense", undefined],
        ["accept", undefined],
        ["refuse", { reason: "Never sold" }]
      ] as const) {
        const refused = await books.call("POST", `/einvoicing/received/${received.id}/${verb}`, body)
        expect([verb, refused.status, refused.body.code]).toEqual([verb, 422, "document_self_billed"])
        expect(refused.body.message).toContain("(self-billing)")
      }
      expect(await books.made("GET", `/einvoicing/received/${received.id}`)).toEqual(received)
      const objects = await books.made("GET", "/archive/documents?direction=inbound")
      expect(objects.map(({ counterparty_name }: Record<string, unknown>) => counterparty_name)).toEqual([buyer, buyer])
      expect((await books.call("GET", "/expenses")).body.data).toEqual([])
    }
  )

  it("is no purchase, unlike that of a supplier, whose receipt is confirmed", async () => {
    const { books, received, told } = await arrived(ublInvoice())
    expect(received).toMatchObject({ is_self_billed: false, problem: null })
    const [object] = await books.made("GET", "/archive/documents?direction=inbound")
    expect(object.counterparty_name).toBe(received.supplier.name)
    expect(told).toHaveLength(1)
  })
})
