import { Effect, Layer } from "effect"
import { SealedRecords } from "../../archive/books/SealedRecords.ts"
import { SealedRecordsRepo } from "./SealedRecordsRepo.ts"

/** The books for the proof: the archive knows seals, and billing the rows. */
export const Books = Layer.effect(
  SealedRecords,
  Effect.map(SealedRecordsRepo, ({ counters, hold, part, strayEntries }) =>
    SealedRecords.of({ part, hold, counters, strayEntries })
  )
).pipe(Layer.provide(SealedRecordsRepo.layer))
