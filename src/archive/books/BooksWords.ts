import type { RecordKind } from "./SealedRecords.ts"

/** What an incident calls a record. */
export const wordsOf: Readonly<Record<RecordKind, string>> = {
  invoice: "invoice",
  credit_note: "credit note",
  payment: "payment"
}

/** `invoice 2026` as a series of numbers. */
export const sequenceText = (key: string): string => `${key.replace("credit_note", "credit note")} series`

const named_max = 3

/** A sentence about some records, of which the first are named. */
export const aboutRecords = (found: ReadonlyArray<string>, one: string, many: string): ReadonlyArray<string> => {
  if (found.length === 0) return []
  const named = found.slice(0, named_max).join(", ") + (found.length > named_max ? " ..." : "")
  return [`${found.length} ${found.length === 1 ? one : many} (${named})`]
}
