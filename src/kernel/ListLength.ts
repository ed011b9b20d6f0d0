import { Effect, Schema, type SchemaAST, SchemaParser } from "effect"
import { SchemaCompiler } from "effect/schema"

/** The checks of a list that say how long it may be: all that can be asked before its entries are looked at. */
export const lengthChecks = ({ checks }: SchemaAST.Arrays): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  (checks ?? []).flatMap((check) => (check._tag === "Filter" && isMaxLength(check) ? [check] : []))

const isMaxLength = ({ annotations }: SchemaAST.Filter<unknown>): boolean =>
  annotations?.representation?.id === "effect/schema/isMaxLength"

/**
 * From now on a list within the schema that is too long is refused for its length alone. Effect looks at all entries
 * first, and 5 MiB have so many that to say what is wrong with each of them takes seconds.
 */
export const measureLists = (schema: Schema.Top): void => walk(schema.ast)

const seen = new WeakSet<SchemaAST.AST>()

const walk = (ast: SchemaAST.AST): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  for (const { to } of ast.encoding ?? []) walk(to)
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.forEach(({ type }) => walk(type))
    case "Union":
      return ast.types.forEach(walk)
    case "Arrays":
      ast.rest.forEach(walk)
      if (ast.encoding === undefined) measure(ast)
  }
}

const { missing } = SchemaCompiler

const measure = (ast: SchemaAST.Arrays): void => {
  const checks = lengthChecks(ast)
  if (checks.length === 0) return
  const list: Schema.Codec<ReadonlyArray<unknown>> = Schema.declare(isList)
  const measured = SchemaParser.decodeUnknownEffect(checks.reduce((measured, check) => measured.check(check), list))
  // A node of the same meaning but of its own, whose decoder stays Effect's.
  const decoded = SchemaParser.decodeUnknownEffect(Schema.make<Schema.Codec<unknown>>(ast).annotate({}))
  SchemaCompiler.set(ast, {
    decodeEffect: (input, options) => {
      if (input === missing) return Effect.succeed(missing)
      if (!isList(input)) return decoded(input, options)
      return Effect.flatMapEager(measured(input, options), () => decoded(input, options))
    }
  })
}

const isList = (input: unknown): input is ReadonlyArray<unknown> => Array.isArray(input)
