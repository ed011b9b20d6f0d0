import { Schema, Struct } from "effect"

/**
 * Describes a field or a parameter in the API reference. Call it around the complete schema: `described(nullable(Day),
 * "...")`. The reference shows what is on the wire, so the encoded side is described as well.
 */
export const described = <S extends Schema.Top>(
  schema: S,
  description: string,
  ...examples: ReadonlyArray<S["Type"] | S["Encoded"]>
): S => {
  const annotations = examples.length === 0 ? { description } : { description, examples }
  const field = Schema.make<Schema.Codec<unknown, unknown>>(schema.ast).annotateKey(annotations)
  const both = schema.ast.encoding === undefined ? field : Schema.flip(Schema.flip(field).annotateKey(annotations))
  // Boundary: flipping twice gives the schema back, which the compiler cannot see.
  return schema.rebuild(both.ast) as S
}

export const textOf = (schema: Schema.Constraint): string => {
  const text = schema.ast.context?.annotations?.["description"]
  return typeof text === "string" ? text : ""
}

/** The type is written out, because the declarations of the client package cannot name the type of `Schema.NullOr`. */
interface OrNull extends Struct.Lambda {
  <S extends Schema.Constraint>(schema: S): Schema.NullOr<S>
  readonly "~lambda.out": this["~lambda.in"] extends Schema.Constraint ? Schema.NullOr<this["~lambda.in"]> : never
}

export const describedOrNull: OrNull = Struct.lambda<OrNull>((schema) =>
  described(Schema.NullOr(schema), textOf(schema))
)

/** Shows a schema in the API reference as this JSON schema; the value on the wire is decoded as before. */
export const shownAs = (schema: Readonly<Record<string, unknown>>) => ({ [shown_as]: schema })

/** Annotation with the JSON schema that the API reference shows in place of the generated one. */
export const shown_as = "x-shown-as"
