import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { operations } from "../../test/contract/document/OpenApi.ts"
import { bodyOf, type Body } from "./Bodies.ts"
import { example, recordOf, type Schema, slot } from "./Examples.ts"
import { collectionNamed } from "./Harvest.ts"
import { headers } from "./hostile/HostileHeaders.ts"
import { queries, segments } from "./hostile/HostileQueries.ts"
import { mutations, withMutations } from "./Mutations.ts"
import { elsewhere } from "./Pages.ts"
import { isRecord, Pairs, Slot } from "./Values.ts"

export interface FuzzRequest {
  readonly operation: string
  readonly method: string
  readonly path: ReadonlyArray<string | Slot>
  readonly query: ReadonlyArray<readonly [string, unknown]>
  /** Query string that is sent unchanged, after the parameters in `query`. */
  readonly rawQuery: string | undefined
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: Body
  /** Index of the caller, or a token from an earlier answer. Such a token may be revoked by the request. */
  readonly caller: number | Slot
}

type Operation = (typeof operations)[number]

/** Operations that end the token with which they are called. */
const endings = new Set(["session.logout", "session.logoutAll"])

const slotOf = (segment: string, collection: string, before: string | undefined) =>
  segment === "{receipt_ref}" ? slot("receipts", "receipt_ref") : slot(collectionNamed(collection, before))

/** Fills in the ids of a path. In the path of an attachment, the invoice is the one that has this attachment. */
const path = (text: string): Arbitrary<ReadonlyArray<string | Slot>> => {
  const parts = text.split("/").slice(1)
  const isNested = parts.includes("{attachmentId}")
  const values = parts.map((part, index) =>
    part.startsWith("{") ? slotOf(part, parts[index - 1] ?? "", parts[index - 2]) : fc.constant(part)
  )
  const complete = fc.tuple(...values).map((all) => {
    const last = all.find((part) => part instanceof Slot && part.collection === "attachments")
    if (!isNested || !(last instanceof Slot)) return all
    return all.map((part) =>
      part instanceof Slot && part.collection === "invoices"
        ? new Slot("attachments", "invoice_id", last.pick, last.foreign)
        : part
    )
  })
  const spoiled = fc
    .tuple(complete, fc.nat(10), fc.constantFrom(...segments))
    .map(([all, place, segment]) => all.with(place % all.length, segment))
  return fc.oneof({ weight: 20, arbitrary: complete }, { weight: 1, arbitrary: spoiled })
}

/** Parameters that depend on each other: a request with invalid ones would be refused early. */
const asked: Readonly<Record<string, Arbitrary<Readonly<Record<string, unknown>>>>> = {
  "batch.remove": fc
    .constantFrom("invoices", "quotes", "customers", "contacts", "payments", "expenses", "webhooks")
    .chain((resource) =>
      fc.record<Record<string, unknown>>(
        {
          resource: fc.constant(resource),
          ids: fc.array(slot(resource), { minLength: 1, maxLength: 3 }),
          atomic: fc.constantFrom("true", "false")
        },
        { requiredKeys: ["resource", "ids"] }
      )
    ),
  "oauth.authorize": fc
    .tuple(slot("clients", "id"), fc.constantFrom("S256", "S256", "plain"))
    .map(([client, code_challenge_method]) => ({
      response_type: "code",
      client_id: client,
      redirect_uri: new Slot("clients", "redirect_uri", client.pick),
      state: "af0ifjsldkj",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method
    }))
}

const pairsOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  value instanceof Pairs ? value.entries : isRecord(value) ? Object.entries(value) : []

const query = ({ operationId, parameters }: Operation) => {
  const named = parameters.filter((parameter) => parameter.in === "query" && parameter.name !== "ids[]")
  const fields = named.map(({ name, schema }) => [name, example(schema as Schema, operationId, name)] as const)
  const requiredKeys = named.flatMap(({ name, required }) => (required === true ? [name] : []))
  const plausible = asked[operationId] ?? recordOf(Object.fromEntries(fields), requiredKeys)
  return fc.tuple(plausible, mutations).map(([all, changes]) => pairsOf(withMutations(all, changes)))
}

const callers = 6
/** Usually the given caller, which may use the operation, and sometimes any other. */
const mostly = (caller: number) =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(caller) }, { weight: 1, arbitrary: fc.nat(callers - 1) })

/**
 * The owner of the fuzzed organization makes most requests, and the owner of another one makes most registrations. A
 * logout uses a token of its own, which it ends.
 */
const callerOf = ({ operationId }: Operation) =>
  endings.has(operationId) ? slot("tokens", "access_token") : mostly(operationId === "registrations.register" ? 1 : 0)

const rarely = <A>(one_in: number, arbitrary: Arbitrary<A>, otherwise: A): Arbitrary<A> =>
  fc.oneof({ weight: one_in - 1, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary })

const odd_headers = fc.array(fc.constantFrom(...headers), { minLength: 1, maxLength: 3 })

const requestOf = (operation: Operation): Arbitrary<FuzzRequest> =>
  fc.record({
    operation: fc.constant(operation.operationId),
    method: rarely(60, fc.constantFrom("PATCH", "OPTIONS", "HEAD", "TRACE", "GET", "DELETE"), operation.method),
    path: path(operation.path),
    query: query(operation),
    rawQuery: rarely(12, fc.constantFrom<string | undefined>(...queries), undefined),
    headers: rarely(5, odd_headers, []),
    body: bodyOf(operation),
    caller: callerOf(operation)
  })

const pageOf = ({ body, method, path: address }: (typeof elsewhere)[number]): Arbitrary<FuzzRequest> =>
  fc.record({
    operation: fc.constant(`${method} ${address}`),
    method: fc.constant(method),
    path: path(address),
    query: fc.constant([]),
    rawQuery: rarely(3, fc.constantFrom<string | undefined>(...queries), undefined),
    headers: rarely(3, odd_headers, []),
    body,
    caller: fc.nat(callers - 1)
  })

/** Checking a password or reading a picture takes a second of CPU time, so these operations are rare. */
const costly = new Set(["oauth.token", "receipts.upload"])

/** Creations are more frequent than deletions, so that there are always records to change and to delete. */
const weightOf = ({ method, operationId, path: address }: Operation) => {
  if (method === "DELETE" || costly.has(operationId)) return 2
  return method === "POST" && (!address.includes("{") || address.endsWith("/import-statement")) ? 6 : 3
}

const requests = fc.oneof(
  ...operations.map((operation) => ({ weight: weightOf(operation), arbitrary: requestOf(operation) })),
  ...elsewhere.map((page) => ({ weight: 1, arbitrary: pageOf(page) }))
)

/** Returns the request number `index` of a seed, which is the same each time. */
export const requestAt = (seed: number, index: number): FuzzRequest => {
  const [request] = fc.sample(requests, { seed: (seed * 1_000_003 + index) | 0, numRuns: 1 })
  if (request === undefined) throw new Error("fast-check gave no request")
  return request
}
