/**
 * `npm run tamper` edits the books and the archive (`Edits.ts`) as somebody can who owns the database and the disk. It
 * reports which edits the database refuses, which ones the proof finds, and which ones it misses.
 */
import { ConfigProvider, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Integrity } from "../../src/archive/integrity/Integrity.ts"
import { Transmissions } from "../../src/archive/transmissions/Transmissions.ts"
import { SalesBooks } from "../../src/billing/books/SalesBooks.ts"
import { ExpenseBooks } from "../../src/expenses/books/ExpenseBooks.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { Machine } from "../../src/Machine.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { startProcess } from "../support/ServiceProcess.ts"
import { runTool } from "../support/Tool.ts"
import { edits } from "./Edits.ts"
import { fillArchive, recordExchange } from "./FillArchive.ts"
import { makeBooks } from "./MakeBooks.ts"
import { type Outcome, tamper } from "./Tampering.ts"

const signing_key = randomBytes(32)
const polls_max = 600

/** Starts the service, creates the books in the organization of its demo, and waits until they are archived. */
const prepared = async (url: string, dataDir: string) => {
  const variables = {
    PATH: process.env["PATH"],
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SEED_DEMO: "true",
    RATE_LIMIT_PER_MINUTE: "1000000",
    SIGNING_KEY: signing_key.toString("base64")
  }
  const service = await startProcess({ variables })
  const { users } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"))
  const headers = { authorization: `Bearer ${users[0].token}`, "x-organization-id": "1" }
  const made = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text).data
  }
  const books = await makeBooks(made)
  for (let poll = 0; poll < polls_max; poll++) {
    const found = await made("GET", `/archive/documents?number=${books.credit_note_number}`)
    if (found.length > 0) break
    await sleep(100)
  }
  const ended = new Promise((resolve) => service.process.once("exit", resolve))
  service.process.kill("SIGTERM")
  await ended
  return { organization_id: 1, ...books }
}

const told = ({ isFound, isRefused, name, unseen }: Outcome) => {
  const verdict = isFound ? (isRefused ? "refused, found" : "found") : unseen === undefined ? "MISSED" : "not seen"
  return `${verdict.padEnd(16)}${name}${isFound || unseen === undefined ? "" : `: ${unseen}`}`
}

const tampering = Effect.gen(function* () {
  const { connection, dataDir, url } = yield* ownDatabase()
  const books = yield* Effect.promise(() => prepared(url, dataDir))
  const target = { ...books, objects: join(dataDir, "objects"), signing_key }
  const env = { DATA_DIR: dataDir, SIGNING_KEY: signing_key.toString("base64") }
  const platform = Machine.pipe(
    Layer.provideMerge(pgLayer(connection, 10)),
    Layer.provideMerge(AppConfig.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
  )
  const outcomes = yield* Effect.gen(function* () {
    const organization_id = OrganizationId.make(target.organization_id)
    yield* fillArchive(target.organization_id, target.invoice)
    const prove = Integrity.use((integrity) => integrity.prove(organization_id))
    yield* prove
    yield* recordExchange(target.organization_id, "second")
    yield* prove
    return yield* Effect.forEach(edits, (edit) =>
      Effect.tap(tamper(target, edit), (outcome) => Effect.sync(() => process.stdout.write(`${told(outcome)}\n`)))
    )
  }).pipe(
    Effect.provide(
      Layer.mergeAll(Integrity.layer, Transmissions.layer).pipe(
        Layer.provide([SalesBooks, ExpenseBooks]),
        Layer.provideMerge(platform)
      )
    )
  )
  const count = (which: (outcome: Outcome) => boolean) => outcomes.filter(which).length
  process.stdout.write(
    `\n${outcomes.length} edits: ${count(({ isRefused }) => isRefused)} refused, ${count(({ isFound }) => isFound)} ` +
      `found, ${count(({ isFound, unseen }) => !isFound && unseen === undefined)} missed, ` +
      `${count(({ isFound, unseen }) => !isFound && unseen !== undefined)} that only somebody outside can find\n`
  )
  if (outcomes.some(({ isFound, unseen }) => !isFound && unseen === undefined)) process.exitCode = 1
})

runTool(tampering)
