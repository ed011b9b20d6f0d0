import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { line } from "../../support/Billing.ts"
import { useLargeIds } from "../../support/LargeIds.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { magic } from "../../support/counterparts/Network.ts"

const { app, open } = useEinvoicing()

// New ids have as many digits as an id can have, because some formats limit the length of texts that contain an id.
beforeAll(() => app.run(useLargeIds))

/** Appends the digit that makes the number pass the Luhn check. */
const luhn = (stem: string): string => {
  const digits = stem
    .split("")
    .toReversed()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 2 : 1))
  const sum = digits.reduce((total, digit) => total + (digit > 9 ? digit - 9 : digit), 0)
  return `${stem}${(10 - (sum % 10)) % 10}`
}

let sellers = 0

/** A French organization that is registered with its SIRET, which no other test has. */
const frenchSeller = async () => {
  const siren = luhn(String(55_000_000 + ++sellers))
  const siret = luhn(`${siren}0001`)
  const books = await open({ country: "FR", rates: [20] })
  await books.made("PUT", `/organizations/${books.id}`, {
    tax_number: `FR${String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, "0")}${siren}`,
    registration_number: siret,
    address_line1: "1 rue de la Paix",
    city: "Paris",
    postal_code: "75001",
    settings: [{ key: "payment_iban", value: "FR7630006000011234567890189" }]
  })
  await books.made("PUT", `/customers/${books.customer_id}`, { country: "FR", tax_number: null })
  await books.register({ country_code: "FR", identifier_scheme: "FR:SIRET", identifier_value: siret })
  return { ...books, siren, siret }
}

const french = (recipient_identifier_value: string, recipient_identifier_scheme = "FR:CTC") => ({
  recipient_identifier_scheme,
  recipient_identifier_value,
  recipient_country_code: "FR"
})

const storedXml = (id: number) =>
  app.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ xml: string }>`select xml from einvoices where id = ${id}`).pipe(
      Effect.map(([row]) => row?.xml ?? "")
    )
  )

describe("a document between two French businesses", () => {
  it("leaves in the French form, addressed by the lines of the French directory", async () => {
    const { draft, siren, siret, submitted, validate } = await frenchSeller()
    const invoice = await draft({ items: [line(100)], operation_nature: "services" })
    const recipient = french("44306184100047", "FR:SIRET")
    expect((await validate(invoice, recipient)).body.data).toMatchObject({ valid: true, profile: "fr-ctc-ubl" })
    const { id, profile, recipient: answered } = await submitted(invoice, recipient)
    expect([profile, answered]).toEqual([
      "fr-ctc-ubl",
      { identifier_scheme: "0225", identifier_value: "443061841_44306184100047", name: "Beta NV", country_code: "FR" }
    ])
    const xml = await storedXml(id)
    expect(xml).toContain("<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>")
    expect(xml).toContain("<cbc:ProfileID>S1</cbc:ProfileID>")
    expect(xml).toContain(`<cbc:EndpointID schemeID="0225">${siren}_${siret}</cbc:EndpointID>`)
    expect(xml).toContain("#PMT#")
  })

  it("is downloaded as it is submitted, and printed by the same rules", async () => {
    const { call, customer_id, draft, id: organization_id, made, submitted } = await frenchSeller()
    await made("PUT", `/organizations/${organization_id}`, { late_payment_penalty: " ", early_payment_discount: "" })
    const [scheme, value] = ["FR:SIRET", "44306184100047"]
    const network = { einvoicing_identifier_scheme: scheme, einvoicing_identifier_value: value }
    await made("PUT", `/customers/${customer_id}`, network)
    const invoice = await draft({ operation_nature: "services" })
    const { id } = await submitted(invoice, french(value, scheme))
    expect((await call("GET", `/invoices/${invoice.id}/ubl`)).text).toBe(await storedXml(id))
    const { text: cii } = await call("GET", `/invoices/${invoice.id}/cii`)
    expect(cii).toContain('<ram:URIID schemeID="0225">443061841_44306184100047</ram:URIID>')
    expect(cii).toContain("<ram:SubjectCode>PMT</ram:SubjectCode>")
    // A blank term counts as no term, so that the text of the law is stated.
    expect(cii).toMatch(/<ram:Content>Pénalités de retard[^<]+<\/ram:Content>\s*<ram:SubjectCode>PMD</)
  })

  it("is judged by the French rules", async () => {
    const { draft, submit, validate } = await frenchSeller()
    const invoice = await draft()
    const rules = async (given: object) =>
      (await validate(invoice, given)).body.data.errors.map(({ rule }: { rule: string }) => rule)
    expect(await rules(french("443061841"))).toEqual(["BR-FR-08"])
    expect(await rules(french(magic.accepted, "0088"))).toEqual(["BR-FR-08", "BR-FR-11", "BR-FR-21"])
    expect((await submit(invoice, french("443061841"))).body.code).toBe("invalid_document")
  })

  it("goes through the French lifecycle, which the suffix of a test address decides", async () => {
    const { carried, draft, submitted } = await frenchSeller()
    const { id } = await submitted(await draft({ operation_nature: "goods" }), french(`443061841_${magic.rejected}`))
    expect(await carried(id)).toMatchObject({ status: "rejected", network_status: "210" })
  })

  it("credits with the French type codes", async () => {
    const { made, send, draft, submitted } = await frenchSeller()
    const { id: invoice_id } = await send(await draft({ operation_nature: "goods" }))
    const { id } = await made("POST", "/credit-notes", { invoice_id, amount: 12, reason: "Retour" })
    const given = { ...french("443061841"), invoice_id: undefined, credit_note_id: id }
    const { id: einvoice_id, profile } = await submitted({ id }, given)
    expect([profile, await storedXml(einvoice_id)]).toEqual([
      "fr-ctc-ubl",
      expect.stringContaining("<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>")
    ])
  })
})

describe("a document of a French business to another country", () => {
  it("leaves as Peppol BIS Billing", async () => {
    const { draft, validate } = await frenchSeller()
    expect((await validate(await draft())).body.data.profile).toBe("peppol-bis-billing-3")
  })
})

/** An Italian organization whose number no other test has, and its Italian customer. */
const italianSeller = async () => {
  const partita_iva = luhn(String(5_000_000_000 + ++sellers))
  const books = await open({ country: "IT", rates: [22] })
  await books.made("PUT", `/organizations/${books.id}`, {
    tax_number: `IT${partita_iva}`,
    address_line1: "Via Roma 1",
    city: "Roma",
    postal_code: "00184",
    settings: [{ key: "it_tax_regime", value: "RF18" }]
  })
  const address = { country: "IT", address_line1: "Via Po 2", city: "Torino", postal_code: "10123" }
  await books.made("PUT", `/customers/${books.customer_id}`, { ...address, tax_number: "IT12345670017" })
  await books.register({ country_code: "IT", identifier_scheme: "0211", identifier_value: `IT${partita_iva}` })
  return { ...books, partita_iva }
}

describe("a document of an Italian business", () => {
  const toItaly = {
    recipient_identifier_scheme: "IT:SDI",
    recipient_identifier_value: "M5UXCR1",
    recipient_country_code: "IT"
  }

  it("leaves as FatturaPA, an invoice and its credit note", async () => {
    const { call, carried, draft, made, partita_iva, submitted, validate } = await italianSeller()
    const requirements = await call("GET", "/einvoicing/identifiers/requirements?country_code=IT")
    expect(requirements.body.data).toMatchObject({ supported: true, unsupported_reason: null, network: "it_sdi" })
    const invoice = await draft()
    expect((await validate(invoice, toItaly)).body.data).toMatchObject({ valid: true, profile: "fatturapa-1.2" })
    const { id, profile, recipient } = await submitted(invoice, toItaly)
    expect([profile, recipient]).toMatchObject(["fatturapa-1.2", { identifier_value: "M5UXCR1" }])
    const xml = await storedXml(id)
    expect(xml).toContain("<TipoDocumento>TD01</TipoDocumento>")
    expect(xml).toContain(`<IdCodice>${partita_iva}</IdCodice>`)
    expect(xml).toContain("<RegimeFiscale>RF18</RegimeFiscale>")
    expect(xml).toContain(`<ProgressivoInvio>${id.toString(36).toUpperCase().slice(-10)}</ProgressivoInvio>`)
    const note = await made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 12, reason: "Reso" })
    const { id: note_id } = await submitted(note, { ...toItaly, invoice_id: undefined, credit_note_id: note.id })
    expect(await storedXml(note_id)).toContain("<TipoDocumento>TD04</TipoDocumento>")
    expect((await carried(note_id)).status).not.toBe("failed")
  })

  it("states the tax regime that the seller had when it issued the document", async () => {
    const { draft, id: organization_id, made, send, submitted } = await italianSeller()
    const regime = (value: string | null) =>
      made("PUT", `/organizations/${organization_id}`, { settings: [{ key: "it_tax_regime", value }] })
    const regimeOf = async (invoice: { id: number }) =>
      /<RegimeFiscale>(\w+)</.exec(await storedXml((await submitted(invoice, toItaly)).id))?.[1]
    await regime("RF19")
    const small = await send(await draft())
    await regime(null)
    const usual = await send(await draft())
    await regime("RF02")
    expect([await regimeOf(small), await regimeOf(usual), await regimeOf(await draft())]).toEqual([
      "RF19",
      "RF01",
      "RF02"
    ])
  })

  it("states euros, and so needs the exchange rate of another currency", async () => {
    const { draft, submit, submitted, validate } = await italianSeller()
    const unconverted = await draft({ currency: "USD" })
    const { errors } = (await validate(unconverted, toItaly)).body.data
    expect(errors).toMatchObject([{ rule: "IT-EUR", pointer: "/invoice/exchange_rate" }])
    expect((await submit(unconverted, toItaly)).body.code).toBe("invalid_document")
    const { id } = await submitted(await draft({ currency: "USD", exchange_rate: 0.92 }), toItaly)
    const xml = await storedXml(id)
    expect(xml).toContain("<Divisa>EUR</Divisa>")
    expect(xml).toContain("<ImponibileImporto>92.00</ImponibileImporto>")
    expect(xml).toContain("<Imposta>20.24</Imposta>")
  })

  it("is judged by the controls of the Sistema di Interscambio", async () => {
    const { customer_id, draft, made, partita_iva, submit, validate } = await italianSeller()
    const rules = async (document: { id: number }) =>
      (await validate(document, toItaly)).body.data.errors.map(({ rule }: { rule: string }) => rule)
    await made("PUT", `/customers/${customer_id}`, { tax_number: null })
    const invoice = await draft()
    expect(await rules(invoice)).toEqual(["00417"])
    expect((await submit(invoice, toItaly)).body.code).toBe("invalid_document")
    await made("PUT", `/customers/${customer_id}`, { tax_number: `IT${partita_iva}` })
    const later = await draft({ issue_date: "2099-01-01", due_date: "2099-01-31" })
    expect(await rules(later)).toEqual(["00403", "00471"])
    expect((await submit(later, toItaly)).body.code).toBe("invalid_document")
  })
})

describe("a country whose form is not written", () => {
  it.each([
    ["PL", "9945", "PL8567346215", "pl_ksef", "ksef-fa-3", "FA(3)"],
    ["RO", "9947", "RO18547290", "ro_spv", "ro-cius-ubl", "CIUS-RO"],
    ["GR", "9933", "EL094259216", "peppol", "el-cius-ubl", "myDATA"]
  ])(
    "%s sends nothing, and says why",
    async (country_code, identifier_scheme, identifier_value, provider, form, word) => {
      const { call, draft, register, submit, validate } = await open({ country: country_code })
      await register({ country_code, identifier_scheme, identifier_value, es_sii_registered: false })
      const requirements = await call("GET", `/einvoicing/identifiers/requirements?country_code=${country_code}`)
      expect(requirements.body.data).toMatchObject({ supported: false, law: expect.any(String) })
      expect(requirements.body.data.unsupported_reason).toContain(word)
      const { identifiers } = (await call("GET", "/einvoicing/registration")).body.data
      expect(identifiers[0].networks_specification).toBe("unsupported")
      const invoice = await draft()
      for (const { body, status } of [await validate(invoice), await submit(invoice)]) {
        expect([status, body.code, body.details]).toEqual([
          422,
          "format_unsupported",
          { provider, specification: form }
        ])
        expect(body.message).toBe(requirements.body.data.unsupported_reason)
      }
      expect((await call("GET", `/invoices/${invoice.id}`)).body.data.status).toBe("draft")
    }
  )
})

describe("a document of a Spanish business", () => {
  it("leaves as a record of its chain, wherever the customer is", async () => {
    const { carried, draft, made, id, register, submitted, validate } = await open({ country: "ES", rates: [21] })
    await made("PUT", `/organizations/${id}`, { tax_number: "ESB58378431" })
    const identifier = { country_code: "ES", identifier_scheme: "9920", identifier_value: "ESB58378431" }
    await register({ ...identifier, es_sii_registered: false })
    const invoice = await draft()
    expect((await validate(invoice)).body.data).toMatchObject({ valid: true, profile: "verifactu-1.0" })
    for (const document of [invoice, await draft()]) {
      const sent = await submitted(document)
      const xml = await storedXml(sent.id)
      expect(xml).toContain(`<sf:NumSerieFactura>${sent.number}</sf:NumSerieFactura>`)
      expect(xml).toContain(document === invoice ? "<sf:PrimerRegistro>S</sf:PrimerRegistro>" : "<sf:RegistroAnterior>")
      expect(["delivered", "accepted"]).toContain((await carried(sent.id)).status)
    }
  })
})
