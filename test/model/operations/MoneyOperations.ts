import { LineAt, totalsOf, Units } from "../Lines.ts"
import { at, day, flag, idOf, operation, part, pick, portion, post, put, seldom } from "./Operation.ts"

export const moneyOperations = [
  operation("pay", { invoice: pick, part, date: day }, ({ date, invoice, part }, { find, model }) => {
    const target = find("invoice", invoice)
    const amount = portion(target === undefined ? 0 : model.sums(target).net, part)
    const body = { invoice_id: idOf(target), amount: new Units(amount), payment_date: date, payment_method: "card" }
    return post("/payments", (model) => model.pay(target, amount, date), body)
  }),
  operation("mark paid", { invoice: pick, part, all: flag }, ({ all, invoice, part }, { find, model }) => {
    const target = find("invoice", invoice)
    const amount = all ? undefined : portion(target === undefined ? 0 : model.sums(target).net, part)
    const body = amount === undefined ? undefined : { amount: new Units(amount) }
    return post(at("invoice", target, "/mark-paid"), (model) => model.markPaid(target, amount), body)
  }),
  operation("refund", { payment: pick, part, all: flag }, ({ all, part, payment }, { find }) => {
    const target = find("payment", payment)
    const amount = all ? undefined : portion(target?.amount ?? 0, part)
    const body = amount === undefined ? undefined : { amount: new Units(amount), reason: "Returned" }
    return post(at("payment", target, "/refund"), (model) => model.refund(target, amount), body)
  }),
  operation("move a payment", { payment: pick, date: day }, ({ date, payment }, { find }) => {
    const target = find("payment", payment)
    return put(at("payment", target), { payment_date: date }, (model) => model.movePayment(target, date))
  }),
  operation("credit", { invoice: pick, part, full: seldom }, ({ full, invoice, part }, { find }) => {
    const target = find("invoice", invoice)
    const amount = portion(target === undefined ? 0 : totalsOf(target.lines).total, part)
    const body = { invoice_id: idOf(target), amount: new Units(amount), reason: "Returned" }
    const typed = full ? { ...body, credit_type: "full" } : body
    return post("/credit-notes", (model) => model.credit(target, amount, full), typed)
  })
]

/** Operations that never race with others, because the credit for a quantity depends on all earlier notes. */
export const creditingOperations = [
  operation("credit a line", { invoice: pick, line: pick, part }, ({ invoice, line, part }, { find, model }) => {
    const target = find("invoice", invoice)
    const lines = target?.lines ?? []
    const place = line % Math.max(1, lines.length)
    const of = lines[place]?.quantity ?? 1_000
    const notes = target === undefined ? [] : model.notesOf(target)
    // The model does not know how a note for an amount was divided among the lines. If there is such a note, the
    // request asks for more than the line, which is always refused.
    const isKnown = notes.every((note) => note.lines !== null)
    const quantity = isKnown ? portion(of, part) : of + 1
    const items = [{ invoice_item_id: new LineAt(place), quantity: quantity / 1_000 }]
    const body = { invoice_id: idOf(target), items, reason: "Returned" }
    const step = post("/credit-notes", (model) => model.creditLine(target, place, quantity), body)
    return target === undefined ? step : { ...step, lines_of: target.id }
  })
]
