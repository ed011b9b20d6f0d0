import { Result, Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { fieldErrors } from "../../src/platform/http/RequestValidation.ts"
import { document, operations } from "./document/OpenApi.ts"

/** Values of every JSON type. A field with a closed list of values or with a format accepts none of them. */
const wrong: ReadonlyArray<unknown> = ["?", 1.5, true, null, [], {}, [null], { unknown: 1 }]

const levels_max = 4

/** Returns wrong values for a schema and for each field inside. */
const wrongFor = (schema: SchemaAST.AST, levels = levels_max): ReadonlyArray<unknown> => {
  const ast = SchemaAST.toEncoded(schema)
  if (levels === 0) return wrong
  const inside = (part: SchemaAST.AST) => wrongFor(part, levels - 1)
  switch (ast._tag) {
    case "Objects": {
      const fields = ast.propertySignatures.map(({ name, type }) => ({ name, values: inside(type) }))
      const rounds = Math.max(0, ...fields.map(({ values }) => values.length))
      const objects = Array.from({ length: rounds }, (_, round) =>
        Object.fromEntries(fields.map(({ name, values }) => [name, values[round % values.length]]))
      )
      return [...wrong, ...objects]
    }
    case "Arrays":
      return [...wrong, ...ast.rest.flatMap((part) => inside(part).map((value) => [value]))]
    case "Union":
      return ast.types.flatMap(inside)
    case "Suspend":
      return inside(ast.thunk())
    default:
      return wrong
  }
}

const inputs: Array<{ readonly name: string; readonly schema: Schema.Top }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    const name = `${group.identifier}.${endpoint.identifier}`
    for (const { schemas } of endpoint.payload.values()) schemas.forEach((schema) => inputs.push({ name, schema }))
    if (endpoint.query !== undefined) inputs.push({ name, schema: endpoint.query })
  }
})

const textsOf = (schema: Schema.Top): ReadonlyArray<string> => {
  // Decoding needs no service, but the type of the contract's schemas does not state that.
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, { errors: "all" })
  return wrongFor(schema.ast).flatMap((value) =>
    Result.match(decode(value), {
      onSuccess: () => [],
      onFailure: ({ issue }) => Object.values(fieldErrors(issue)).flat()
    })
  )
}

it("names no component of the contract in a sentence about a refused field", () => {
  const components = new Set([...Object.keys(document.components.schemas), "PersistedFile"])
  const texts = [...new Set(inputs.flatMap(({ schema }) => textsOf(schema)))]
  const named = texts.filter((text) => {
    const sentence = text.replace(/^The \S+ field /, "").replaceAll(/"[^"]*"/g, "")
    return /[<>]/.test(sentence) || (sentence.match(/\b[A-Z]\w+/g) ?? []).some((word) => components.has(word))
  })
  expect(named).toEqual([])
  expect(texts.length).toBeGreaterThan(500)
})

const codesIn = (value: unknown, seen: ReadonlySet<string> = new Set()): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((part) => codesIn(part, seen))
  if (typeof value !== "object" || value === null) return []
  const { $ref, code, error, ...rest } = { $ref: undefined, code: undefined, error: undefined, ...value }
  if (typeof $ref === "string") return seen.has($ref) ? [] : codesIn(componentAt($ref), new Set([...seen, $ref]))
  return [...textsIn(code), ...textsIn(error), ...codesIn(Object.values({ ...rest, code, error }), seen)]
}

const textsIn = (schema: unknown): ReadonlyArray<string> =>
  typeof schema === "object" && schema !== null && "enum" in schema && Array.isArray(schema.enum) ? schema.enum : []

const componentAt = (reference: string) =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>((node, key) => Reflect.get(Object(node), key), document)

it("names only refusals that the operation answers, with their status", () => {
  const wrong_codes = operations.flatMap(({ description = "", operationId, responses }) => {
    const named = [...description.matchAll(/\b[45]\d\d `([a-z_]+)`/g)].map(([, code = ""]) => code)
    const answered = new Set(Object.entries(responses).flatMap(([, response]) => codesIn(response)))
    return named.filter((code) => !answered.has(code)).map((code) => `${operationId}: ${code}`)
  })
  expect(wrong_codes).toEqual([])
})

/** For each column by which lists are sorted, the words that must occur in the descriptions of these lists. */
const orders: Readonly<Record<string, RegExp>> = {
  id: /creation|submission|arrival/,
  issue_date: /date of issue/,
  payment_date: /date of payment/,
  booking_date: /booking date/,
  expense_date: /by date/
}

it("says how each list is sorted", () => {
  const lists = operations.flatMap(({ description = "", operationId, parameters }) =>
    parameters.flatMap((parameter) => {
      const column = /default is `-(\w+)`/.exec(parameter.description ?? "")?.[1]
      return column === undefined ? [] : [{ operationId, isTrue: orders[column]?.test(description) ?? false }]
    })
  )
  expect(lists.filter(({ isTrue }) => !isTrue)).toEqual([])
  expect(lists.length).toBeGreaterThan(10)
})
