import { Effect, Schema } from "effect"
import { compiled } from "../../kernel/Compiled.ts"
import type { EventName } from "../../kernel/EventName.ts"

/**
 * `{"object","id","attributes","previous":{"status"}}`: the record as a GET request returns it and, if its status
 * changed, its previous status (rules/webhooks.md, Events).
 */
export const recordEvent = <A extends { readonly id: number }, I>(object: string, schema: Schema.Codec<A, I>) => {
  const encode = Schema.encodeEffect(Schema.toCodecJson(compiled(schema)))
  return Effect.fnUntraced(function* (type: EventName, record: A, status_before?: string) {
    const attributes = yield* Effect.orDie(encode(record))
    const previous = status_before === undefined ? {} : { previous: { status: status_before } }
    return { type, data: { object, id: record.id, attributes, ...previous } }
  })
}
