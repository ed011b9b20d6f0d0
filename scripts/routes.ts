/** Prints the routes of the contract into test/contract/routes.txt: method, path, success statuses, error statuses. */
import type { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { writeFileSync } from "node:fs"
import { Api } from "../src/Api.ts"

/** An answer that can never come is none. */
const statuses = (responses: ReadonlyMap<number, ReadonlyArray<Schema.Top>>) => {
  const possible = [...responses].filter(([, schemas]) => schemas.some(({ ast }) => ast._tag !== "Never"))
  return possible.length === 0
    ? "-"
    : possible
        .map(([status]) => status)
        .toSorted((a, b) => a - b)
        .join(",")
}

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
