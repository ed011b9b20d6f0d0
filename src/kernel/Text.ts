import { Effect, Option, Predicate, Schema, SchemaGetter } from "effect"
import { shownAs } from "./Described.ts"

/**
 * Counts characters as the API document does (JSON Schema, RFC 8259): an emoji is one, although it has two code units.
 * A text with more than twice as many code units is not counted, because counting 5 MiB takes long.
 */
const isMaxCharacters = (characters_max: number) =>
  Schema.makeFilter<string>(
    (text) =>
      text.length <= characters_max || (text.length <= 2 * characters_max && Array.from(text).length <= characters_max),
    {
      message: `may not be longer than ${characters_max} characters.`,
      toJsonSchema: () => [{ maxLength: characters_max }, true],
      arbitraryConstraint: { maxLength: characters_max }
    }
  )

/** Counts characters like `isMaxCharacters`. Effect's own check would count code units. */
export const isMinCharacters = (characters_min: number) =>
  Schema.makeFilter<string>((text) => Array.from(text).length >= characters_min, {
    message: `must have at least ${characters_min} characters.`,
    toJsonSchema: () => [{ minLength: characters_min }, true],
    arbitraryConstraint: { minLength: characters_min }
  })

/** PostgreSQL cannot store U+0000, and other control characters could hide parts of a text. */
export const Text = (characters_max: number) =>
  Schema.String.check(
    // A text that is too long is not checked further: the pattern alone would take 20 ms for 5 MiB.
    isMaxCharacters(characters_max).abort(),
    // Control characters are refused, except tab, line feed and carriage return.
    // oxlint-disable-next-line no-control-regex
    Schema.isPattern(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, {
      message: "may not contain control characters."
    }),
    // Half a surrogate pair is not a character, and jsonb refuses it.
    Schema.makeFilter((text) => text.isWellFormed(), { message: "must be well-formed Unicode." })
  )

/**
 * Returns the beginning of a text, with at most this number of code units. An emoji at the end is left out as a whole,
 * because half a surrogate pair is not a character, and jsonb refuses it.
 */
export const cut = (text: string, code_units_max: number): string =>
  text.slice(0, code_units_max).replace(/[\ud800-\udbff]$/, "")

/** Returns the number of a register or a tax office without punctuation, in capital letters. */
export const compact = (number: string): string => number.replace(/[\s./-]/g, "").toUpperCase()

/** Sorts the entries of an object by their names, in the order of UTF-16. */
export const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]) =>
  left < right ? -1 : 1

/** Writes a number with the form of the noun that belongs to it. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const isBlank = (text: string | null | undefined): boolean => (text ?? "").trim() === ""

export const Name = Text(255).check(Schema.isPattern(/\S/, { message: "may not be empty." }))

export const Line = Text(255)

/** The scheme may be missing, as in `www.beta.eu`, but it may not be another one such as `javascript:`. */
export const WebAddress = Line.check(
  Schema.isPattern(/^(?:https?:\/\/\S+|[^\s:]*)$/i, { message: "must be an http:// or https:// address." })
)
export const notes_characters_max = 5_000
export const Notes = Text(notes_characters_max)

/** An optional text: null clears it, and an absent key leaves it unchanged. */
export const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** An absent key becomes null, so that both spellings of a missing part are stored alike. */
export const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** An absent key and null become this value. */
export const orDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  optionalOrNull(schema).pipe(
    Schema.decodeTo(schema, {
      decode: SchemaGetter.transformOptionalEffect((sent) =>
        Effect.succeedSome(Option.getOrElse(notNull(sent), () => value))
      ),
      encode: SchemaGetter.passthroughSupertype()
    })
  )

/** An optional field that no record lacks: null cannot clear it, and thus means the same as an absent key. */
export const unlessNull = <S extends Schema.Top>(schema: S) =>
  optionalOrNull(schema).pipe(
    // Without this, the reference would name the union with null after the schema.
    Schema.decodeTo(Schema.optionalKey(schema.annotate({ identifier: undefined })), {
      decode: SchemaGetter.transformOptionalEffect((sent) => Effect.succeed(notNull(sent))),
      encode: SchemaGetter.passthroughSupertype()
    })
  )

const optionalOrNull = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(Schema.toEncoded(schema)))

const notNull = <A>(sent: Option.Option<A | null>) => Option.filter(sent, Predicate.isNotNull)

/**
 * Like `nullable`, for a code or an address: an HTML form sends an empty text for a field that nobody filled in, which
 * means null (rules/conventions.md, Records).
 */
export const nullableCode = <S extends Schema.Codec<string, string>>(schema: S) =>
  Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate(shownAs(Schema.toJsonSchemaDocument(Schema.NullOr(schema)).schema))
  ).pipe(
    Schema.decodeTo(nullable(schema), {
      decode: SchemaGetter.transformOptionalEffect((sent) =>
        Effect.succeed(Option.map(sent, (text) => (text === "" ? null : text)))
      ),
      encode: SchemaGetter.passthroughSupertype()
    })
  )
