import { Effect, Layer } from "effect"
import { SealedRecords } from "../../archive/books/SealedRecords.ts"
import { SealedRecordsRepo } from "./SealedRecordsRepo.ts"

/** Implements the archive's port for the proof of the books: the archive knows the seals, billing knows the rows. */
export const Books = Layer.effect(
  SealedRecords,
  Effect.map(SealedRecordsRepo, ({ counters, hold, part, strayEntries }) =>
    SealedRecords.of({ part, hold, counters, strayEntries })
  )
).pipe(Layer.provide(SealedRecordsRepo.layer))
