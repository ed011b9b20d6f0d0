import { Effect, Schema } from "effect"

export const stored = <A, E>(schema: Schema.Codec<A, E>) => {
  const codec = Schema.toCodecJson(schema)
  const encode = Schema.encodeEffect(codec)
  const decode = Schema.decodeUnknownEffect(codec)
  return {
    encode: (value: A) => Effect.orDie(encode(value)),
    decode: (json: Schema.Json) => Effect.orDie(decode(json))
  }
}
