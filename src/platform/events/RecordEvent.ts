import { Effect, Schema } from "effect"
import type { EventName } from "../../kernel/EventName.ts"
import type { Json } from "./CanonicalJson.ts"

/**
 * Events about one kind of record. They carry the record as GET answers it and, where it changed, the status it had
 * before: `{"object","id","attributes","previous":{"status"}}`; contract section 15.
 */
export const recordEvent = <A extends { readonly id: number }, I>(object: string, schema: Schema.Codec<A, I>) => {
  const encode = Schema.encodeEffect(schema)
  return Effect.fnUntraced(function* (type: EventName, record: A, status_before?: string) {
    // Boundary: the encoded form of a response is JSON by construction, which its type (a row's Date, too) does not say.
    const attributes = (yield* Effect.orDie(encode(record))) as unknown as Json
    const previous = status_before === undefined ? {} : { previous: { status: status_before } }
    return { type, data: { object, id: record.id, attributes, ...previous } }
  })
}
