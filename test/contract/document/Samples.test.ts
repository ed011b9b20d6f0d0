import { expect, it } from "vitest"
import { document, operations } from "./OpenApi.ts"
import { examples } from "../walks/Recorder.ts"

const sampled = operations.flatMap((operation) =>
  (operation["x-codeSamples"] ?? []).map(({ source }) => ({ ...operation, source }))
)

const required = sampled.filter(({ requestBody }) => requestBody?.required === true)

it.each(required)("the curl example of $operationId sends a body", ({ requestBody, source }) => {
  const isFile = Object.keys(requestBody?.content ?? {}).includes("multipart/form-data")
  expect(source).toMatch(isFile ? / --form 'file=@[\w.]+'/ : / --data '[^']+/)
})

it.each(sampled)(
  "the curl example of $operationId has the headers that the operation needs",
  ({ security, source }) => {
    const [scheme] = security ?? []
    expect(source.includes("Authorization:")).toBe(scheme !== undefined)
    expect(source.includes("X-Organization-Id:")).toBe(scheme !== undefined && "organization" in scheme)
  }
)

it.each(sampled)("the curl example of $operationId saves a file, and nothing else", ({ method, responses, source }) => {
  const types = Object.keys(responses["200"]?.content ?? {})
  const isFile = method === "GET" && types.some((type) => !/json|html/.test(type))
  expect(source.includes("--remote-name")).toBe(isFile)
})

it("a body that may be null may be left out", () => {
  const nullable = operations.filter(({ requestBody }) =>
    /"anyOf":\[\{"type":"null"\}/.test(JSON.stringify(requestBody ?? {}))
  )
  expect(nullable.map(({ operationId }) => operationId)).toContain("invoices.markSent")
  expect(nullable.filter(({ requestBody }) => requestBody?.required === true)).toEqual([])
})

it.each(["invoices.create", "invoices.send", "bankTransactions.unmatch", "refunds.remove", "expenses.duplicate"])(
  "%s describes the ETag of its answer",
  (name) => {
    const found = operations.find(({ operationId }) => operationId === name)
    expect(found?.responses["200"] ?? found?.responses["201"]).toMatchObject({ headers: { ETag: expect.any(Object) } })
  }
)

it.each(["invoices.pdf", "attachments.download", "einvoiceFiles.invoiceUbl", "reports.export"])(
  "%s describes the header that names its file",
  (name) => {
    const found = operations.find(({ operationId }) => operationId === name)
    expect(found?.responses["200"]).toMatchObject({ headers: { "Content-Disposition": expect.any(Object) } })
  }
)

const responseNamed = ($ref: string | undefined) =>
  $ref === undefined ? undefined : document.components.responses[$ref.split("/").at(-1) ?? ""]

it("every refusal has an example", () => {
  const refusals = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => !/^[23]/.test(status))
      .map(([status, response]) => [`${operationId} ${status}`, response] as const)
  )
  expect(refusals.length).toBeGreaterThan(1000)
  const without = refusals.filter(
    ([, response]) => !/"examples":\{"/.test(JSON.stringify(responseNamed(response.$ref) ?? response))
  )
  expect(without.map(([name]) => name)).toEqual([])
})

it("the message of every event has the type of its record", () => {
  const untyped = Object.entries(document.webhooks).filter(([, item]) =>
    JSON.stringify(item).includes('"$ref":"#/components/schemas/Event"')
  )
  expect(untyped.map(([name]) => name)).toEqual([])
})

it("the lines of every document in an example add up to its subtotal", () => {
  const documents: Array<Totals> = []
  JSON.parse(JSON.stringify(examples), (_key, value) => {
    if (typeof value?.subtotal === "number" && Array.isArray(value.items)) documents.push(value)
    return value
  })
  expect(documents.length).toBeGreaterThan(10)
  for (const { charges = [], discounts = [], items, subtotal } of documents) {
    const lines = items.reduce((sum, { line_total }) => sum + line_total, 0)
    const more = [...charges, ...discounts.map(({ amount }) => ({ amount: -amount }))]
    expect(more.reduce((sum, { amount }) => sum + amount, lines)).toBeCloseTo(subtotal)
  }
})

interface Totals {
  readonly subtotal: number
  readonly items: ReadonlyArray<{ readonly line_total: number }>
  readonly charges?: ReadonlyArray<{ readonly amount: number }>
  readonly discounts?: ReadonlyArray<{ readonly amount: number }>
}
