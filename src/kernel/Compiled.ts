import { Effect, Exit, Schema, SchemaAST, SchemaParser } from "effect"
import { SchemaCompiler } from "effect/schema"

/**
 * The same schema, decoded and (in JSON) encoded three times as fast: Effect's own compiler stops at transformations
 * and declared types, and every record here has amounts and instants. What the checks refuse, Effect decodes once more
 * to say why. For the records of hot paths; `data` and `page` see to their own.
 */
export const compiled = <S extends Schema.Top>(schema: S): S => {
  install(schema.ast)
  install(SchemaAST.flip(Schema.toCodecJson(schema).ast))
  return schema
}

const { invalid, missing } = SchemaCompiler

const installed = new WeakSet<SchemaAST.AST>()

const install = (ast: SchemaAST.AST): void => {
  if (installed.has(ast)) return
  installed.add(ast)
  // A node of the same meaning but of its own, whose decoder stays Effect's.
  const explained = SchemaParser.decodeUnknownEffect(Schema.make<Schema.Codec<unknown>>(ast).annotate({}))
  SchemaCompiler.set(ast, {
    get decode() {
      const step = decoderOf(ast)
      if (step === undefined) return undefined
      return (input: unknown, options: SchemaAST.ParseOptions) =>
        options.onExcessProperty === undefined ? step(input) : invalid
    },
    decodeEffect: (input, options) => (input === missing ? Effect.succeed(missing) : explained(input, options))
  })
}

/** Gives the decoded value, or `invalid`. */
type Step = (input: unknown) => unknown

const same: Step = (input) => input

/** Undefined for what cannot be decoded in one go (a default, an Effect): such a schema is left to Effect. */
const decoderOf = (ast: SchemaAST.AST): Step | undefined => {
  const { encoding } = ast
  if ("encodingChecks" in ast && ast.encodingChecks !== undefined) return undefined
  if (encoding === undefined) return inSequence(typeOf(ast), refinementOf(ast))
  // A value enters at the type of the last link.
  return encoding.reduceRight<Step | undefined>(
    (before, link, index) => inSequence(before, linkOf(link, encoding[index - 1]?.to ?? ast)),
    encoding.slice(-1).map(({ to }) => decoderOf(to))[0]
  )
}

const inSequence = (...steps: ReadonlyArray<Step | undefined>): Step | undefined =>
  steps.reduce((first, second) => {
    if (first === undefined || second === undefined) return undefined
    if (first === same || second === same) return first === same ? second : first
    return (input) => {
      const value = first(input)
      return value === invalid ? invalid : second(value)
    }
  })

/** From the type that the link leads to, in the direction of decoding. */
const linkOf = ({ transformation }: SchemaAST.Link, target: SchemaAST.AST): Step | undefined => {
  if (transformation._tag !== "Transformation") return undefined
  const { decode } = transformation
  if (decode._tag === "Passthrough") return inSequence(typeOf(target), refinementOf(target))
  if (decode._tag !== "Transform") return undefined
  // What a function makes has the type that it declares: of a plain one only the refinements are left to see.
  return inSequence(decode.transform, isPlain(target) ? same : typeOf(target), refinementOf(target))
}

const isPlain = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union"
    ? ast.types.every((type) => type.encoding === undefined && isPlain(type))
    : ast._tag !== "Objects" && ast._tag !== "Arrays" && ast._tag !== "Suspend"

const refinementOf = (ast: SchemaAST.AST): Step => {
  const { checks } = ast
  if (checks === undefined) return same
  const refuses = (value: unknown, check: SchemaAST.Check<unknown>): boolean =>
    check._tag === "Filter"
      ? check.run(value, ast, parse_options) !== undefined
      : check.checks.some((part) => refuses(value, part))
  return (value) => (checks.some((check) => refuses(value, check)) ? invalid : value)
}

const parse_options: SchemaAST.ParseOptions = {}

const typeOf = (ast: SchemaAST.AST): Step | undefined => {
  switch (ast._tag) {
    case "Null":
      return (input) => (input === null ? null : invalid)
    case "String":
      return (input) => (typeof input === "string" ? input : invalid)
    case "Number":
      return (input) => (typeof input === "number" ? input : invalid)
    case "Boolean":
      return (input) => (typeof input === "boolean" ? input : invalid)
    case "Literal":
      return (input) => (input === ast.literal ? input : invalid)
    case "Declaration":
      return declarationOf(ast)
    case "Union":
      return unionOf(ast)
    case "Arrays":
      return arrayOf(ast)
    case "Objects":
      return recordOf(ast)
    default:
      return undefined
  }
}

const declarationOf = (ast: SchemaAST.Declaration): Step | undefined => {
  if (ast.typeParameters.length > 0) return undefined
  const run = ast.run([])
  return (input) => {
    const exit = run(input, ast, parse_options)
    return Exit.isExit(exit) && Exit.isSuccess(exit) ? exit.value : invalid
  }
}

const unionOf = ({ options, types }: SchemaAST.Union): Step | undefined => {
  const literals = types.flatMap((type) =>
    type._tag === "Literal" && type.encoding === undefined && type.checks === undefined ? [type.literal] : []
  )
  if (literals.length === types.length) {
    const known = new Set<unknown>(literals)
    return (input) => (known.has(input) ? input : invalid)
  }
  const members = types.map(decoderOf)
  if (options?.mode === "oneOf" || !members.every((member) => member !== undefined)) return undefined
  const nullable = types.some(({ _tag, encoding }) => _tag === "Null" && encoding === undefined)
  return (input) => {
    if (input === null && nullable) return null
    for (const member of members) {
      const value = member(input)
      if (value !== invalid) return value
    }
    return invalid
  }
}

const arrayOf = ({ elements, rest: [type, ...tail] }: SchemaAST.Arrays): Step | undefined => {
  const element = type === undefined ? undefined : decoderOf(type)
  if (element === undefined || elements.length + tail.length > 0) return undefined
  return (input) => {
    if (!Array.isArray(input)) return invalid
    const output: Array<unknown> = []
    for (const item of input) {
      const value = element(item)
      if (value === invalid) return invalid
      output.push(value)
    }
    return output
  }
}

interface Field {
  readonly name: PropertyKey
  readonly step: Step
  readonly optional: boolean
}

const recordOf = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Step | undefined => {
  const fields = propertySignatures.flatMap(({ name, type }): ReadonlyArray<Field> => {
    const step = decoderOf(type)
    return step === undefined ? [] : [{ name, step, optional: type.context?.isOptional === true }]
  })
  if (fields.length < propertySignatures.length || fields.length === 0 || indexSignatures.length > 0) return undefined
  return written(fields)
}

/**
 * The function that decodes a record of these fields, with their names written out: so the engine knows what it reads
 * and what it makes, and need not look for each field by its name. The names are those of schemas, never of a request.
 */
const written = (fields: ReadonlyArray<Field>): Step | undefined => {
  // A literal would take it for the prototype.
  if (fields.some(({ name }) => typeof name !== "string" || name === "__proto__")) return undefined
  const names = fields.map(({ name }) => JSON.stringify(name))
  const optional = fields.findIndex((field) => field.optional)
  const literal = optional === -1 ? fields.length : optional
  const decoded = (index: number) => `
    const given${index} = input[${names[index]}]
    if (given${index} === undefined && !(${names[index]} in input)) return invalid
    const value${index} = step${index}(given${index})
    if (value${index} === invalid) return invalid`
  const added = (index: number) => `
    if (${names[index]} in input) {
      const value = step${index}(input[${names[index]}])
      if (value === invalid) return invalid
      output[${names[index]}] = value
    }${fields[index]?.optional === true ? "" : " else return invalid"}`
  const source = `return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return invalid
    ${fields.map((_, index) => (index < literal ? decoded(index) : "")).join("")}
    const output = { ${names
      .slice(0, literal)
      .map((name, index) => `${name}: value${index}`)
      .join(", ")} }
    ${fields.map((_, index) => (index < literal ? "" : added(index))).join("")}
    return output
  }`
  // oxlint-disable-next-line typescript/no-implied-eval -- As Effect's own compiler of schemas does.
  const make = new Function("invalid", ...fields.map((_, index) => `step${index}`), source)
  return make(invalid, ...fields.map(({ step }) => step))
}
