import { counted } from "../../kernel/Text.ts"
import type { RecordKind } from "./StoredRecord.ts"

export const wordsOf: Readonly<Record<RecordKind, string>> = {
  invoice: "invoice",
  credit_note: "credit note",
  payment: "payment",
  expense: "expense"
}

export const sequenceText = (key: string): string => `${key.replace("credit_note", "credit note")} series`

const named_max = 3

/** Returns a sentence that names the first few of the found records; nothing if there are none. */
export const aboutRecords = (found: ReadonlyArray<string>, one: string, many: string): ReadonlyArray<string> => {
  if (found.length === 0) return []
  const named = found.slice(0, named_max).join(", ") + (found.length > named_max ? " ..." : "")
  return [`${counted(found.length, one, many)} (${named})`]
}
