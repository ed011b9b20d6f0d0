import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import type { ReceiptReader } from "../../src/expenses/receipts/reading/ReceiptReader.ts"
import { ReceiptReaderPool } from "../../src/expenses/receipts/reading/ReceiptReaderPool.ts"
import { AppConfig, type Settings } from "../../src/platform/config/AppConfig.ts"
import type { Pdf } from "../../src/platform/documents/pdf/Pdf.ts"
import { callerOf } from "../../src/platform/http/server/Callers.ts"
import { patientServer } from "../../src/platform/http/server/LimitedServer.ts"
import { ProcessRole } from "../../src/ProcessRole.ts"
import { Machine } from "../../src/Machine.ts"
import { declaredAs } from "../contract/document/OpenApi.ts"
import { freePort } from "./counterparts/FreePort.ts"
import { testDatabase } from "./database/Postgres.ts"
import { seedOrganization, type SeedOptions } from "./database/Seed.ts"

export interface Call {
  readonly token?: string | undefined
  readonly organization?: number | string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line no-explicit-any -- tests read the fields of any answer
  readonly body: any
  readonly text: string
}

const settings = (port: number, dataDir: string, changes: Partial<Settings>): Settings => ({
  port,
  host: "127.0.0.1",
  publicUrl: Option.some(new URL(`http://127.0.0.1:${port}`)),
  dataDir,
  databaseUrl: Option.none(),
  databaseReadUrl: Option.none(),
  databaseConnections: 16,
  seedDemo: Option.none(),
  adminToken: Option.none(),
  rateLimitPerMinute: 1_000_000,
  storageUrl: Option.none(),
  storageCredentials: Option.none(),
  smtpUrl: Option.none(),
  mailFrom: "Invoicing <invoicing@example.com>",
  trustedProxies: [],
  corsOrigins: [],
  role: "api",
  secretKeys: [Redacted.make(Buffer.alloc(32, 7).toString("base64"))],
  signingKeys: [Redacted.make(Buffer.alloc(32, 9).toString("base64"))],
  trustedSigningKeys: [],
  timestampUrl: Option.none(),
  webhooks: { allowHttp: true, allowedTargets: [], timeScale: 1 },
  ocrProcesses: 2,
  pdfProcesses: 2,
  receiptRetentionDays: 30,
  einvoicingSandbox: Option.none(),
  sandboxNetworkDelaySeconds: 0,
  peppol: { smlZone: "sml.test", dnsServers: [], trustedCertificates: Option.none() },
  archive: { plans: ["business"], retentionDays: 3650, exportDays: 7, exportObjectsMax: 72_000 },
  metricsPort: Option.none(),
  accessLog: false,
  production: false,
  ...changes
})

/**
 * Keeps idle connections open. Client and server share the process of the test. While this process is busy, a request
 * might otherwise be sent on a connection that the server is about to close.
 */
const lastingServer =
  (trustedProxies: ReadonlyArray<string> = []) =>
  () =>
    Object.assign(patientServer(callerOf(trustedProxies)), { keepAliveTimeout: keep_alive_ms })
const keep_alive_ms = 600_000

const layerOf = (
  port: number,
  dataDir: string,
  changes: Partial<Settings>,
  { clock = Layer.empty, pdf = Layer.empty, reader = ReceiptReaderPool }: Parts
) =>
  ProcessRole.pipe(
    Layer.provide([reader, pdf]),
    Layer.provideMerge(Machine),
    Layer.provideMerge(testDatabase),
    Layer.provideMerge(NodeHttpServer.layer(lastingServer(changes.trustedProxies), { port, host: "127.0.0.1" })),
    Layer.provideMerge(Layer.succeed(AppConfig, settings(port, dataDir, changes))),
    Layer.provideMerge(clock)
  )

type Machinery = Layer.Success<typeof Machine> | Layer.Services<typeof Machine>
type Reader = typeof ReceiptReaderPool | Layer.Layer<ReceiptReader>
/** Services that replace the real ones in a test. */
export interface Parts {
  readonly reader?: Reader
  readonly clock?: Layer.Layer<never>
  readonly pdf?: Layer.Layer<Pdf, never, Machinery> | Layer.Layer<never>
}
type Services = Layer.Success<ReturnType<typeof layerOf>>

/** The whole service behind a real socket, with a database of its own, for the tests of one file. */
export const useApp = (changes: Partial<Settings> = {}, parts: Parts = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "invoicing-app-"))
  let runtime: ManagedRuntime.ManagedRuntime<Services, unknown> | undefined
  let url = ""

  beforeAll(async () => {
    const port = await freePort()
    runtime = ManagedRuntime.make(layerOf(port, dataDir, changes, parts))
    await runtime.runPromise(HttpServer.HttpServer)
    url = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    await runtime?.dispose()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Runs an effect inside the running service, e.g. to reach its database. */
  const run = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => {
    if (runtime === undefined) throw new Error("The app starts before the first test, not while tests are declared.")
    return runtime.runPromise(effect)
  }

  /** Sends a request and checks that the OpenAPI document declares the answer. */
  const call = async (method: string, path: string, options: Call = {}): Promise<Answer> => {
    const { body, headers, organization, token } = options
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(organization === undefined ? {} : { "x-organization-id": String(organization) }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
      text
    }
    const mistake = declaredAs(method, path, answer)?.mistake
    const hint = "After an intended change run npm run contract."
    if (mistake !== undefined) throw new Error(`${method} ${path} ${answer.status} ${mistake}. ${hint} ${text}`)
    return answer
  }

  return {
    run,
    call,
    inDatabase: (statement: string) => run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))),
    dataDir,
    get url() {
      return url
    },
    /** Creates an organization with an owner, the owner's personal access token and its country's default tax rates. */
    organization: (options: SeedOptions = {}) => run(seedOrganization(options))
  }
}
export type App = ReturnType<typeof useApp>
