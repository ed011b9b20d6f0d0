/** Writes the routes of the contract to test/contract/routes.txt. */
import { Predicate, type Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { writeFileSync } from "node:fs"
import { Api } from "../src/Api.ts"
import { accessTable } from "../src/organizations/access/Access.ts"

/** Returns the statuses of the responses, without those whose schemas allow no value. */
const possible = (responses: ReadonlyMap<number, ReadonlyArray<Schema.Top>>) =>
  [...responses].flatMap(([status, schemas]) => (schemas.some(({ ast }) => ast._tag !== "Never") ? [status] : []))

/** `HttpApi.reflect` leaves out answers that are streams of bytes. All endpoints with such an answer declare 200. */
const streamed = ({ success }: HttpApiEndpoint.Top) =>
  [...success].some((schema) => Predicate.isTagged(schema, "StreamUint8Array")) ? [200] : []

const words = (statuses: ReadonlyArray<number>) => [...new Set(statuses)].toSorted((a, b) => a - b).join(",") || "-"

const names = (asked: ReadonlyArray<string> = []) => asked.join("+") || "-"

/**
 * A line such as `PUT /api/v1/customers/:id 200 | 401,404,422 | customers:write customers.update` for each route:
 * success statuses, error statuses, scopes and permissions.
 */
export const routeLines = (): ReadonlyArray<string> => {
  const lines: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, successes }) => {
      const succeeds = words([...possible(successes), ...streamed(endpoint)])
      const access = accessTable[`${group.identifier}.${endpoint.identifier}`]
      const asked = `${names(access?.scopes)} ${names(access?.permissions)}`
      lines.push(`${endpoint.method} ${endpoint.path} ${succeeds} | ${words(possible(errors))} | ${asked}`)
    }
  })
  return lines
}

if (import.meta.main) writeFileSync("test/contract/routes.txt", routeLines().join("\n") + "\n")
