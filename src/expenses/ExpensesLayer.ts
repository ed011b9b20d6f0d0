import { Layer } from "effect"
import { ExpenseBilling } from "./ExpenseBilling.ts"
import { Expenses } from "./Expenses.ts"
import { ExpensesHandlers } from "./ExpensesHttp.ts"

export const ExpensesServices = Layer.mergeAll(Expenses.layer, ExpenseBilling.layer)

export const ExpensesHttp = ExpensesHandlers.pipe(Layer.provide(ExpensesServices))
