/** Prints the routes of the contract into test/contract/routes.txt: method, path, success statuses, error statuses. */
import type { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { writeFileSync } from "node:fs"
import { Api } from "../src/Api.ts"

/** An answer that can never come is none. */
const possible = (responses: ReadonlyMap<number, ReadonlyArray<Schema.Top>>) =>
  [...responses].flatMap(([status, schemas]) => (schemas.some(({ ast }) => ast._tag !== "Never") ? [status] : []))

/** Reflection leaves out a success whose body is a stream. */
const streamed = (endpoint: HttpApiEndpoint.Top) =>
  HttpApiEndpoint.getSuccessSchemas(endpoint)
    .filter(HttpApiSchema.isStreamSchema)
    .map(HttpApiSchema.getStatusSuccessSchema)

const words = (statuses: ReadonlyArray<number>) => statuses.toSorted((a, b) => a - b).join(",") || "-"

/** `PUT /api/v1/customers/:id 200 | 401,403,404,422`, one line per route, in the order of the contract. */
export const routeLines = (): ReadonlyArray<string> => {
  const lines: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, successes }) => {
      const succeeds = words([...possible(successes), ...streamed(endpoint)])
      lines.push(`${endpoint.method} ${endpoint.path} ${succeeds} | ${words(possible(errors))}`)
    }
  })
  return lines
}

if (import.meta.main) writeFileSync("test/contract/routes.txt", routeLines().join("\n") + "\n")
