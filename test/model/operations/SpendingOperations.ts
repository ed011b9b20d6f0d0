import * as fc from "fast-check"
import { Units } from "../Lines.ts"
import { at, idOf, operation, pick, post, put } from "./Operation.ts"
import type { Expense } from "../Records.ts"

const percent = fc.nat(100)
const amount = fc.integer({ min: 1, max: 50_000 })

export const spendingOperations = [
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
