import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach } from "vitest"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"
import { declaredAs } from "../../contract/document/OpenApi.ts"
import { type Answer, useApp } from "../../support/App.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import type { SeedOptions } from "../../support/database/Seed.ts"
import { fakeReader } from "./FakeReader.ts"

export interface Sent {
  readonly bytes?: Uint8Array
  readonly name?: string
  readonly part?: string
  /** The query with its question mark. */
  readonly query?: string
  readonly fields?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly token?: string
}

/** First bytes of a file of each type, which is all that the fake reader needs. */
export const beginnings = {
  pdf: Buffer.from("%PDF-1.7\n"),
  jpg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  webp: Buffer.concat([Buffer.from("RIFF"), Buffer.from([4, 0, 0, 0]), Buffer.from("WEBP")]),
  heic: Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "latin1"),
  tiff: Buffer.from("II*\0\b\0\0\0", "latin1"),
  xml: Buffer.from(
    '\ufeff<?xml version="1.0"?>\n<!-- <svg/> -->\n' +
      `<!-- ${"A licence. ".repeat(2_000)} --><ubl:Invoice xmlns:ubl="urn:x">`
  )
}

let files = 0

/** A file of the given size that begins like a PDF, with unique bytes. */
export const receiptFile = (size = 64) => {
  const unique = Buffer.from(`%PDF-1.7\n${++files}\n`)
  return Buffer.concat([unique, Buffer.alloc(Math.max(0, size - unique.length), 0x20)])
}

/** Runs the service with a reader that the test controls, and calls its endpoints for receipts. */
export const useReceipts = (changes: Partial<Settings> = {}) => {
  const { layer, reader } = fakeReader()
  const app = useApp(changes, { reader: layer })
  afterEach(reader.reset)

  const open = async (options: SeedOptions = {}) => {
    const organization = await app.organization(options)
    const { id, owner } = organization
    const call = (method: string, path: string, body?: unknown, token = owner.token): Promise<Answer> =>
      app.call(method, `/api/v1${path}`, { token, organization: id, body })

    const send = async (
      body: NonNullable<RequestInit["body"]>,
      headers: Record<string, string> = {},
      more: RequestInit = {},
      query = ""
    ) => {
      const response = await fetch(`${app.url}/api/v1/expenses/upload-receipt${query}`, {
        method: "POST",
        headers: { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id), ...headers },
        body,
        ...more
      })
      const text = await response.text()
      const answer: Answer = { status: response.status, headers: response.headers, body: JSON.parse(text), text }
      const mistake = declaredAs("POST", "/api/v1/expenses/upload-receipt", answer)?.mistake
      if (mistake !== undefined) throw new Error(`${mistake}: ${text}`)
      return answer
    }

    const upload = ({ bytes = receiptFile(), fields = {}, headers = {}, name, part, query, token }: Sent = {}) => {
      const form = new FormData()
      for (const [field, text] of Object.entries(fields)) form.set(field, text)
      form.set(part ?? "receipt", new Blob([Uint8Array.from(bytes)]), name ?? "lunch.pdf")
      return send(form, token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers }, {}, query)
    }

    const expense = async (body: object = {}) => {
      const answer = await call("POST", "/expenses", {
        expense_date: "2026-02-27",
        category: "meals",
        amount: 118.4,
        currency: "EUR",
        description: "Lunch",
        ...body
      })
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body.data
    }

    const poll = (receipt_ref: string, query = "", token = owner.token) =>
      call("GET", `/expenses/ocr/${receipt_ref}${query}`, undefined, token)

    /** Polls until the receipt is done or has failed. */
    const read = (receipt_ref: string) =>
      until(`the end of receipt ${receipt_ref}`, async () => {
        const answer = await poll(receipt_ref)
        return answer.status === 202 ? undefined : answer
      })

    const captured = async (sent: Sent = {}) => {
      const { body, status, text } = await upload(sent)
      if (status !== 202) throw new Error(text)
      return (await read(body.data.receipt_ref)).body.data
    }

    const kept = () =>
      app.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const rows = yield* sql<{ receipt_ref: string; status: string }>`
            select receipt_ref::text, status from receipts where organization_id = ${id} order by id`
          const jobs = yield* sql<{ id: string }>`
            select distinct id from jobs where queue_name like 'receipts.%' and element::jsonb->'payload'->>'organization_id' = ${String(id)}`
          return { rows: rows.length, files: filesOf(id).length, jobs: jobs.length }
        })
      )

    return { ...organization, call, send, upload, expense, poll, read, captured, kept }
  }

  const filesBelow = (folder: string) => {
    const path = join(app.dataDir, folder)
    if (!existsSync(path)) return []
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  }
  const filesOf = (organization: number) => filesBelow(join("objects", "receipts", String(organization)))

  const query = <A extends object>(build: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
    app.run(Effect.flatMap(SqlClient.SqlClient, build))

  return { app, open, reader, layer, query, filesOf, spooled: () => filesBelow("spool") }
}
export type Receipts = Awaited<ReturnType<ReturnType<typeof useReceipts>["open"]>>

export const nothing = { rows: 0, files: 0, jobs: 0 }
