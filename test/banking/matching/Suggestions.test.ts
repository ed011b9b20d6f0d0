import { describe, expect, it } from "vitest"
import { line, paymentBody, useBilling } from "../../support/Billing.ts"
import { importer, newLine, openAccount } from "../Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)
const [first_iban, second_iban] = ["BE71096123456769", "BE48000100000027"]

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const customer = async (name: string): Promise<number> => (await books.made("POST", "/customers", { name })).id
  const issued = (customer_id: number, amount: number) =>
    books.issued({ customer_id, items: [line(amount, { tax_exempt: true })] })
  const expense = (changes: object) =>
    books.made("POST", "/expenses", {
      expense_date: today,
      category: "rent",
      amount: 40,
      currency: "EUR",
      description: "Rent",
      ...changes
    })
  let lines = 0
  /** Imports one line with its payer's account and returns its id. */
  const paid = async (amount: string, name: string, text: string, iban = ""): Promise<number> => {
    const row = [today, amount, name, `${text} #${"abcdefghijklmnop"[lines++]}`, iban].join(";")
    const { data } = await importer(app, books)(account, `Date;Amount;Name;Description;Counterparty IBAN\n${row}`)
    expect(data.imported).toBe(1)
    const [newest] = await books.made("GET", "/bank-transactions?per_page=1")
    return newest.id
  }
  const suggested = async (id: number) => (await books.made("GET", `/bank-transactions/${id}`)).suggestion
  const confirm = async (...transaction_ids: ReadonlyArray<number>) =>
    (await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids })).results
  const match = (id: number, body: object) => books.made("POST", `/bank-transactions/${id}/match`, body)
  const unmatch = (id: number) => books.made("POST", `/bank-transactions/${id}/unmatch`)
  return { books, account, customer, issued, expense, paid, suggested, confirm, match, unmatch }
}

const signalsOf = ({ signals }: { signals: ReadonlyArray<{ signal: string }> }) => signals.map(({ signal }) => signal)

describe("the suggestion of a bank line that equals the sum of several invoices of one customer", () => {
  it("names all of them, and bulk confirmation pays all of them", async () => {
    const { books, confirm, customer, issued, paid, suggested } = await opened()
    const delta = await customer("Delta Works")
    const [one, two, three] = [await issued(delta, 100), await issued(delta, 30), await issued(delta, 7)]
    const id = await paid("130,00", "Delta Works", `${one.number}, ${two.number}`)
    expect(await suggested(id)).toMatchObject({
      type: "invoice",
      id: one.id,
      score: 100,
      documents: [
        { type: "invoice", id: one.id, amount: 100 },
        { type: "invoice", id: two.id, amount: 30 }
      ]
    })
    const matches = [
      { invoice_id: one.id, amount: 100 },
      { invoice_id: two.id, amount: 30 }
    ]
    expect(await confirm(id)).toMatchObject([{ status: "confirmed", via: "document", invoice_id: one.id, matches }])
    const statuses = [one, two, three].map(async (invoice) => (await books.invoice(invoice.id)).status)
    expect(await Promise.all(statuses)).toEqual(["paid", "paid", "sent"])
    await books.made("POST", `/bank-transactions/${id}/unmatch`)
    expect(await suggested(id)).toBeNull()
  })

  it("is left to a person without numbers, or when another customer has that name", async () => {
    const { account, books, confirm, customer, issued, suggested } = await opened()
    const owing = async () => {
      const id = await customer("Delta Works")
      return [await issued(id, 100), await issued(id, 30), await issued(id, 7)]
    }
    const unnumbered = () => newLine(app, books, account, "130,00", "both", "Delta Works")
    const [first, second] = await owing()
    const one = await unnumbered()
    expect(await suggested(one)).toMatchObject({ score: 45, documents: [{ id: first.id }, { id: second.id }] })
    expect(await confirm(one)).toMatchObject([{ reason: "low_confidence" }])
    await owing()
    expect(await confirm(await unnumbered())).toMatchObject([{ reason: "ambiguous" }])
  })
})

describe("the suggestion of a bank line", () => {
  it("learns the payer's account and name from a confirmed match, and forgets both when that is undone", async () => {
    const { confirm, customer, issued, match, paid, suggested, unmatch } = await opened()
    const gamma = await customer("Gamma Works")
    const [old, other, recent] = [await issued(gamma, 50), await issued(gamma, 60), await issued(gamma, 70)]
    const taught = await paid("50,00", "J. Peeters", "thanks", first_iban)
    expect(await suggested(taught)).toBeNull()
    await match(taught, { invoice_id: old.id })
    const known = await paid("60,00", "J. Peeters", "thanks", first_iban)
    expect(await suggested(known)).toMatchObject({
      id: other.id,
      signals: [
        { signal: "amount" },
        { signal: "only_amount" },
        { signal: "iban", reason: "The account belongs to Gamma Works." },
        { signal: "habit", reason: "Lines with this name were confirmed for Gamma Works before." }
      ]
    })
    expect(await confirm(known)).toMatchObject([{ status: "confirmed", invoice_id: other.id }])
    await unmatch(taught)
    const further = await paid("70,00", "J. Peeters", "thanks", first_iban)
    expect(await confirm(further)).toMatchObject([{ status: "confirmed", invoice_id: recent.id }])
    for (const line of [known, further]) await unmatch(line)
    expect(await suggested(await paid("70,00", "J. Peeters", "thanks", first_iban))).toBeNull()
  })

  it("says that the account belongs to somebody else, or that another document is quoted, settled or not", async () => {
    const { customer, issued, match, paid, suggested } = await opened()
    const [gamma, delta] = [await customer("Gamma Works"), await customer("Delta Works")]
    const settled = await issued(gamma, 50)
    await match(await paid("50,00", "Gamma Works", settled.number, first_iban), { invoice_id: settled.id })
    await issued(gamma, 80)
    const theirs = await issued(delta, 90)
    const again = await suggested(await paid("80,00", "Gamma Works", settled.number, first_iban))
    expect(again.score).toBeLessThan(50)
    expect(again.signals.at(-1)).toEqual({
      signal: "other_document",
      points: -8,
      reason: `The line quotes ${settled.number}, which is another document.`
    })
    // The invoice number without its prefix still identifies the invoice.
    const short = settled.number.replace("INV-", "")
    expect(signalsOf(await suggested(await paid("80,00", "Gamma Works", short, first_iban)))).toContain(
      "other_document"
    )
    const foreign = await suggested(await paid("90,00", "Gamma Works", theirs.number, first_iban))
    expect([foreign.id, signalsOf(foreign).includes("other_iban")]).toEqual([theirs.id, true])
  })

  it("does not depend on the account of several customers, such as that of a payment service", async () => {
    const { books, confirm, customer, issued, match, paid, suggested } = await opened()
    const names = ["Gamma Works", "Delta Works", "Epsilon Works"]
    const [gamma = 0, delta = 0, epsilon = 0] = await Promise.all(names.map(customer))
    for (const [id, amount] of [
      [gamma, 51],
      [delta, 52]
    ] as const) {
      const { id: invoice_id } = await issued(id, amount)
      await match(await paid(`${amount},00`, "Payment Service", "payout", first_iban), { invoice_id })
    }
    await issued(gamma, 121)
    const payout = await paid("121,00", "Payment Service", "payout", first_iban)
    expect(await suggested(payout)).toBeNull()
    expect(await confirm(payout)).toMatchObject([{ status: "skipped" }])
    const { id, number } = await issued(epsilon, 70)
    const quoting = await paid("70,00", "Payment Service", number, first_iban)
    expect(signalsOf(await suggested(quoting))).not.toContain("other_iban")
    expect(await confirm(quoting)).toMatchObject([{ status: "confirmed", invoice_id: id }])
    const named = await paid("15,00", "Zeta Works", "sale", first_iban)
    const { counterparty } = await books.made("GET", `/bank-transactions/${named}/document-prefill`)
    expect(counterparty.match).not.toBe("iban")
    const { invoice_id } = await books.made("POST", `/bank-transactions/${named}/create-document`)
    const { customer_id } = await books.invoice(invoice_id)
    expect((await books.made("GET", `/customers/${customer_id}`)).name).toBe("Zeta Works")
  })

  it("finds an expense by the vendor's number or account, not by a paid expense's number", async () => {
    const { confirm, expense, paid, suggested } = await opened()
    const [rent, later] = [
      await expense({ vendor: "Landlord", reference: "RE-44812" }),
      await expense({ vendor: "Landlord", reference: "RE-44813", amount: 41 })
    ]
    await expense({ vendor: "Landlord", reference: "RE-44814", amount: 42 })
    const quoted = await paid("-40,00", "LL Immo", "Rechnung RE 44812", second_iban)
    expect(await confirm(quoted)).toMatchObject([{ status: "confirmed", expense_id: rent.id }])
    const known = await paid("-41,00", "LL Immo", "Miete", second_iban)
    expect(await confirm(known)).toMatchObject([{ status: "confirmed", expense_id: later.id }])
    const wrong = await paid("-42,00", "LL Immo", "RE-44812", second_iban)
    expect(signalsOf(await suggested(wrong))).toContain("other_document")
    expect(await confirm(wrong)).toMatchObject([{ reason: "low_confidence" }])
  })

  it("finds a supplier's credit note for a credit, and no credit note for a debit", async () => {
    const { books, confirm, customer, expense, issued, paid, suggested, unmatch } = await opened()
    const credit = await expense({ vendor: "Landlord Estates", reference: "CN-7781", amount: -60 })
    expect(await suggested(await paid("-60,00", "Landlord Estates", "CN-7781", second_iban))).toBeNull()
    const refund = await paid("60,00", "Landlord Estates", "Gutschrift CN-7781", second_iban)
    expect(await suggested(refund)).toMatchObject({ type: "expense", id: credit.id, difference: null })
    expect(await confirm(refund)).toMatchObject([{ status: "confirmed", expense_id: credit.id }])
    expect((await books.made("GET", `/expenses/${credit.id}`)).status).toBe("paid")
    await unmatch(refund)
    expect((await books.made("GET", `/expenses/${credit.id}`)).status).toBe("pending")
    // The supplier is also a customer who has not yet paid an invoice of the same amount, so a person must choose
    // between the documents.
    await issued(await customer("Landlord Estates"), 60)
    expect(await confirm(await paid("60,00", "Landlord Estates", "refund", second_iban))).toMatchObject([
      { status: "skipped", reason: "ambiguous" }
    ])
  })
})

describe("POST /api/v1/bank-transactions/bulk-confirm", () => {
  it("suggests an invoice for the line that quotes it, and for no line if two payers match equally", async () => {
    const { books, confirm, customer, issued, paid } = await opened()
    const gamma = await customer("Gamma Works")
    const [one, two] = [await issued(gamma, 50), await issued(gamma, 60)]
    const named = await paid("50,00", "Gamma Works", "thanks", first_iban)
    const quoting = await paid("50,00", "Somebody Else", one.number, second_iban)
    expect(await confirm(named, quoting)).toMatchObject([
      { transaction_id: named, status: "skipped", reason: "claimed" },
      { transaction_id: quoting, status: "confirmed", invoice_id: one.id }
    ])
    const rivals = [
      await paid("60,00", "Gamma Works", "thanks", "BE68844010370034"),
      await paid("60,00", "Works Gamma", "thanks", "BE43068999999501")
    ]
    expect(await confirm(...rivals)).toMatchObject([{ reason: "ambiguous" }, { reason: "ambiguous" }])
    expect((await books.invoice(two.id)).status).toBe("sent")
  })
})

describe("the suggestion of a bank line that pays documents minus a credit note", () => {
  it("names a customer's invoice and the credit note, and bulk confirmation settles both", async () => {
    const { books, confirm, customer, issued, paid, suggested, unmatch } = await opened()
    const delta = await customer("Delta Works")
    const [settled, due] = [await issued(delta, 80), await issued(delta, 100)]
    await books.made("POST", "/payments", { ...paymentBody(settled.id, 80), payment_date: today })
    const note = await books.made("POST", "/credit-notes", { invoice_id: settled.id, amount: 30, reason: "Broken" })
    const sent = await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
    const number = sent.number ?? (await books.made("GET", `/credit-notes/${note.id}`)).number
    const id = await paid("70,00", "Delta Works", `${due.number} less ${number}`)
    expect(await suggested(id)).toMatchObject({
      type: "invoice",
      id: due.id,
      score: 100,
      difference: null,
      documents: [
        { type: "invoice", id: due.id, amount: 100 },
        { type: "credit_note", id: note.id, amount: -30 }
      ]
    })
    expect(await confirm(id)).toMatchObject([{ status: "confirmed", via: "document", invoice_id: due.id }])
    const { matches, status } = await books.made("GET", `/bank-transactions/${id}`)
    expect([status, matches.map(({ amount }: { amount: number }) => amount)]).toEqual(["matched", [100, -30]])
    expect((await books.invoice(due.id)).status).toBe("paid")
    expect((await books.invoice(settled.id)).refundable_amount).toBe(0)
    await unmatch(id)
    expect((await books.invoice(settled.id)).refundable_amount).toBe(30)
    // By unmatching the line, a user has said that the credit note does not belong to it.
    expect(await confirm(id)).toMatchObject([{ status: "skipped" }])
  })

  it("names a supplier's invoice and credit note for a debit, and the refund of a credit note", async () => {
    const { books, confirm, customer, expense, issued, paid, suggested, unmatch } = await opened()
    const bought = await expense({ vendor: "Landlord", amount: 70, reference: "L-2026-118" })
    const returned = await expense({ vendor: "Landlord", amount: -20, reference: "L-2026-121" })
    const id = await paid("-50,00", "Landlord", "L-2026-118 and L-2026-121")
    expect((await suggested(id)).documents).toEqual([
      { type: "expense", id: bought.id, amount: 70 },
      { type: "expense", id: returned.id, amount: -20 }
    ])
    expect(await confirm(id)).toMatchObject([{ status: "confirmed", expense_id: bought.id }])

    const invoice = await issued(await customer("Delta Works"), 80)
    await books.made("POST", "/payments", { ...paymentBody(invoice.id, 80), payment_date: today })
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 30, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
    const { number } = await books.made("GET", `/credit-notes/${note.id}`)
    const refund = await paid("-30,00", "Delta Works", `Refund ${number}`)
    expect(await suggested(refund)).toMatchObject({ type: "credit_note", id: note.id })
    expect(await confirm(refund)).toMatchObject([{ status: "confirmed", via: "document", credit_note_id: note.id }])
    expect((await books.invoice(invoice.id)).refundable_amount).toBe(0)
    await unmatch(refund)
    const { status, suggestion } = await books.made("GET", `/bank-transactions/${refund}`)
    expect([status, suggestion]).toEqual(["unmatched", null])
  })

  it("offers a credit note whose invoice was paid before it or later, and books what the line returns", async () => {
    const { books, confirm, paid, suggested } = await opened()
    const credited = async (amount: number, prepaid_amount: number) => {
      const invoice = await books.issued({ items: [line(amount, { tax_exempt: true })], prepaid_amount })
      const rest = amount - prepaid_amount
      if (rest > 0) await books.made("POST", "/payments", { ...paymentBody(invoice.id, rest), payment_date: today })
      const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount, reason: "Broken" })
      await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
      return books.made("GET", `/credit-notes/${note.id}`)
    }
    const [prepaid, partly] = [await credited(80, 80), await credited(100, 40)]
    for (const [note, amount] of [
      [prepaid, 80],
      [partly, 100]
    ] as const) {
      const refund = await paid(`-${amount},00`, "Beta", `Refund ${note.number}`)
      expect(await suggested(refund)).toMatchObject({ type: "credit_note", id: note.id, difference: null })
      expect(await confirm(refund)).toMatchObject([{ status: "confirmed", credit_note_id: note.id }])
      expect(await books.invoice(note.invoice_id)).toMatchObject({ amount_refunded: amount, refundable_amount: 0 })
      await books.made("POST", `/bank-transactions/${refund}/unmatch`)
      expect(await books.invoice(note.invoice_id)).toMatchObject({ amount_refunded: 0, refundable_amount: amount })
    }
  })
})
