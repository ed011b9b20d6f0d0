import { Effect, Schema, type SchemaAST, SchemaParser } from "effect"
import { SchemaCompiler } from "effect/schema"

/** Returns the checks of a list's maximum length. They can run without looking at the entries. */
export const lengthChecks = ({ checks }: SchemaAST.Arrays): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  (checks ?? []).flatMap((check) => (check._tag === "Filter" && isMaxLength(check) ? [check] : []))

const isMaxLength = ({ annotations }: SchemaAST.Filter<unknown>): boolean =>
  annotations?.representation?.id === "effect/schema/isMaxLength"

/** A list that is too long fails for its length alone: explaining every wrong entry of 5 MiB takes seconds. */
export const measureLists = (schema: Schema.Top): void => visit(schema.ast)

const seen = new WeakSet<SchemaAST.AST>()

const visit = (ast: SchemaAST.AST): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  for (const { to } of ast.encoding ?? []) visit(to)
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.forEach(({ type }) => visit(type))
    case "Union":
      return ast.types.forEach(visit)
    case "Arrays":
      ast.rest.forEach(visit)
      if (ast.encoding === undefined) measure(ast)
  }
}

const { missing } = SchemaCompiler

const measure = (ast: SchemaAST.Arrays): void => {
  const checks = lengthChecks(ast)
  if (checks.length === 0) return
  const list: Schema.Codec<ReadonlyArray<unknown>> = Schema.declare(isList)
  const measured = SchemaParser.decodeUnknownEffect(checks.reduce((measured, check) => measured.check(check), list))
  // This copy of `ast` does not get the decoder below, so Effect's own decoder decodes the value.
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
