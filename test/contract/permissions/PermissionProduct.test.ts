import { Effect, Option, Predicate } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { Api } from "../../../src/Api.ts"
import { Role } from "../../../src/kernel/Role.ts"
import { AuthenticationLive, AuthorizationLive } from "../../../src/organizations/access/AuthorizationLive.ts"
import { GateLive } from "../../../src/organizations/access/GateLive.ts"
import {
  type Admission,
  Authentication,
  Authorization,
  Gate,
  RequestFacts
} from "../../../src/platform/http/Security.ts"
import { useApp } from "../../support/App.ts"
import { type Caller, owner, placeOf, type Places, refusalAtTheDoor, scopesFor, seedCallers } from "./Callers.ts"
import { type Endpoint, operations } from "../Endpoints.ts"

/** The test takes four seconds of CPU time, but other tests run on the machine, too. */
const product_ms_max = 240_000

const lives = ["live", "expired", "revoked"] as const
const standings = ["active", "invited", "stranger", "archived"] as const
const ways = ["header", "token", "both", "nothing", "malformed", "other"] as const

const people: ReadonlyArray<Caller> = (["personal", "access", "refresh"] as const).flatMap((kind) =>
  (kind === "refresh" ? ["live" as const] : lives).flatMap((life) =>
    standings.flatMap((standing) =>
      Role.literals.flatMap((role) => ways.map((names) => ({ ...owner, kind, life, standing, role, names })))
    )
  )
)

const organizations: ReadonlyArray<Caller> = lives.flatMap((life) =>
  (["active", "archived"] as const).flatMap((standing) =>
    (["token", "both", "malformed", "other"] as const).map((names) => {
      return { ...owner, kind: "organization" as const, life, standing, role: null, names }
    })
  )
)

/**
 * All combinations of a token's kind and state, a standing in the organization, a role, and a way to name the
 * organization.
 */
const callers = [
  ...people,
  ...organizations,
  { ...owner, kind: "garbage" },
  { ...owner, kind: "none" }
] satisfies ReadonlyArray<Caller>

/** A caller, with the admission at paths that name the organization (`inPath`) and at all other paths (`outside`). */
interface Arrival {
  readonly caller: Caller
  readonly place: number
  readonly outside: Admission
  readonly inPath: Admission
}

const arrivals = Effect.fnUntraced(function* (places: Places) {
  const gate = yield* Gate
  const tokens = yield* seedCallers(callers, places)
  const sql = yield* SqlClient.SqlClient
  yield* sql`update organizations set archived_at = now() where id = ${places.archived}`
  return yield* Effect.forEach(callers, (caller, index): Effect.Effect<Arrival> => {
    const place = placeOf(places, caller)
    const token = caller.kind === "none" ? undefined : tokens[index]
    const admit = (organization_id: number | null) => gate.admit({ token, address: "192.0.2.1", organization_id })
    const inHeader = naming[caller.names] === "header" ? place : null
    return Effect.map(Effect.all([admit(inHeader), admit(place)]), ([outside, inPath]) => {
      return { caller, place, outside, inPath }
    })
  })
})

const withScopes = (admission: Admission, scopes: ReadonlyArray<string>): Admission => ({
  ...admission,
  principal: Option.map(admission.principal, (principal) => ({ ...principal, scopes: new Set(scopes) }))
})

/** Classifies the ways in which a caller names the organization outside of the path, as the service does. */
const naming = {
  header: "header",
  both: "header",
  other: "header",
  malformed: "malformed",
  token: "absent",
  nothing: "absent"
} as const

const factsOf = (
  endpoint: Endpoint,
  { caller, inPath, outside }: Arrival,
  scopes: ReadonlyArray<string>
): RequestFacts => ({
  id: "product",
  admission: withScopes(endpoint.inPath ? inPath : outside, scopes),
  organization: endpoint.inPath ? "path" : naming[caller.names],
  if_match: undefined,
  route: undefined,
  version: undefined,
  once: undefined
})

/** For each operation, the contract's own middleware in front of a handler that answers 204. */
const doors = Effect.gen(function* () {
  const authentication = yield* Authentication
  const authorization = yield* Authorization
  const declared = new Map<string, Parameters<typeof authorization>[1]>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) =>
      void declared.set(`${group.identifier}.${endpoint.identifier}`, { endpoint, group })
  })
  const handled = Effect.succeed(HttpServerResponse.empty())
  return operations.map((operation) => {
    const route = declared.get(operation.name)
    if (route === undefined) throw new Error(`${operation.name} is not in the contract`)
    const door = operation.caller === "member" ? authorization(handled, route) : authentication(handled, route)
    const query = new URLSearchParams(operation.path.split("?")[1])
    return {
      operation,
      door: Effect.provideService(door, HttpServerRequest.ParsedSearchParams, Object.fromEntries(query))
    }
  })
})

const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
const matched = HttpRouter.route("GET", "/", HttpServerResponse.empty())

const let_in = "let in"

const decisionOf = (refusal: unknown): string => {
  const field = (name: string) => (Predicate.hasProperty(refusal, name) ? refusal[name] : undefined)
  return JSON.stringify({ code: field("code"), required: field("required_scope") ?? field("required_permission") })
}

const expectedOf = (operation: Endpoint, caller: Caller): string => {
  const refusal = refusalAtTheDoor(operation, caller)
  return refusal === undefined ? let_in : JSON.stringify({ code: refusal.code, required: refusal.required })
}

const decideAll = Effect.fnUntraced(function* (places: Places) {
  const wrong: Array<string> = []
  let cells = 0
  const arrived = yield* arrivals(places)
  for (const { door, operation } of yield* doors) {
    const lists = scopesFor(operation)
    for (const arrival of arrived) {
      const isKnown = Option.isSome(arrival.outside.principal)
      // A caller who was not recognized has no scopes that could differ.
      for (const scopes of isKnown ? lists : [["*"]]) {
        cells++
        const params = { id: String(arrival.place) }
        const decision = yield* door.pipe(
          Effect.provideService(RequestFacts, factsOf(operation, arrival, scopes)),
          Effect.provideService(HttpRouter.RouteContext, { params, route: matched }),
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.scoped,
          Effect.match({ onFailure: decisionOf, onSuccess: () => let_in })
        )
        const caller = { ...arrival.caller, scopes }
        const expected = expectedOf(operation, caller)
        if (decision === expected) continue
        wrong.push(`${operation.method} ${operation.path} ${JSON.stringify(caller)}: ${decision}, not ${expected}`)
      }
    }
  }
  return { cells, wrong }
})

const app = useApp()

describe("the door of every operation", () => {
  it(
    "opens only to callers that the contract admits, by credential, scopes, role and membership",
    async () => {
      const [ours, other, archived] = await Promise.all([app.organization(), app.organization(), app.organization()])
      const places = { ours: ours.id, other: other.id, archived: archived.id }
      const { cells, wrong } = await app.run(
        decideAll(places).pipe(Effect.provide([GateLive, AuthenticationLive, AuthorizationLive]))
      )
      console.log(`${cells} cells: ${operations.length} operations, ${callers.length} callers`)
      expect(wrong).toEqual([])
    },
    product_ms_max
  )
})
