import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { KeepsIdempotencyKeys, UsesOtherSystems } from "../../src/platform/http/Contract.ts"

/** Status of the refusals that an endpoint declares because another system did not answer. */
const outage = 503

it("marks each POST that may fail because of another system, so that its key holds no transaction meanwhile", () => {
  const unmarked: Array<string> = []
  const marked: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, identifier, method, path }, errors, group }) => {
      if (method !== "POST" || !path.startsWith("/api/") || !errors.has(outage)) return
      if (Context.get(annotations, KeepsIdempotencyKeys)) return
      const names = Context.get(annotations, UsesOtherSystems) ? marked : unmarked
      names.push(`${group.identifier}.${identifier}`)
    }
  })
  expect(unmarked).toEqual([])
  expect(marked).toContain("invoices.send")
})
