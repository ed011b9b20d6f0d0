import { Effect, Schema } from "effect"

type Fields = Readonly<Record<string, Schema.Json>>

/** Makes a function that encodes a struct as JSON. */
export const jsonRecord = <S extends Schema.ConstraintEncoder<unknown>>(struct: S) => {
  const encode = Schema.encodeEffect(Schema.toCodecJson(struct))
  return (value: S["Type"]): Effect.Effect<Fields> =>
    // Boundary: the JSON codec of a struct returns an object of its fields, but its type says only JSON.
    Effect.map(Effect.orDie(encode(value)), (json) => json as Fields)
}
