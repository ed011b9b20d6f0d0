import { Layer } from "effect"
import { SealedExpenses } from "../../archive/books/SealedExpenses.ts"
import { SealedExpensesRepo } from "./SealedExpensesRepo.ts"

/** Gives the archive the rows of the expenses, so that it can check them against the seals that it stores. */
export const ExpenseBooks = Layer.effect(SealedExpenses, SealedExpensesRepo).pipe(
  Layer.provide(SealedExpensesRepo.layer)
)
