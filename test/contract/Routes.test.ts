import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { readFileSync } from "node:fs"
import { describe, expect, expectTypeOf, it } from "vitest"
import { routeLines } from "../../scripts/routes.ts"
import type { Api } from "../../src/Api.ts"
import { type AccessRows, accessTable } from "../../src/organizations/access/Access.ts"
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

const words = (names: ReadonlyArray<string> = []) => names.join("+") || "-"

const statuses = (text = "-") => (text === "-" ? [] : text.split(","))

/** Indexes routes by `METHOD path` without parameter names, which differ between the list and the code. */
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

/** Routes that spec-routes.txt does not name, each with the standard that requires it or the reason. */
const additions = new Map([
  ["POST /oauth/revoke", "RFC 7009"],
  ["GET /.well-known/oauth-authorization-server", "RFC 8414"],
  ["DELETE /api/v1/credit-notes/*", "A wrong draft would use up its invoice's creditable amount for good."],
  ["PUT /api/v1/credit-notes/*", "A draft may have named the wrong lines."],
  ["POST /api/v1/webhooks/*/rotate-secret", "A secret that leaked must be changed without losing a delivery."],
  ["POST /api/v1/bank-transactions/*/unmatch", "What was matched wrongly must be taken apart."],
  ["GET /api/v1/organizations/*/logo", "The address that GET of an organization answers."],
  ["POST /api/v1/organizations/*/mail-preview", "Somebody who writes `mail_texts` sees the message before a customer."],
  [
    "DELETE /api/v1/payments/*/refunds/*",
    "A refund that was recorded wrongly would lock its payment and its bank line."
  ],
  ["GET /api/v1/tax-rates", "Lines name rates by ids that clients must be able to learn."],
  ["GET /api/v1/tax-rates/*", "The same for one rate."],
  ["GET /api/v1/invoices/*/ubl", "An e-invoice is also sent by mail and kept by other programs."],
  ["GET /api/v1/invoices/*/cii", "The same in CII."],
  ["GET /api/v1/invoices/*/facturx", "The same inside the printed invoice."],
  ["GET /api/v1/credit-notes/*/ubl", "As for an invoice."],
  ["GET /api/v1/credit-notes/*/cii", "As for an invoice."],
  ["GET /api/v1/credit-notes/*/facturx", "As for an invoice."],
  ["POST /api/v1/einvoicing/invoices/*/signed-document", "Public offices of Italy take only what the seller signed."],
  ["GET /api/v1/einvoicing/received", "What arrives over the networks is listed."],
  ["GET /api/v1/einvoicing/received/*", "The same for one document."],
  ["GET /api/v1/einvoicing/received/*/document", "The document as it arrived, byte for byte."],
  ["POST /api/v1/einvoicing/received/*/create-expense", "A received document is booked."],
  ["POST /api/v1/einvoicing/received/*/accept", "The network tells the supplier."],
  ["POST /api/v1/einvoicing/received/*/refuse", "The same, with the reason."],
  ["GET /api/v1/bank-accounts/*/imports", "A statement in the wrong account is found."],
  ["GET /api/v1/bank-accounts/*/imports/*", "The same, with its matched lines."],
  ["DELETE /api/v1/bank-accounts/*/imports/*", "A statement in the wrong account is taken back."],
  ["GET /api/v1/events", "A receiver that was away reads what it missed."],
  ["GET /api/v1/operations", "Work that a client preferred to be done later (RFC 7240)."],
  ["GET /api/v1/operations/*", "The same, with its results."]
])

/** Successes that spec-routes.txt does not name: answers to `Prefer: respond-async` (RFC 7240). */
const additionalSuccesses = new Map([
  ["POST /api/v1/batch/invoices/create", ["202"]],
  ["POST /api/v1/batch/invoices/send", ["202"]],
  ["POST /api/v1/bank-accounts/*/import-statement", ["202"]]
])

/** Routes for which spec-routes.txt shows neither a status nor a body. */
const unsaid = new Set(["POST /api/v1/bank-transactions/*/match"])

describe("routes.txt", () => {
  it("equals the contract; after an intended change run npm run routes", () => {
    expect(routeLines()).toEqual(linesOf("routes.txt"))
    expect(built.size).toBe(routeLines().length)
  })

  it("covers the line of each route in spec-routes.txt: the same successes and all errors", () => {
    const shortfalls = [...built].flatMap(([route, { errors, successes }]) => {
      const line = spec.get(route)
      if (line === undefined) return additions.has(route) ? [] : [`${route} is not in spec-routes.txt`]
      if (unsaid.has(route)) return []
      const missing = line.errors.filter((status) => !errors.includes(status))
      const expected = [...line.successes, ...(additionalSuccesses.get(route) ?? [])]
      const same = expected.join() === successes.join()
      return [
        ...(same ? [] : [`${route} succeeds with ${successes.join()}`]),
        ...missing.map((s) => `${route} lacks ${s}`)
      ]
    })
    expect(shortfalls).toEqual([])
  })
})

describe("spec-routes.txt", () => {
  it("has the 133 routes of spec-routes.txt", () => {
    expect(spec.size).toBe(133)
  })
})

describe("access", () => {
  it("has a row for each endpoint that asks who calls, and none for another, or the test does not compile", () => {
    expectTypeOf<keyof AccessRows>().toEqualTypeOf<GuardedOf<Groups>>()
    const asking = endpoints.filter(({ name }) => !(name in open)).map(({ name }) => name)
    expect(Object.keys(accessTable).toSorted()).toEqual(asking.toSorted())
  })

  it("asks the scope and the permission that Endpoints.ts states", () => {
    const asked = endpoints
      .filter(({ name }) => !(name in open))
      .map(({ method, name, path }) => {
        const row = accessTable[name]
        return `${method} ${path} ${words(row?.scopes)} ${words(row?.permissions)}`
      })
    expect(asked.toSorted()).toEqual(linesOf("access.txt").toSorted())
  })

  it("leaves open only what is listed with a reason", () => {
    const unguarded = endpoints.filter(({ caller }) => caller === "anybody").map(({ name }) => name)
    expect(unguarded.toSorted()).toEqual(Object.keys(open).toSorted())
  })
})
