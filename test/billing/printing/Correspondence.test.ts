import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { creditsOf } from "../credit-notes/Credits.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

const before = ["Acme NV", "Rue Haute 1", "BE0202239951", "BE71 0961 2345 6769", "Beta GmbH", "Altstraße 1", "DE1"]
const after = ["Acme Group", "Rue Neuve 2", "BE0404616494", "BE68 5390 0754 7034", "Beta AG", "Neustraße 2", "DE2"]

/** Gives the organization and the customer these texts, in this order; documents created afterwards print them. */
const become = async (books: Books, [name, address_line1, tax_number, iban, ...customer]: ReadonlyArray<string>) => {
  const settings = [{ key: "payment_iban", value: iban?.replaceAll(" ", "") }]
  const contact_email = `${name?.replaceAll(" ", "")}@example.com`
  await books.made("PUT", `/organizations/${books.id}`, { name, address_line1, tax_number, contact_email, settings })
  const [debtor, street, number] = customer
  const changes = { name: debtor, address_line1: street, tax_number: number, email: "ap@beta.eu" }
  await books.made("PUT", `/customers/${books.customer_id}`, changes)
}
const opened = async () => {
  const books = await open()
  await become(books, before)
  return books
}

const pdf = async (books: Books, path: string) => {
  const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  const answer = await fetch(`${app.url}/api/v1${path}/pdf`, { headers })
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}
const textOf = (file: Uint8Array) => Effect.runPromise(pdfText(file))
const withoutLink = (text = "") => text.replaceAll(/https?:\S+/g, "")
/** Removes the link for questions: it contains the organization's present mail address, even in an old document. */
const withoutContact = (page: string) => page.replace(/<a href="mailto:[^]*?<\/a>/, "")
const shown = (texts: ReadonlyArray<string>, page: string) => texts.filter((text) => page.includes(text))
const sent = async (books: Books, path: string) => {
  const document = await books.made("POST", `${path}/send`, { attach_pdf: false })
  return { ...document, portal: new URL(mails.received.at(-1)?.link ?? "").pathname }
}
const quoted = (books: Books) => {
  const { due_date: valid_until, ...body } = books.body()
  return books.made("POST", "/quotes", { valid_until, ...body })
}

describe("an issued invoice", () => {
  it("stays the same byte for byte when its customer and its organization change, and so does its page", async () => {
    const books = await opened()
    const { id } = await books.draft()
    const { portal } = await sent(books, `/invoices/${id}`)
    const [file, page] = [await pdf(books, `/invoices/${id}`), (await app.call("GET", portal)).text]
    expect(shown(before, await textOf(file))).toEqual(before)
    await become(books, after)
    expect(await pdf(books, `/invoices/${id}`)).toEqual(file)
    expect(withoutContact((await app.call("GET", portal)).text)).toBe(withoutContact(page))
    expect(shown(after, page)).toEqual([])
  })

  it("is sent again in its own words, and answers go where the organization is today", async () => {
    const books = await opened()
    const { id } = await books.draft()
    await sent(books, `/invoices/${id}`)
    await become(books, after)
    await sent(books, `/invoices/${id}`)
    const [first, again] = mails.received
    expect(withoutLink(again?.text)).toBe(withoutLink(first?.text))
    expect(again?.header("Subject")).toBe("Invoice INV-2026-0001 from Acme NV")
    expect(again?.header("Reply-To")).toContain("AcmeGroup@example.com")
  })

  it("keeps what it was issued with, whatever issued it: a payment, or marking it sent", async () => {
    const books = await opened()
    const paid = await books.draft()
    await books.made("POST", `/invoices/${paid.id}/mark-paid`)
    const marked = await books.issued()
    await become(books, after)
    for (const { id } of [paid, marked]) {
      const text = await textOf(await pdf(books, `/invoices/${id}`))
      expect(shown(["Acme NV", "Altstraße 1"], text)).toHaveLength(2)
      expect(shown(after, text)).toEqual([])
    }
  })

  it("is a draft again when no recipient could be reached, and includes all changes until it is issued", async () => {
    const books = await opened()
    const { id } = await books.draft()
    const failed = await books.call("POST", `/invoices/${id}/send`, { recipients: ["unknown@beta.eu"] })
    expect(failed.body.code).toBe("delivery_failed")
    await become(books, after)
    const draft = shown([...before, ...after], await textOf(await pdf(books, `/invoices/${id}`)))
    // A draft prints no bank account, because nothing is due yet.
    expect(draft).toEqual(after.filter((text) => !text.startsWith("BE68")))
    await books.send({ id })
    await become(books, before)
    expect(shown([...before, ...after], await textOf(await pdf(books, `/invoices/${id}`)))).toEqual(after)
  })
})

describe("an invoice in a foreign currency", () => {
  it("prints the tax of the e-invoice in the organization's currency, and the seller's legal particulars", async () => {
    const books = await opened()
    const seller = {
      city: "Gent",
      postal_code: "9000",
      register_court: "RPR Gent",
      share_capital: "18.550 €",
      managing_directors: "Ana Blau",
      national_tax_number: "143/262/10459",
      late_payment_penalty: "12 % a year."
    }
    await books.made("PUT", `/organizations/${books.id}`, seller)
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "DE" })
    const { id } = await books.issued({
      currency: "USD",
      exchange_rate: 0.9137,
      items: [{ ...line(0.14), quantity: 7 }]
    })
    const text = await textOf(await pdf(books, `/invoices/${id}`))
    for (const value of Object.values(seller)) expect(text).toContain(value)
    expect(text).toContain("1 USD = 0.9137 EUR")
    const { text: xml } = await books.call("GET", `/invoices/${id}/ubl`)
    const [, tax] = /<cbc:TaxAmount currencyID="EUR">([\d.]+)</.exec(xml) ?? []
    expect(tax).toBe("0.19")
    expect(text).toMatch(new RegExp(`Tax in EUR\\s+€${tax}`))
  })

  it("states a small exchange rate with all its decimals, in the PDF, the e-invoice and reports", async () => {
    const books = await opened()
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "DE" })
    const small = { currency: "VND", exchange_rate: 0.00003543, items: [line(10_000_000)] }
    const { exchange_rate, id } = await books.issued(small)
    expect(exchange_rate).toBe(0.00003543)
    expect(await textOf(await pdf(books, `/invoices/${id}`))).toContain("1 VND = 0.00003543 EUR")
    const { text: xml } = await books.call("GET", `/invoices/${id}/ubl`)
    expect(xml).toContain('<cbc:TaxAmount currencyID="EUR">74.40<')
    const taxOn = async (day: string) =>
      (await books.made("GET", `/reports/vat?start_date=${day}&end_date=${day}`)).totals.output
    expect(await taxOn("2026-03-01")).toBe("74.40")
    const note = await books.made("POST", "/credit-notes", { invoice_id: id, amount: 12_100_000, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { attach_pdf: false })
    const { exchange_rate: same, issue_date } = await books.made("GET", `/credit-notes/${note.id}`)
    expect([same, await taxOn(issue_date)]).toEqual([exchange_rate, "-74.40"])
  })
})

describe("a draft", () => {
  it("prints its customer and its organization as they are today, also as the duplicate of an issued invoice", async () => {
    const books = await opened()
    const issued = await books.issued()
    const draft = await books.draft()
    const duplicate = await books.made("POST", `/invoices/${issued.id}/duplicate`)
    await become(books, after)
    for (const { id } of [draft, duplicate]) {
      const text = await textOf(await pdf(books, `/invoices/${id}`))
      expect(shown(before, text)).toEqual([])
      expect(shown(["Acme Group", "Beta AG", "DE2"], text)).toHaveLength(3)
    }
  })

  it("prints no more than the name of a customer who was deleted", async () => {
    const books = await opened()
    const { id } = await books.draft()
    await books.made("DELETE", `/customers/${books.customer_id}`)
    const text = await textOf(await pdf(books, `/invoices/${id}`))
    expect(shown(["Acme NV", "Beta GmbH", "Altstraße 1", "DE1"], text)).toEqual(["Acme NV", "Beta GmbH"])
  })
})

describe("a sent quote", () => {
  it("stays the same until it is rewritten as a draft; once sent again, it stays the same as well", async () => {
    const books = await opened()
    const { id } = await quoted(books)
    const { portal } = await sent(books, `/quotes/${id}`)
    const [file, page] = [await pdf(books, `/quotes/${id}`), (await app.call("GET", portal)).text]
    await become(books, after)
    expect(await pdf(books, `/quotes/${id}`)).toEqual(file)
    expect(withoutContact((await app.call("GET", portal)).text)).toBe(withoutContact(page))
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    await books.made("PUT", `/quotes/${id}`, { notes: "At a better price" })
    expect(shown(["Acme NV", "Acme Group"], await textOf(await pdf(books, `/quotes/${id}`)))).toEqual(["Acme Group"])
    await sent(books, `/quotes/${id}`)
    const rewritten = await pdf(books, `/quotes/${id}`)
    await become(books, before)
    expect(await pdf(books, `/quotes/${id}`)).toEqual(rewritten)
    expect(shown(["Beta GmbH", "Beta AG"], await textOf(rewritten))).toEqual(["Beta AG"])
  })
})

describe("a sent credit note", () => {
  it("prints both as they were when it was sent, whatever its invoice prints", async () => {
    const books = await opened()
    const credits = creditsOf(books)
    const invoice = await books.issued()
    const early = await credits.draft(invoice, 10)
    const late = await credits.draft(invoice, 10)
    await sent(books, `/credit-notes/${early.id}`)
    const file = await pdf(books, `/credit-notes/${early.id}`)
    await become(books, after)
    expect(await pdf(books, `/credit-notes/${early.id}`)).toEqual(file)
    const { portal } = await sent(books, `/credit-notes/${late.id}`)
    await become(books, before)
    const [page, text] = [
      (await app.call("GET", portal)).text,
      await textOf(await pdf(books, `/credit-notes/${late.id}`))
    ]
    for (const printed of [page, text]) {
      expect(shown(["Acme NV", "Acme Group", "Beta GmbH", "Beta AG"], printed)).toEqual(["Acme Group", "Beta AG"])
    }
  })
})
