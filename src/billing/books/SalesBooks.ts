import { Effect, Layer } from "effect"
import { SealedSales } from "../../archive/books/SealedSales.ts"
import { SealedSalesRepo } from "./SealedSalesRepo.ts"

/** Implements the archive's port for the proof of sales: the archive knows the seals, billing knows the rows. */
export const SalesBooks = Layer.effect(
  SealedSales,
  Effect.map(SealedSalesRepo, ({ counters, hold, part, strayEntries }) =>
    SealedSales.of({ part, hold, counters, strayEntries })
  )
).pipe(Layer.provide(SealedSalesRepo.layer))
