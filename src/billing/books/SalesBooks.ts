import { Effect, Layer } from "effect"
import { SealedSales } from "../../archive/books/SealedSales.ts"
import { SealedSalesRepo } from "./SealedSalesRepo.ts"

/**
 * Gives the archive access to the sales documents, so that the proof of the archive can compare their database rows
 * with their seals.
 */
export const SalesBooks = Layer.effect(
  SealedSales,
  Effect.map(SealedSalesRepo, ({ counters, hold, part, strayEntries }) =>
    SealedSales.of({ part, hold, counters, strayEntries })
  )
).pipe(Layer.provide(SealedSalesRepo.layer))
