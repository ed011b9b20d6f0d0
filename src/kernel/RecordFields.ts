import { Schema } from "effect"
import { Timestamp } from "./Calendar.ts"
import { described } from "./Described.ts"

export const recordFields = {
  created_at: described(Timestamp, "Time of creation."),
  updated_at: described(Timestamp, "Time of the last change."),
  version: described(Schema.Int, "Number of changes so far; `If-Match` compares it.")
}
