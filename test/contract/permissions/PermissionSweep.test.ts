import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { Role } from "../../../src/kernel/Role.ts"
import { type Answer, useApp } from "../../support/App.ts"
import { digestOfEverything } from "../../support/files/Digest.ts"
import { sampled } from "../../support/service/Runs.ts"
import { type Caller, owner, placeOf, type Places, refusalOf, scopesFor, seedCallers } from "./Callers.ts"
import { type Endpoint, nowhere, operations, pathOf } from "../Endpoints.ts"

interface Cell {
  readonly endpoint: Endpoint
  readonly caller: Caller
}

/** Time limit of a phase, on a machine that runs other tests, too. */
const phase_ms_max = 240_000

const parallel = 16

const users = ["personal", "access"] as const
const named = ["header", "token", "both"] as const

/** Callers whom every endpoint refuses. The only exception: members of an archived organization may still read. */
const situations: ReadonlyArray<Pick<Caller, "names" | "standing">> = [
  ...(["invited", "stranger", "archived"] as const).flatMap((standing) => named.map((names) => ({ names, standing }))),
  ...(["nothing", "malformed", "other"] as const).map((names) => ({ names, standing: "active" as const }))
]

const dead: ReadonlyArray<Caller> = [
  ...(["refresh", "garbage", "none"] as const).map((kind) => ({ ...owner, kind })),
  ...(["expired", "revoked"] as const).flatMap((life) => [
    ...users.map((kind) => ({ ...owner, kind, life })),
    { ...owner, kind: "organization" as const, names: "token" as const, role: null, life }
  ])
]

const at = <const A>(values: readonly [A, ...ReadonlyArray<A>], index: number): A =>
  values[index % values.length] ?? values[0]

/**
 * Combines every role with every list of scopes. Kinds of tokens and ways to name the organization take turns;
 * `PermissionProduct.test.ts` tests all their combinations, without HTTP.
 */
const callersOf = (endpoint: Endpoint, turn: number): ReadonlyArray<Caller> => {
  const scopeLists = scopesFor(endpoint)
  const members = Role.literals.flatMap((role, i) =>
    scopeLists.map((scopes, j) => ({ ...owner, role, scopes, kind: at(users, i + j), names: at(named, i + j) }))
  )
  const shut = situations.map((situation, i) => ({
    ...owner,
    ...situation,
    kind: at(users, i),
    role: at(Role.literals, i + turn),
    scopes: at([endpoint.scopes, [], ["*"]], i + turn)
  }))
  const organization: Caller = { ...owner, kind: "organization", names: "token", role: null }
  const tokens = scopeLists.map((scopes, i) => ({ ...organization, names: at(["token", "both"], i), scopes }))
  const elsewhere = [
    { ...organization, standing: "archived" as const },
    ...(["other", "malformed"] as const).map((names) => ({ ...organization, names }))
  ]
  return [...dead, ...members, ...shut, ...tokens, ...elsewhere]
}

const cells: ReadonlyArray<Cell> = sampled(
  operations.flatMap((endpoint, turn) => callersOf(endpoint, turn).map((caller) => ({ endpoint, caller })))
)

const app = useApp()
let places: Places
const tokens = new Map<string, string>()

/**
 * Cells (callers at an endpoint) with the same key share a token. A logout ends its token, so each endpoint about
 * sessions has tokens of its own.
 */
const keyOf = ({ caller, endpoint }: Cell) =>
  JSON.stringify([caller, endpoint.name.startsWith("session.") ? endpoint.name : ""])

beforeAll(async () => {
  const [ours, other, archived] = await Promise.all([app.organization(), app.organization(), app.organization()])
  places = { ours: ours.id, other: other.id, archived: archived.id }
  const callers = new Map(cells.map((cell) => [keyOf(cell), cell.caller]))
  const seeded = await app.run(seedCallers([...callers.values()], places))
  for (const [index, key] of [...callers.keys()].entries()) tokens.set(key, seeded[index] ?? "")
  await app.run(archive(archived.id))
}, phase_ms_max)

const ask = (cell: Cell): Promise<Answer> => {
  const { caller, endpoint } = cell
  const place = placeOf(places, caller)
  const header = { header: place, both: place, other: place, malformed: "abc", token: undefined, nothing: undefined }
  return app.call(
    endpoint.method,
    pathOf(endpoint, (collection) => (collection === "organizations" ? place : nowhere)),
    {
      token: caller.kind === "none" ? undefined : tokens.get(keyOf(cell)),
      organization: header[caller.names],
      body: endpoint.method === "GET" || endpoint.method === "DELETE" ? undefined : {}
    }
  )
}

const archive = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update organizations set archived_at = now() where id = ${id}`)

const wrong = async (asked: ReadonlyArray<Cell>) => {
  const found: Array<string> = []
  const queue = asked.values()
  const work = async () => {
    for (const cell of queue) {
      const { body, status, text } = await ask(cell)
      const expected = refusalOf(cell.endpoint, cell.caller)
      const required = body.required_scope ?? body.required_permission
      const isRight =
        expected === undefined
          ? status !== 401 && status !== 403
          : status === expected.status && (body.code ?? body.error) === expected.code && required === expected.required
      if (!isRight)
        found.push(
          `${cell.endpoint.method} ${cell.endpoint.path} ${JSON.stringify([cell.caller, expected])}: ${status} ${text}`
        )
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return found
}

describe("every caller", () => {
  const refused = cells.filter(({ caller, endpoint }) => refusalOf(endpoint, caller) !== undefined)
  const admitted = cells.filter(({ caller, endpoint }) => refusalOf(endpoint, caller) === undefined)

  it(
    "is refused as the contract says, and nothing changes",
    async () => {
      const before = await app.run(digestOfEverything)
      expect(await wrong(refused)).toEqual([])
      expect(await app.run(digestOfEverything)).toEqual(before)
    },
    phase_ms_max
  )

  it(
    "is admitted as the contract says",
    async () => {
      console.log(
        `${cells.length} cells at ${operations.length} operations: ${refused.length} refused, ${admitted.length} let in`
      )
      expect(await wrong(admitted)).toEqual([])
    },
    phase_ms_max
  )
})
