import { Effect, Layer, Schema, SchemaAST } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint, HttpApiError, type HttpApiGroup } from "effect/http-api"
import { measureLists } from "../../kernel/ListLength.ts"
import { type FieldErrors, NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { MalformedJson, UnknownFilter } from "./Refusals.ts"
import { fieldErrors, RequestValidation } from "./RequestValidation.ts"

export const requestValidation = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const filters = new Map<string, ReadonlyArray<string>>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      for (const { schemas } of endpoint.payload.values()) schemas.forEach(measureLists)
      const names = namesOf(endpoint.query)
      const isWhole =
        endpoint.method === "GET" && !names.includes(list_parameter) && [...(successes.get(200) ?? [])].some(isList)
      const known = isWhole ? [...names, ...paging] : names
      if (known.length > 0) filters.set(routeName({ endpoint, group }), known)
    }
  })
  return Layer.succeed(
    RequestValidation,
    RequestValidation.of((handler, route) =>
      Effect.gen(function* () {
        const known = filters.get(routeName(route)) ?? []
        const asked = withLists(yield* HttpServerRequest.ParsedSearchParams, known)
        if (known.length > 0) yield* requireKnown(asked, known)
        const given = route.endpoint.method === "GET" ? withoutEmpty(asked) : asked
        return yield* Effect.provideService(handler, HttpServerRequest.ParsedSearchParams, given)
      }).pipe(Effect.catch(refusedBySchema))
    )
  )
}

type Asked = Effect.Success<typeof HttpServerRequest.ParsedSearchParams>

/** Reads `ids[0]=1&ids[1]=2`, as PHP and qs write a list, as `ids[]=1&ids[]=2`. */
const withLists = (asked: Asked, known: ReadonlyArray<string>): Asked =>
  known
    .filter((name) => name.endsWith("[]"))
    .reduce((parameters, list) => {
      const isEntry = (name: string) => name.replace(/\[\d+\]$/, "[]") === list
      const entries = Object.entries(parameters)
      const values = entries.flatMap(([name, value]) => (isEntry(name) ? (value ?? []) : []))
      const others = Object.fromEntries(entries.filter(([name]) => !isEntry(name)))
      return values.length === 0 ? parameters : { ...others, [list]: values }
    }, asked)

/** Parameters of which an empty value says something: the beginning of a list, and an id that no record has. */
const meant_when_empty = ["cursor", "external_id"]

/** An empty filter of a GET is absent, as a form sends it for "all" (rules/conventions.md, Lists). */
const withoutEmpty = (asked: Asked): Asked =>
  Object.fromEntries(Object.entries(asked).filter(([name, value]) => value !== "" || meant_when_empty.includes(name)))

/** True if the `data` of an answer is an array, as in a list without pages. */
const isList = ({ ast }: Schema.Top): boolean => {
  const encoded = SchemaAST.toEncoded(ast)
  const data = encoded._tag === "Objects" ? encoded.propertySignatures.find(({ name }) => name === "data") : undefined
  return data?.type._tag === "Arrays"
}

/** Every list with pages has this query parameter, and no other endpoint has it. */
const list_parameter = "per_page"
/** Parameters that a list without pages ignores, so that clients can read all lists in the same way. */
const paging = ["page", list_parameter]

const unknown_named_max = 20

interface Route {
  readonly group: { readonly identifier: string }
  readonly endpoint: { readonly identifier: string; readonly method: string }
}

const routeName = ({ endpoint, group }: Route) => `${group.identifier}.${endpoint.identifier}`

const namesOf = (query: HttpApiEndpoint.Top["query"]): ReadonlyArray<string> => {
  if (query === undefined) return []
  const { ast } = Schema.toEncoded(query)
  return ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

const requireKnown = Effect.fnUntraced(function* (asked: Asked, filters: ReadonlyArray<string>) {
  const unknown = Object.keys(asked).filter((name) => !filters.includes(name))
  if (unknown.length > 0) return yield* UnknownFilter.of(unknown.slice(0, unknown_named_max), filters)
})

type Refused = NotFound | MalformedJson | ValidationFailed

const refusedBySchema = <E>(error: E): Effect.Effect<never, E | Refused, HttpServerRequest.ParsedSearchParams> =>
  HttpApiError.HttpApiSchemaError.is(error) ? refusalOf(error) : Effect.fail(error)

/**
 * A parameter that is sent twice arrives as an array. The message does not mention an array, because the client sent
 * none.
 */
const onceEach = (errors: FieldErrors, asked: Asked): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => [
      name,
      Array.isArray(asked[name]) ? [`The ${name} field may be given only once.`] : messages
    ])
  )

const refusalOf = ({ cause, kind }: HttpApiError.HttpApiSchemaError) => {
  const { issue } = cause
  switch (kind) {
    case "Params":
      return NotFound.of()
    case "Query":
      return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (asked) =>
        ValidationFailed.of(onceEach(fieldErrors(issue), asked))
      )
    case "Headers":
      return ValidationFailed.of(fieldErrors(issue))
    case "Payload":
      // HttpApiBuilder reports exactly this issue, without a path, when JSON.parse throws.
      return issue._tag === "InvalidValue" && issue.annotations?.message === "Expected a valid JSON body"
        ? MalformedJson.of()
        : ValidationFailed.of(fieldErrors(issue))
    default:
      // A response that its own schema refuses is a bug.
      return Effect.die(cause)
  }
}
