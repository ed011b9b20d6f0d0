import { Effect, Exit, Option, Predicate, Result, Schema, SchemaAST, SchemaParser } from "effect"
import { SchemaCompiler } from "effect/schema"
import { lengthChecks } from "./ListLength.ts"

/**
 * Makes a schema decode and (in JSON) encode five times as fast. Effect's own compiler does not compile transformations
 * and declared types, such as amounts and instants. A refused value is decoded once more by Effect, to explain why. Use
 * this for records and request bodies of hot paths; the envelopes `data` and `page` compile their schemas themselves.
 */
export const compiled = <S extends Schema.Top>(schema: S): S => {
  const json = Schema.toCodecJson(schema).ast
  install(schema.ast)
  install(json)
  install(SchemaAST.flip(json))
  return schema
}

/** True if compiled code can decode the whole schema from JSON; false if Effect would interpret a part of it. */
export const isCompiled = (schema: Schema.Top): boolean => decoderOf(Schema.toCodecJson(schema).ast) !== undefined

const { invalid, missing } = SchemaCompiler

const installed = new WeakSet<SchemaAST.AST>()

const install = (ast: SchemaAST.AST): void => {
  if (installed.has(ast)) return
  installed.add(ast)
  // This copy of `ast` has no compiled decoder, so Effect decodes the value and explains what is wrong.
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

/** Returns the decoded value, or `invalid`. The input is `missing` if a key is absent and a default will replace it. */
type Step = (input: unknown) => unknown

const same: Step = (input) => input

/** Returns the decoder of a schema; undefined if it cannot be decoded synchronously, so that Effect must decode it. */
const decoderOf = (ast: SchemaAST.AST): Step | undefined => {
  const { encoding } = ast
  const checks = "encodingChecks" in ast ? ast.encodingChecks : undefined
  if (encoding === undefined)
    return inSequence(afterwards(typeOf(ast), refinementOf(ast, checks)), refinementOf(ast, ast.checks))
  if (checks !== undefined) return undefined
  // `encoding` is a list of links, and decoding starts at the last one.
  return encoding.reduceRight<Step | undefined>(
    (before, link, index) => inSequence(before, linkOf(link, encoding[index - 1]?.to ?? ast)),
    encoding.slice(-1).map((last) => (isDefault(last) ? present(decoderOf(last.to)) : decoderOf(last.to)))[0]
  )
}

/** Returns `missing`, which marks an absent key, without running the step. A later step inserts the default. */
const present = (step: Step | undefined): Step | undefined =>
  step === undefined || step === same ? step : (input) => (input === missing ? missing : step(input))

/** Runs the step, then checks its input. Only a schema that is flipped for encoding has checks for its input. */
const afterwards = (step: Step | undefined, checked: Step): Step | undefined => {
  if (step === undefined || checked === same) return step
  return (input) => {
    const value = step(input)
    return value === invalid || checked(input) === invalid ? invalid : value
  }
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

const linkOf = ({ transformation }: SchemaAST.Link, target: SchemaAST.AST): Step | undefined => {
  if (transformation._tag !== "Transformation") return undefined
  const { decode } = transformation
  if (decode._tag === "Passthrough") return inSequence(typeOf(target), refinementOf(target, target.checks))
  if (decode._tag === "TransformOptionalEffect") {
    const defaulted: Step = (input) => {
      const value = valueOf(decode.transform(input === missing ? Option.none() : Option.some(input), parse_options))
      return Option.isOption(value) && Option.isSome(value) ? value.value : invalid
    }
    return inSequence(defaulted, typeOf(target), refinementOf(target, target.checks))
  }
  if (decode._tag !== "Transform" && decode._tag !== "TransformEffect") return undefined
  const transform: Step =
    decode._tag === "Transform" ? decode.transform : (input) => valueOf(decode.transform(input, parse_options))
  // A transformation returns a value of its declared type, so for a plain type only the refinements are checked.
  return inSequence(transform, isPlain(target) ? same : typeOf(target), refinementOf(target, target.checks))
}

/** Returns the value of an effect that has already succeeded, or else `invalid`. */
const valueOf = (result: unknown): unknown => (Exit.isExit(result) && Exit.isSuccess(result) ? result.value : invalid)

const isPlain = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union"
    ? ast.types.every((type) => type.encoding === undefined && isPlain(type))
    : ast._tag !== "Objects" && ast._tag !== "Arrays" && ast._tag !== "Suspend"

const refinementOf = (ast: SchemaAST.AST, checks?: SchemaAST.Checks): Step => {
  if (checks === undefined) return same
  const filters = checks.flatMap(filtersOf)
  // This is a loop, because a callback would be allocated for each checked value.
  return (value) => {
    for (const filter of filters) if (filter.run(value, ast, parse_options) !== undefined) return invalid
    return value
  }
}

const filtersOf = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersOf)

const parse_options: SchemaAST.ParseOptions = {}

const typeOf = (ast: SchemaAST.AST): Step | undefined => {
  switch (ast._tag) {
    case "Unknown":
      return same
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

/** Annotation that holds the guard of a declared type, so that it can be called without making an Effect. */
export const guard_annotation = "invoicing/guard"

const declarationOf = (ast: SchemaAST.Declaration): Step | undefined => {
  if (ast.typeParameters.length > 0) return undefined
  const guard = ast.annotations?.[guard_annotation]
  if (Predicate.isFunction(guard)) return (input) => (guard(input) === true ? input : invalid)
  const run = ast.run([])
  return (input) => {
    const value = valueOf(run(input, ast, parse_options))
    // Effect's own declarations return `missing` to say that the input is already the value.
    return value === missing ? input : value
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

const arrayOf = (ast: SchemaAST.Arrays): Step | undefined => {
  const { elements, rest } = ast
  const [type, ...tail] = rest
  const checks = lengthChecks(ast)
  const element = type === undefined ? undefined : decoderOf(type)
  if (element === undefined || elements.length + tail.length > 0) return undefined
  return (input) => {
    if (!Array.isArray(input)) return invalid
    if (checks.some((check) => check.run(input, ast, parse_options) !== undefined)) return invalid
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
  readonly absent: "refused" | "omitted" | "defaulted"
}

const absenceOf = ({ context, encoding }: SchemaAST.AST): Field["absent"] => {
  if (context?.isOptional === true) return "omitted"
  const last = encoding?.at(-1)
  return last !== undefined && isDefault(last) ? "defaulted" : "refused"
}

const isDefault = ({ to, transformation }: SchemaAST.Link): boolean =>
  to.context?.isOptional === true &&
  transformation._tag === "Transformation" &&
  transformation.decode._tag === "TransformOptionalEffect"

/** Returns the decoder of a record with arbitrary keys, whose values all have one type. */
const mapOf = ([signature, ...more]: ReadonlyArray<SchemaAST.IndexSignature>): Step | undefined => {
  if (signature === undefined || more.length > 0) return undefined
  const { parameter, type } = signature
  const isAnyKey = parameter._tag === "String" && parameter.checks === undefined && parameter.encoding === undefined
  const step = isAnyKey ? decoderOf(type) : undefined
  if (step === undefined) return undefined
  return (input) => {
    if (!isRecord(input)) return invalid
    const pairs = Object.entries(input).map(([key, value]) => [key, step(value)] as const)
    return pairs.some(([, value]) => value === invalid) ? invalid : Object.fromEntries(pairs)
  }
}

const recordOf = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Step | undefined => {
  if (propertySignatures.length === 0) return mapOf(indexSignatures)
  const fields = propertySignatures.flatMap(({ name, type }): ReadonlyArray<Field> => {
    const step = decoderOf(type)
    return step === undefined ? [] : [{ name, step, absent: absenceOf(type) }]
  })
  if (fields.length < propertySignatures.length || fields.length === 0 || indexSignatures.length > 0) return undefined
  // The loop below would set the prototype of its output.
  if (fields.some(({ name }) => name === "__proto__")) return undefined
  const direct = generated(fields)
  return (input) => {
    if (!isRecord(input)) return invalid
    const whole = direct(input)
    if (whole !== incomplete) return whole
    const output: Record<PropertyKey, unknown> = {}
    for (const { absent, name, step } of fields) {
      const given = input[name]
      const isAbsent = given === undefined && !(name in input)
      if (isAbsent && absent === "omitted") continue
      if (isAbsent && absent === "refused") return invalid
      const value = step(isAbsent ? missing : given)
      if (value === invalid) return invalid
      output[name] = value
    }
    return output
  }
}

/** A generated decoder returns this for a record that it cannot decode. Then a slower loop decodes the record. */
const incomplete = Symbol("incomplete")
const looping: Step = () => incomplete

/**
 * Generates the decoder of a record with all required and no optional fields, which takes half the time of a loop over
 * names. Names are quoted as JSON, and no input becomes code. Pages that forbid generated code use the loop.
 */
const generated = (fields: ReadonlyArray<Field>): Step => {
  if (fields.some(({ name }) => typeof name !== "string")) return looping
  const keys = fields.map(({ name }) => JSON.stringify(name))
  const lines = fields.map(({ absent }, index) => {
    const [given, key] = [`given${index}`, keys[index]]
    if (absent === "omitted") return `if (input[${key}] !== undefined || ${key} in input) return incomplete`
    const orMissing =
      absent === "defaulted" ? `${given} === undefined && !(${key} in input) ? missing : ${given}` : given
    return `const ${given} = input[${key}]
      ${absent === "refused" ? `if (${given} === undefined) return incomplete` : ""}
      const value${index} = step${index}(${orMissing})
      if (value${index} === invalid) return invalid`
  })
  const members = fields.flatMap(({ absent }, index) => (absent === "omitted" ? [] : [`${keys[index]}: value${index}`]))
  const steps = fields.map((_, index) => `step${index}`)
  const body = `return (input) => { ${lines.join("\n")}\n return { ${members.join(", ")} } }`
  // oxlint-disable-next-line no-implied-eval -- the code consists of the names of a schema
  const made = Result.try(() => new Function("invalid", "incomplete", "missing", ...steps, body))
  // Boundary: TypeScript does not know the type of generated code.
  const direct = Result.map(
    made,
    (make) => make(invalid, incomplete, missing, ...fields.map(({ step }) => step)) as Step
  )
  return Result.getOrElse(direct, () => looping)
}

const isRecord = (input: unknown): input is Readonly<Record<PropertyKey, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
