import { totalsOf, Units } from "./Lines.ts"
import { at, day, flag, idOf, operation, part, pick, portion, post, put, seldom } from "./Operation.ts"

/** Payments, refunds and credits of customers. */
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
