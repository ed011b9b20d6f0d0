import * as fc from "fast-check"
import { totalsOf, Units } from "./Lines.ts"
import { at, day, flag, idOf, operation, part, pick, portion, post, put, seldom } from "./Operation.ts"
import type { Expense } from "./Records.ts"

const percent = fc.nat(100)
const amount = fc.integer({ min: 1, max: 50_000 })

/** What is paid, given back, credited and spent. */
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
  }),

  operation("spend", { amount, taxed: percent, deductible: percent }, ({ amount, deductible, taxed }, { currency }) => {
    const tax = Math.floor((amount * taxed) / 99)
    const facts = { amount, tax, deductible, billable: false, paid: false, deleted: false }
    const expense = (): Expense => ({ id: 0, kind: "expense", ...facts, billed: null, linked: null })
    const body = {
      expense_date: "2026-03-10",
      category: "travel",
      amount: new Units(amount),
      currency,
      description: "Train",
      tax_amount: new Units(tax),
      is_vat_deductible: true,
      vat_deductible_percentage: deductible
    }
    return post("/expenses", (model) => model.createExpense(expense()), body)
  }),
  operation("change an expense", { expense: pick, amount }, ({ amount, expense }, { find }) => {
    const target = find("expense", expense)
    return put(at("expense", target), { amount: new Units(amount) }, (model) => model.updateExpense(target, amount))
  }),
  ...(
    [
      ["duplicate", "duplicateExpense"],
      ["mark-billable", "markBillable"],
      ["mark-paid", "payExpense"]
    ] as const
  ).map(([action, rule]) =>
    operation(`${action} an expense`, { expense: pick }, ({ expense }, { find }) => {
      const target = find("expense", expense)
      return post(at("expense", target, `/${action}`), (model) => model[rule](target))
    })
  ),
  operation("bill", { expense: pick, invoice: pick, markup: percent }, ({ expense, invoice, markup }, { find }) => {
    const [target, on] = [find("expense", expense), find("invoice", invoice)]
    const body = { invoice_id: idOf(on), markup_percentage: markup }
    return post(at("expense", target, "/convert-to-invoice-item"), (model) => model.bill(target, on, markup), body)
  }),
  operation("link", { expense: pick, invoice: pick }, ({ expense, invoice }, { find }) => {
    const [target, to] = [find("expense", expense), find("invoice", invoice)]
    const body = { invoice_id: idOf(to) }
    return post(at("expense", target, "/link-to-invoice"), (model) => model.link(target, to), body)
  })
]
