import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Call } from "../../support/App.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { sampled } from "../../support/service/Runs.ts"
import { type Belongings, belongings, withdrawSubmissions } from "./Belongings.ts"
import { bodyOf, business, type Endpoint, endpoints, guarded, pathOf } from "../Endpoints.ts"
import { type IdPlace, idPlaces, unknownElements, withId } from "./IdPlaces.ts"
import { collectionOf, elsewhere, type Given, ignored, immutable, requestsOf } from "./TenancyRequests.ts"
import { upload } from "../walks/Upload.ts"

const not_found = '{"success":false,"message":"Not found.","code":"not_found"}'
const noIds = ["abc", "0", "01", "1e0", "-1", "+1", "1.5", "0x1", "1%20", "9007199254740993", "9223372036854775808"]

/** A word that occurs in every text of the other organization and nowhere else. */
const canary = "xylocanary"

/** An id that no record has. It has as many digits as the ids of the other organization's records. */
const missing = 999_999_999
const foreign_from = 100_000_001

/** Time limit for some fifty requests, on a machine that runs other tests, too. */
const seeding_ms_max = 300_000

/** Tables in which the other organization has no row, each with the reason. */
const empty: Readonly<Record<string, string>> = {
  cost_tax_tallies: "Holds a row only for an expense with deductible tax.",
  deleted_bank_transactions: "Holds a row only for a line of a deleted import.",
  document_sendings: "Holds a row only while a message is under way.",
  einvoicing_changes: "Holds a row only while a registration is changed.",
  flow_cursors: "Holds a row only for an organization that is connected to a French platform.",
  french_periods: "Holds a row only for an organization that reports its sales to the French tax authority.",
  french_regimes: "Holds a row only for an organization that reports its sales to the French tax authority.",
  french_reports: "Holds a row only for a report to the French tax authority.",
  incoming_flows: "Holds a row only for a flow of a French platform.",
  invoice_responses: "Holds a row only for an answer that came over the access point of Peppol.",
  level_responses: "Holds a row only for an answer of another access point of Peppol.",
  lifecycle_statuses: "Holds a row only for a status that a French platform told.",
  list_tallies: "Holds a row only after a worker has added up the changes of a list.",
  pdf_failures: "Holds a row only after a PDF went beyond its limits.",
  provider_connections: "Holds a row only for an organization that an operator connected to a provider.",
  provider_submissions: "Holds a row only for a document that leaves by a connection of an operator.",
  sdi_files: "Holds a row only for a document that leaves by certified mail.",
  sdi_mailboxes: "Holds a row only for an organization that is connected to its certified mail.",
  sdi_messages: "Holds a row only for a mail in a mailbox of certified mail.",
  unread_arrivals:
    "Holds a row only for a document of a supplier that could not be fetched, read, stored or confirmed.",
  verifactu_chains: "Holds a row only for an organization whose records go to the Spanish tax agency.",
  verifactu_events: "Holds a row only for an organization that keeps its Spanish records and sends none.",
  verifactu_records: "Holds a row only for a document that the Spanish tax agency must know."
}

const { app, open } = useBilling()
let ours: Books
let theirs: Books
let own: Belongings
let foreign: Belongings
let requests: ReturnType<typeof requestsOf>
let before: unknown

beforeAll(async () => {
  ours = await open({ plan: "business" })
  own = await belongings(app, ours, "ordinary")
  requests = requestsOf(app, ours, own)
  await app.run(farIds)
  theirs = await open({ plan: "business" })
  foreign = await belongings(app, theirs, canary)
  before = await app.run(digestOf(theirs.id))
}, seeding_ms_max)

afterAll(() => app.run(withdrawSubmissions))

/** Makes all following ids so long that they do not occur in an answer by accident. */
const farIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`
  const from = sql.literal(String(foreign_from))
  yield* sql`alter sequence invoice_item_ids restart with ${from}`
  for (const { column, table } of columns) {
    yield* sql`alter table ${sql(table)} alter column ${sql(column)} restart with ${from}`
  }
})

const first = (of: Belongings, collection: string) => of[collection]?.[0] ?? 0

const absent = (id: number | string) =>
  typeof id === "number" ? missing : id.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, randomUUID())

/** Sends a request as the owner of one organization, and checks that the answer contains nothing of the other one. */
const ask = async (endpoint: Endpoint, path: string, further: Call = {}): Promise<Answer> => {
  const { owner, id } = ours
  const answer = await app.call(endpoint.method, path, { token: owner.token, organization: id, ...further })
  const headers = JSON.stringify([...answer.headers])
  expect(`${headers}${answer.text}`.toLowerCase()).not.toContain(canary)
  return answer
}

/** Returns the parts of an answer that must be equal for two ids that do not exist for the caller. */
const saidOf = ({ headers, status, text }: Answer, id: number | string) => {
  const said = text
    .replaceAll(String(id), "<id>")
    .replaceAll(/\b1000\d{5}\b/g, "<new>")
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, "<now>")
  return [status, said, [...headers.keys()].toSorted()]
}

const addressed = business.flatMap((endpoint) =>
  endpoint.ids.map(({ collection, param }) => ({ ...endpoint, collection, param }))
)
type Addressed = (typeof addressed)[number]

const askAt = (row: Addressed, id: number | string) =>
  ask(
    row,
    pathOf(row, (named) => (named === row.collection ? id : first(own, named))),
    { body: bodyOf(row) }
  )

describe("an id of another organization in a path", () => {
  it.each(addressed)("of $method $path is 404 for $param, like a missing one", async (row) => {
    expect(foreign[row.collection]).toBeDefined()
    for (const id of foreign[row.collection] ?? []) {
      const answer = await askAt(row, id)
      expect(answer).toMatchObject({ status: 404, text: not_found })
      expect(saidOf(await askAt(row, absent(id)), absent(id))).toEqual(saidOf(answer, id))
    }
  })

  it.each(addressed)("of $method $path is 404 where all its ids are foreign", async (row) => {
    const answer = await ask(
      row,
      pathOf(row, (named) => first(foreign, named)),
      { body: bodyOf(row) }
    )
    expect(answer).toMatchObject({ status: 404, text: not_found })
  })
})

interface Row extends IdPlace {
  readonly key: string
  readonly resource: string | undefined
}

const rows: ReadonlyArray<Row> = idPlaces.flatMap((place): ReadonlyArray<Row> => {
  const key = `${place.operation} ${place.path.join(".")}`
  if (key in elsewhere) return []
  if (place.operation !== "batch.remove") return [{ ...place, key, resource: undefined }]
  const resources = ["customers", "contacts", "invoices", "quotes", "payments", "expenses", "webhooks"]
  return resources.map((resource) => ({ ...place, key: `${key} ${resource}`, resource }))
})

/**
 * Sends a valid request for the row. If an `id` is given, it replaces the valid id at the place that the row describes.
 */
const send = async ({ in: part, key, operation, path, resource }: Row, id?: number | string) => {
  const making = requests[key] ?? requests[resource === undefined ? operation : `${operation} ${resource}`]
  const given = await making?.()
  const endpoint = endpoints.find(({ name }) => name === operation)
  if (given === undefined || endpoint === undefined) throw new Error(`Nobody has said how ${operation} is asked.`)
  const placed = (value: Given[keyof Given]) => (id === undefined ? value : withId(value, path, id))
  const query = part === "query" ? placed(given.query) : given.query
  const body = part === "body" ? placed(given.body) : given.body
  const url = pathOf(endpoint, (collection) => given.path?.[collection] ?? first(own, collection))
  const form = operation === "receipts.upload" ? await upload("signed.pdf", body as Record<string, string>) : { body }
  return ask(endpoint, `${url}${queryText(query)}`, form)
}

const queryText = (query: unknown) => {
  const entries = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries).toString()}`
}

/** True if a successful answer used the id: a list found something, or a batch removed something. */
const hasFound = ({ body }: Answer) =>
  Array.isArray(body.data)
    ? body.data.length > 0
    : (body.data.summary?.failed ?? 0) === 0 && (body.data.confirmed ?? 1) > 0

describe("an id of another organization in a query or body", () => {
  it("is tested at every property whose name in the document is that of an id", () => {
    expect([...unknownElements]).toEqual([])
    expect(rows.filter((row) => collectionOf(row, row.resource) === undefined).map(({ key }) => key)).toEqual([])
    const keys = idPlaces.map(({ operation, path }) => `${operation} ${path.join(".")}`)
    const said = [elsewhere, ignored, immutable].flatMap((list) => Object.keys(list))
    expect(said.filter((key) => !keys.includes(key))).toEqual([])
  })

  it.each(rows)("is refused at $key like a missing one, and an own one is accepted", async (row) => {
    const collection = collectionOf(row, row.resource) ?? ""
    expect(foreign[collection]?.length).toBeGreaterThan(0)
    for (const id of foreign[collection] ?? []) {
      const answer = await send(row, id)
      expect(saidOf(answer, id)).toEqual(saidOf(await send(row, absent(id)), absent(id)))
      const isDone = answer.status < 300 && hasFound(answer)
      expect([row.key, isDone, answer.text]).toEqual([row.key, row.key in ignored, answer.text])
    }
    if (row.key in immutable) return
    const control = await send(row)
    expect([row.key, control.status < 300 && hasFound(control), control.text]).toEqual([row.key, true, control.text])
  })
})

describe("another organization", () => {
  const lists = guarded.filter(
    ({ ids, method, name }) => method === "GET" && ids.length === 0 && name !== "session.user"
  )

  it.each([...lists])("is in no answer of $method $path", async (endpoint) => {
    expect(
      (
        await ask(
          endpoint,
          pathOf(endpoint, () => 0)
        )
      ).status
    ).not.toBe(403)
  })

  it.each(business)("named instead of ours is refused by $method $path", async (endpoint) => {
    const path = pathOf(endpoint, (collection) => first(foreign, collection))
    const { status } = await ask(endpoint, path, { organization: theirs.id, body: bodyOf(endpoint) })
    expect(status).toBe(endpoint.inPath ? 404 : 403)
  })

  it("has rows in every table, and the same ones after all tests", async () => {
    const after = await app.run(digestOf(theirs.id))
    expect(after.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual(Object.keys(empty))
    expect(after).toEqual(before)
  })
})

describe("an id that is not a number", () => {
  const places = addressed.flatMap((row) => noIds.map((no_id) => ({ ...row, no_id })))

  it.each(sampled(places))("in $method $path is the same 404 for $param: $no_id", async ({ no_id, ...row }) => {
    const { status, text } = await askAt(row, no_id)
    expect([status, text]).toEqual([404, not_found])
  })
})

describe("the path of a record that exists", () => {
  it.each(addressed.filter(({ method }) => method === "GET"))("$method $path is not 404", async (row) => {
    // A receipt that is still being read answers 202; the e-invoice of a draft answers 422.
    const success = /\/(?:ubl|cii|facturx)$/.test(row.path) ? [200, 422] : [200, 202]
    expect(success).toContain((await askAt(row, first(own, row.collection))).status)
  })
})
