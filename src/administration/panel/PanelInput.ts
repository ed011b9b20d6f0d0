import { Effect, Option, Schema } from "effect"
import { type PageRequest, pageQuery } from "../../kernel/Envelope.ts"
import { inText } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { fieldErrors } from "../../platform/http/RequestValidation.ts"

/** Parses an id in an address; fails with NotFound for any other text. */
export const idOf = <S extends Schema.Codec<number, number>>(
  schema: S,
  text: string | undefined
): Effect.Effect<S["Type"], NotFound> => orNotFound(Effect.sync(() => Schema.decodeUnknownOption(inText(schema))(text)))

const decodePage = Schema.decodeOption(Schema.Struct({ page: pageQuery.page }))

export const pageOf = (query: URLSearchParams): PageRequest =>
  Option.getOrElse(decodePage({ page: query.get("page") ?? "1" }), () => ({}))

/** Returns the trimmed input of a field, with lines that end as in the API; undefined if it is empty. */
export const textOf = (fields: URLSearchParams, name: string): string | undefined =>
  fields.get(name)?.replaceAll("\r\n", "\n").trim() || undefined

/** Decodes the input of a form. Fields without input are omitted. */
export const decoded = Effect.fnUntraced(function* <A>(
  schema: Schema.Decoder<A>,
  answers: Readonly<Record<string, unknown>>
) {
  const given: unknown = Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined))
  return yield* Schema.decodeUnknownEffect(schema, { errors: "all" })(given).pipe(
    Effect.mapError(({ issue }) => ValidationFailed.of(fieldErrors(issue)))
  )
})

/** Returns a function that turns a refusal into a validation error at the given field. */
export const at = (field: string) => (refused: { readonly message: string }) =>
  Effect.fail(ValidationFailed.of({ [field]: [refused.message] }))
