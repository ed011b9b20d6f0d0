import { beforeAll, describe, expect, it } from "vitest"
import { line, type Books, pick, useBilling } from "../../support/Billing.ts"

const { open } = useBilling()
let books: Books
beforeAll(async () => {
  books = await open()
})

const errorsOf = async (method: string, path: string, body: object) => {
  const answer = await books.call(method, path, body)
  return [answer.status, answer.body.errors ?? answer.body.code]
}

describe("null in a line of a document", () => {
  const nothing = {
    quantity: null,
    unit: null,
    discount: null,
    discount_type: null,
    tax_exempt: null,
    tax_rate_ids: null,
    tax_exemption_reason: null,
    exemption_code: null,
    tax_rates: null,
    id: null
  }

  it("makes the same line as an absent field", async () => {
    const absent = await books.draft()
    const given = await books.draft({ items: [line(100, nothing)] })
    expect(given.items).toEqual(absent.items.map((item: object) => ({ ...item, id: given.items[0].id })))
    expect([given.total, given.items[0].tax_rate_ids]).toEqual([121, [...books.tax_rate_ids].slice(0, 1)])
    const quote = await books.made("POST", "/quotes", {
      ...pick(books.body(), ["customer_id", "issue_date", "currency"]),
      valid_until: "2999-01-01",
      items: [line(100, nothing)]
    })
    expect(quote.total).toBe(121)
    const changed = await books.made("PUT", `/invoices/${absent.id}`, { items: [line(200, nothing)] })
    expect(changed.total).toBe(242)
  })

  it("makes the same discount", async () => {
    const { discount_type: _, id: __, quantity: ___, unit: ____, ...taxes } = nothing
    const discounts = [{ description: "Rebate", amount: 10, percentage: null, ...taxes }]
    expect((await books.draft({ discounts })).total).toBe(108.9)
  })

  it("does not choose rates in place of those that `tax_rates` states", async () => {
    const items = [line(100, { tax_rate_ids: null, tax_rates: [{ rate: 6 }] })]
    expect(await errorsOf("POST", "/invoices", books.body({ items }))).toEqual([
      422,
      { "items.0.tax_rate_ids": [expect.stringContaining("is required when tax_rates is given")] }
    ])
  })

  it("still refuses each wrong value", async () => {
    const items = [line(1, { quantity: "many", unit: 7, discount_type: "x", tax_exempt: "no", discount: -1 })]
    expect(await errorsOf("POST", "/invoices", books.body({ items }))).toEqual([
      422,
      {
        "items.0.quantity": ["The items.0.quantity field must be a number."],
        "items.0.unit": ["The items.0.unit field must be a string."],
        "items.0.discount": ["The items.0.discount field must be at least 0."],
        "items.0.discount_type": ["The items.0.discount_type field must be percent or amount."],
        "items.0.tax_exempt": ["The items.0.tax_exempt field must be true or false."]
      }
    ])
  })
})

describe("null in a PUT, for a field that no record lacks", () => {
  it("keeps the field, and writes nothing if nothing else is sent", async () => {
    const contact = await books.made("POST", "/contacts", {
      customer_id: books.customer_id,
      name: "Ada",
      is_primary: true
    })
    expect(await books.made("PUT", `/contacts/${contact.id}`, { is_primary: null })).toEqual(contact)
    const expense = await books.made("POST", "/expenses", {
      expense_date: "2026-03-01",
      category: "travel",
      amount: 121,
      tax_amount: 21,
      currency: "EUR",
      description: "Train",
      is_vat_deductible: true,
      is_billable: true,
      status: "approved"
    })
    const nothing = { is_vat_deductible: null, is_billable: null, status: null }
    expect(await books.made("PUT", `/expenses/${expense.id}`, nothing)).toEqual(expense)
    const changed = await books.made("PUT", `/expenses/${expense.id}`, { ...nothing, notes: "Return" })
    expect(changed).toMatchObject({ ...pick(expense, Object.keys(nothing)), deductible_tax_amount: 21, version: 2 })
    const { payment } = await books.paid()
    expect(await books.made("PUT", `/payments/${payment.id}`, { currency: null })).toEqual(payment)
  })

  it("is refused for a field that is required when the record is created", async () => {
    expect(await errorsOf("PUT", `/customers/${books.customer_id}`, { name: null })).toEqual([
      422,
      { name: [expect.stringContaining("must be")] }
    ])
  })
})

it("a PUT of a webhook accepts what the POST answered, also the secret, and then changes nothing", async () => {
  for (const events of [["invoice.paid"], ["*"]]) {
    const made = await books.made("POST", "/webhooks", { url: "https://hooks.example.com/", events })
    const { id, secret, warnings: _, ...webhook } = made
    expect(await books.made("PUT", `/webhooks/${id}`, made)).toMatchObject(webhook)
    expect(await books.made("PUT", `/webhooks/${id}`, { ...webhook, secret: null, is_active: null })).toMatchObject(
      webhook
    )
    expect((await books.call("PUT", `/webhooks/${id}`, { secret: `${secret}x` })).status).toBe(422)
    expect(await books.made("GET", `/webhooks/${id}`)).toEqual({ id, ...webhook })
  }
})

describe("an empty text in a code or an address", () => {
  const codes = {
    email: "",
    country: "",
    language: "",
    currency: "",
    billing_subdivision_code: "",
    shipping_subdivision_code: "",
    einvoicing_identifier_scheme: "",
    einvoicing_identifier_value: ""
  }
  const nulls = Object.fromEntries(Object.keys(codes).map((name) => [name, null]))

  it("is null when a record is created, and clears the field of a stored one", async () => {
    expect(await books.made("POST", "/customers", { name: "Form", ...codes })).toMatchObject(nulls)
    const full = await books.made("POST", "/customers", { name: "Full", email: "a@beta.example", country: "BE" })
    expect(await books.made("PUT", `/customers/${full.id}`, codes)).toMatchObject({ ...nulls, version: 2 })
    const contact = { customer_id: full.id, name: "Ada", email: "" }
    expect((await books.made("POST", "/contacts", contact)).email).toBe(null)
    const { contact_email, subdivision_code } = await books.made("PUT", `/organizations/${books.id}`, {
      contact_email: "",
      subdivision_code: ""
    })
    expect([contact_email, subdivision_code]).toEqual([null, null])
  })

  it("is refused where the field is required, and for amounts and days", async () => {
    expect(
      await errorsOf("POST", "/invoices", books.body({ currency: "", delivery_date: "", prepaid_amount: "" }))
    ).toEqual([
      422,
      {
        currency: ["The currency field must be a valid ISO 4217 currency code."],
        delivery_date: ["The delivery_date field must be a valid date (YYYY-MM-DD)."],
        prepaid_amount: [expect.any(String)]
      }
    ])
  })

  it("leaves the refusal of another wrong value as it is", async () => {
    const wrong = { name: "Wrong", email: "nobody", country: "XX", language: 7 }
    expect(await errorsOf("POST", "/customers", wrong)).toEqual([
      422,
      {
        email: ["The email field must be a valid email address."],
        country: ["The country field must be a valid ISO 3166-1 alpha-2 country code."],
        language: ["The language field must be a string."]
      }
    ])
  })
})
