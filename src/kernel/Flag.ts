import { Schema, SchemaGetter } from "effect"
import { shownAs } from "./Described.ts"

const words = ["true", "false", "1", "0", "yes", "no"] as const

export const Flag = Schema.Literals(words)
  .annotate(shownAs({ type: "boolean" }))
  .pipe(
    Schema.decodeTo(Schema.Boolean, {
      decode: SchemaGetter.transform((word) => word === "true" || word === "1" || word === "yes"),
      encode: SchemaGetter.transform((flag): (typeof words)[number] => (flag ? "true" : "false"))
    })
  )
