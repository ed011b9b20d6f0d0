import { Layer } from "effect"
import { SealedExpenses } from "../../archive/books/SealedExpenses.ts"
import { SealedExpensesRepo } from "./SealedExpensesRepo.ts"

export const ExpenseBooks = Layer.effect(SealedExpenses, SealedExpensesRepo).pipe(
  Layer.provide(SealedExpensesRepo.layer)
)
