import { Effect, Layer } from "effect"
import { SealedSales } from "../../archive/books/SealedSales.ts"
import { SealedSalesRepo } from "./SealedSalesRepo.ts"

/**
 * Implements the archive's port for the proof of sales. The archive knows the seals of the documents, and billing knows
 * their rows in the database.
 */
export const SalesBooks = Layer.effect(
  SealedSales,
  Effect.map(SealedSalesRepo, ({ counters, hold, part, strayEntries }) =>
    SealedSales.of({ part, hold, counters, strayEntries })
  )
).pipe(Layer.provide(SealedSalesRepo.layer))
