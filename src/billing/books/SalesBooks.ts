import { Effect, Layer } from "effect"
import { SealedSales } from "../../archive/books/SealedSales.ts"
import { SealedSalesRepo } from "./SealedSalesRepo.ts"

/**
 * Lets a proof of the archive (rules/archive.md) compare the database rows of sales documents with their hashes in the
 * audit chain.
 */
export const SalesBooks = Layer.effect(
  SealedSales,
  Effect.map(SealedSalesRepo, ({ counters, part, strayEntries }) => SealedSales.of({ part, counters, strayEntries }))
).pipe(Layer.provide(SealedSalesRepo.layer))
