import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectral from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"
import { expect, it } from "vitest"
import { documentText } from "./OpenApi.ts"

/** Accepted findings. Operations on templates declare no success (rules/conventions.md, Errors). */
const accepted = [
  "no-ambiguous-paths #/paths/~1api~1v1~1expenses~1ocr~1{receipt_ref}",
  "operation-success-response paths./api/v1/templates.get.responses",
  "operation-success-response paths./api/v1/templates.post.responses",
  "operation-success-response paths./api/v1/templates/{templateId}/create-invoice.post.responses"
]

const others = (problems: ReadonlyArray<readonly [place: string, message: string]>) =>
  problems.flatMap(([place, message]) => (accepted.includes(place) ? [] : [`${place}: ${message}`]))

it("Redocly has no error and no warning by its recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] })
  const problems = await lintFromString({ source: documentText, absoluteRef: "openapi.json", config })
  const places = problems.map(
    ({ location, message, ruleId }) => [`${ruleId} ${location[0]?.pointer ?? ""}`, message] as const
  )
  expect(others(places)).toEqual([])
})

it("Spectral has no error and no warning by its recommended rules", async () => {
  const linter = new spectral.Spectral()
  // Boundary: the rules that Spectral publishes do not have the type that it declares for rules.
  const oas = rulesets.oas as unknown as Parameters<typeof linter.setRuleset>[0]
  linter.setRuleset(oas)
  const problems = await linter.run(documentText)
  expect(others(problems.map(({ code, message, path }) => [`${code} ${path.join(".")}`, message]))).toEqual([])
})
