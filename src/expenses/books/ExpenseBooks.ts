import { Layer } from "effect"
import { SealedExpenses } from "../../archive/books/SealedExpenses.ts"
import { SealedExpensesRepo } from "./SealedExpensesRepo.ts"

/** Implements the archive's port for the proof of expenses: the archive knows the seals, this context the rows. */
export const ExpenseBooks = Layer.effect(SealedExpenses, SealedExpensesRepo).pipe(
  Layer.provide(SealedExpensesRepo.layer)
)
