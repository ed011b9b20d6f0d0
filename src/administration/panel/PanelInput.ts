import { Effect, Option, Schema } from "effect"
import { type PageRequest, pageQuery } from "../../kernel/Envelope.ts"
import { inText } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { fieldErrors } from "../../platform/http/RequestValidation.ts"

/** The id in an address. */
export const idOf = <S extends Schema.Codec<number, number>>(
  schema: S,
  text: string | undefined
): Effect.Effect<S["Type"], NotFound> => orNotFound(Effect.sync(() => Schema.decodeUnknownOption(inText(schema))(text)))

const decodePage = Schema.decodeOption(Schema.Struct({ page: pageQuery.page }))

/** Which page of a list an address asks for. */
export const pageOf = (query: URLSearchParams): PageRequest =>
  Option.getOrElse(decodePage({ page: query.get("page") ?? "1" }), () => ({}))

/** What was typed, without the space around it; undefined for nothing. */
export const textOf = (fields: URLSearchParams, name: string): string | undefined =>
  fields.get(name)?.trim() || undefined

/** What the form says, as the schema of the use case reads it. A question without an answer has no key. */
export const decoded = Effect.fnUntraced(function* <A>(
  schema: Schema.Decoder<A>,
  answers: Readonly<Record<string, unknown>>
) {
  const given: unknown = Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined))
  return yield* Schema.decodeUnknownEffect(schema, { errors: "all" })(given).pipe(
    Effect.mapError(({ issue }) => ValidationFailed.of(fieldErrors(issue)))
  )
})

/** A refusal of the use case, told at the field it is about. */
export const at = (field: string) => (refused: { readonly message: string }) =>
  Effect.fail(ValidationFailed.of({ [field]: [refused.message] }))
