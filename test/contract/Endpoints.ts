import { HttpApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { accessTable } from "../../src/organizations/access/Access.ts"
import { Authentication, Authorization } from "../../src/platform/http/Security.ts"

/** `einvoicing/invoices` and `invoices` are two collections. */
const collected = /((?:einvoicing\/)?[^/]+)\/:(\w+)/g

/** An endpoint as the contract declares it, so that the tests of this folder cover every new one. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  /** The ids in the path: `/api/v1/contacts/:id` has one, of the collection `contacts`. */
  readonly ids: ReadonlyArray<{ readonly param: string; readonly collection: string }>
  readonly caller: "anybody" | "principal" | "member"
  /** True if the organization is named in the path and not in the header. */
  readonly inPath: boolean
  readonly scopes: ReadonlyArray<string>
  readonly permissions: ReadonlyArray<string>
}

export const endpoints: ReadonlyArray<Endpoint> = reflected()

function reflected() {
  const found: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware }) => {
      const { method, path } = endpoint
      const keys = Array.from(middleware, ({ key }) => key)
      const name = `${group.identifier}.${endpoint.identifier}`
      found.push({
        name,
        method,
        path,
        ids: idsOf(path),
        caller: keys.includes(Authorization.key)
          ? "member"
          : keys.includes(Authentication.key)
            ? "principal"
            : "anybody",
        inPath: path.startsWith("/api/v1/organizations/:id"),
        scopes: [],
        permissions: [],
        ...accessTable[name]
      })
    }
  })
  return found
}

function idsOf(path: string) {
  return [...path.matchAll(collected)].map(([, collection = "", param = ""]) => ({ param, collection }))
}

/** Endpoints without authentication, each with the reason. */
export const open: Readonly<Record<string, string>> = {
  "oauth.authorize": "Where a person without a token begins.",
  "oauth.token": "Gives the tokens out; the client shows credentials of its own.",
  "oauthExtensions.revoke": "The token to revoke is the request; the client shows credentials of its own.",
  "oauthExtensions.metadata": "RFC 8414: read before there is a client."
}

export const guarded = endpoints.filter(({ caller }) => caller !== "anybody")
export const business = endpoints.filter(({ caller }) => caller === "member")

/** The largest 32-bit id, which no record has. */
export const nowhere = 2_147_483_647

/** Lists the batch removal once for each resource. It needs the same permissions as the removal of one such record. */
const removals = (batch: Endpoint): ReadonlyArray<Endpoint> =>
  endpoints.flatMap(({ method, path, permissions, scopes }) => {
    const resource = /^\/api\/v1\/(\w+)\/:id$/.exec(path)?.[1]
    if (method !== "DELETE" || resource === undefined) return []
    return [{ ...batch, path: `${batch.path}?resource=${resource}&ids=${nowhere}`, scopes, permissions }]
  })

/** The endpoints that require a token. */
export const operations: ReadonlyArray<Endpoint> = guarded.flatMap((endpoint) =>
  endpoint.name === "batch.remove" ? [endpoint, ...removals(endpoint)] : [endpoint]
)

/** Queries that the endpoint's schema accepts, for endpoints that require one. */
const queries: Readonly<Record<string, string>> = {
  "customerReports.statement": "?start_date=2026-01-01&end_date=2026-12-31",
  "bankAccounts.reconciliationReport": "?from=2026-01-01&to=2026-12-31",
  "reports.profitLoss": "?start_date=2026-01-01&end_date=2026-12-31",
  "reports.revenue": "?start_date=2026-01-01&end_date=2026-12-31",
  "reports.vat": "?start_date=2026-01-01&end_date=2026-12-31"
}

export const pathOf = ({ name, path }: Endpoint, idOf: (collection: string) => number | string): string =>
  path.replaceAll(collected, (_, collection: string) => `${collection}/${idOf(collection)}`) + (queries[name] ?? "")

/** A rule that matches costs of at most one unit of their currency. */
const rule = { name: "Fees", conditions: [{ type: "amount_max", value: 1 }], actions: { category: "bank_fees" } }

/**
 * Valid bodies for endpoints that refuse `{}`. The period of the export ends before it begins, so that each request for
 * an export is refused with 409 and none starts one.
 */
const bodies: Readonly<Record<string, unknown>> = {
  "receivedDocuments.refuse": { reason: "Never ordered" },
  "members.invite": { email: "invited@example.com", role: "viewer" },
  "members.update": { role: "viewer" },
  "expenses.convertToInvoiceItem": { invoice_id: 1 },
  "expenses.linkToInvoice": { invoice_id: 1 },
  "exports.create": { issued_from: "2026-12-31", issued_until: "2026-01-01" },
  "bankRules.create": rule,
  "bankRules.update": rule,
  "bankTransactions.match": { invoice_id: 1 }
}

export const bodyOf = ({ method, name }: Endpoint): unknown =>
  method === "GET" || method === "DELETE" ? undefined : (bodies[name] ?? {})
