/** Prints the routes of the contract into test/contract/routes.txt: method, path, success statuses, error statuses. */
import { HttpApi } from "effect/http-api"
import { writeFileSync } from "node:fs"
import { Api } from "../src/Api.ts"

const statuses = (responses: ReadonlyMap<number, unknown>) =>
  responses.size === 0 ? "-" : [...responses.keys()].toSorted((a, b) => a - b).join(",")

/** `PUT /api/v1/customers/:id 200 | 401,403,404,422`, one line per route, in the order of the contract. */
export const routeLines = (): ReadonlyArray<string> => {
  const lines: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, successes }) => {
      lines.push(`${endpoint.method} ${endpoint.path} ${statuses(successes)} | ${statuses(errors)}`)
    }
  })
  return lines
}

if (import.meta.main) writeFileSync("test/contract/routes.txt", routeLines().join("\n") + "\n")
