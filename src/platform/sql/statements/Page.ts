import { Effect, Schema } from "effect"
import { compiled } from "../../../kernel/Compiled.ts"
import { offsetOf, type PageRequest } from "../../../kernel/Envelope.ts"

export interface Listed {
  readonly list_total: number
}

/** A page after the last one has no row with the total, which is then read from the first row of the list. */
export const pagesOf = <Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(compiled(Schema.Struct(fields))))
  return Effect.fnUntraced(function* <Query extends PageRequest, E, R>(
    query: Query,
    select: (query: Query) => Effect.Effect<ReadonlyArray<Listed>, E, R>
  ) {
    const listed = yield* select(query)
    const isBeyond = listed.length === 0 && offsetOf(query) > 0
    const [first] = isBeyond ? yield* select({ ...query, page: 1, per_page: 1 }) : listed
    return { rows: yield* decode(listed), total: first?.list_total ?? 0 }
  })
}
