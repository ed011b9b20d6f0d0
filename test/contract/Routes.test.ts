import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { routeLines } from "../../scripts/routes.ts"
import type { Api } from "../../src/Api.ts"
import { accessRows } from "../../src/organizations/access/Access.ts"
import type { Authentication, Authorization } from "../../src/platform/http/Security.ts"
import { endpoints, open } from "./Endpoints.ts"

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .trim()
    .split("\n")

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Group> ? Group : never
type GuardedIn<Group extends string, Endpoint> = Endpoint extends HttpApiEndpoint.Constraint
  ? [Extract<HttpApiEndpoint.Middleware<Endpoint>, Authentication | Authorization>] extends [never]
    ? never
    : `${Group}.${Endpoint["identifier"]}`
  : never
type GuardedOf<Group> = Group extends HttpApiGroup.Constraint
  ? GuardedIn<Group["identifier"], HttpApiGroup.Endpoints<Group>>
  : never

interface Route {
  readonly successes: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

const statuses = (text = "-") => (text === "-" ? [] : text.split(","))

/** Parameters get the name `*`, because spec-routes.txt and the code name them differently. */
const routes = (lines: ReadonlyArray<string>) =>
  new Map(
    lines.map((line): [string, Route] => {
      const [method, path = "", successes, , errors] = line.split(" ")
      const unnamed = path.replaceAll(/:\w+|\{\w+\}/g, "*")
      return [`${method} ${unnamed}`, { successes: statuses(successes), errors: statuses(errors) }]
    })
  )

const built = routes(linesOf("routes.txt"))
const spec = routes(linesOf("spec-routes.txt"))

/** Success statuses that spec-routes.txt does not list: answers to `Prefer: respond-async` (RFC 7240). */
const additionalSuccesses = new Map([
  ["POST /api/v1/batch/invoices/create", ["202"]],
  ["POST /api/v1/batch/invoices/send", ["202"]],
  ["POST /api/v1/bank-accounts/*/import-statement", ["202"]]
])

/** Routes for which spec-routes.txt shows neither a status nor a body. */
const unsaid = new Set(["POST /api/v1/bank-transactions/*/match"])

describe("routes.txt", () => {
  it("equals the contract; after an intended change run npm run contract", () => {
    expect(routeLines()).toEqual(linesOf("routes.txt"))
    expect(built.size).toBe(routeLines().length)
  })

  it("has the 133 routes of spec-routes.txt, with the same successes and all errors", () => {
    expect(spec.size).toBe(133)
    const shortfalls = [...spec].flatMap(([route, said]) => {
      const { errors, successes } = built.get(route) ?? { errors: [], successes: ["nothing"] }
      if (unsaid.has(route)) return []
      const missing = said.errors.filter((status) => !errors.includes(status))
      const expected = [...said.successes, ...(additionalSuccesses.get(route) ?? [])]
      const same = expected.join() === successes.join()
      return [
        ...(same ? [] : [`${route} succeeds with ${successes.join()}`]),
        ...missing.map((s) => `${route} lacks ${s}`)
      ]
    })
    expect(shortfalls).toEqual([])
  })
})

describe("access", () => {
  it("has a row for each endpoint that requires authentication, and no other rows", () => {
    // An endpoint that is missing here needs a row in organizations/access/Access.ts.
    const asked: Readonly<Record<GuardedOf<Groups>, unknown>> = accessRows
    const asking = endpoints.filter(({ name }) => !(name in open)).map(({ name }) => name)
    expect(Object.keys(asked).toSorted()).toEqual(asking.toSorted())
  })

  it("leaves open only what is listed with a reason", () => {
    const unguarded = endpoints.filter(({ caller }) => caller === "anybody").map(({ name }) => name)
    expect(unguarded.toSorted()).toEqual(Object.keys(open).toSorted())
  })
})
