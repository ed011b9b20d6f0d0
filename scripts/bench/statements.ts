/**
 * `node scripts/bench/statements.ts` measures how long the import of the longest bank statement delays other requests,
 * with the maximum of open invoices. BENCH_LINES and BENCH_INVOICES set the size; BENCH_FORMAT=camt053 imports CAMT.053
 * and compares its time with only parsing the file.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { Clock, ConfigProvider, DateTime, Duration, Effect, Layer, Stream } from "effect"
import { Xml } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { closeSync, createReadStream, openSync, readFileSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { StatementImports } from "../../src/banking/imports/StatementImports.ts"
import { BankAccountId } from "../../src/kernel/Ids.ts"
import { Machine } from "../../src/Machine.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { runTool } from "../support/Tool.ts"
import { asCaller } from "./parts/Caller.ts"
import { memoryOf } from "../support/ServiceProcess.ts"
import { childrenOf, cpuOf, cpuOfTree } from "./parts/Cpu.ts"

const lines = Number(process.env.BENCH_LINES ?? 20_000)
const format = process.env.BENCH_FORMAT === "camt053" ? "camt053" : "csv"
const invoices = Number(process.env.BENCH_INVOICES ?? 20_000)
const customers = 500
const imports = Number(process.env.BENCH_IMPORTS ?? 3)
const connections = 4
/** The run fails if the event loop is blocked by computing for longer than this. */
const stretch_max_ms = 50

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into organizations (name, country, currency, timezone, language, search, currency_in_use)
    values ('Large', 'BE', 'EUR', 'Europe/Brussels', 'en', 'large', true)`
  yield* sql`insert into journals (organization_id) values (1)`
  yield* sql`
    insert into customers (organization_id, name, search)
    select 1, 'Customer ' || n || ' Services BV', 'customer ' || n from generate_series(1, ${customers}::integer) n`
  yield* sql`
    insert into invoices (organization_id, customer_id, number, payment_reference, issue_date, due_date, currency, items,
      tax_breakdown, subtotal, discount_total, tax_total, total, issued_at, created_at, updated_at)
    select 1, 1 + n % ${customers}::integer, 'INV-2026-' || lpad(n::text, 6, '0'), null, current_date - n % 100,
      current_date, 'EUR', '[]', '[]', 100 + n * 0.37, 0, 0, 100 + n * 0.37, now(), now(), now()
    from generate_series(1, ${invoices}::integer) n`
  yield* sql`insert into bank_accounts (organization_id, name, currency) values (1, 'Current', 'EUR')`
  yield* sql`analyze`
})

/**
 * A row quotes an invoice number, has only a name, or has nothing to do with any invoice. Some rows occur twice on
 * purpose.
 */
const rowOf = (index: number, round: number, today: string): string => {
  const cents = 10_000 + ((index * 7_919 + round) % 600_000)
  const amount = `${index % 4 === 3 ? "-" : ""}${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`
  const text = index % 4 === 0 ? `Invoice INV/2026/${String(1 + (index % invoices)).padStart(6, "0")}, thank you` : ""
  return `${today};${amount};Customer ${index % (2 * customers)} Services;${text} Übertrag ${round} ${index - (index % 10)}`
}

/** Writes the bank statement to a file in pieces. A whole statement in memory would count as memory of the import. */
const statement = Effect.fnUntraced(function* (round: number, dataDir: string) {
  const today = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const path = join(dataDir, `bench-${round}.${format}`)
  const hash = createHash("sha256")
  const file = openSync(path, "w")
  const write = (text: string) => {
    hash.update(text)
    writeSync(file, text)
  }
  write(format === "csv" ? "Date;Amount;Name;Description" : camt_head)
  for (let index = 0; index < lines; index++) {
    const row = rowOf(index, round, today)
    write(format === "csv" ? `\n${row}` : entryOf(row, index))
  }
  if (format === "camt053") write(camt_tail)
  closeSync(file)
  const { size } = statSync(path)
  const file_sha256 = hash.digest("hex")
  return {
    content: { path, size, sha256: file_sha256 },
    filename: `bench.${format}`,
    file_sha256,
    format,
    mapping: undefined,
    strict: true,
    dry_run: false,
    accept_unbalanced: false,
    accept_overlap: false
  } as const
})

const camt_head =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id>' +
  "<Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>EUR</Ccy></Acct>"
const camt_tail = "</Stmt></BkToCstmrStmt></Document>"

const entryOf = (row: string, index: number): string => {
  const [day, amount = "", name, text] = row.split(";")
  const isDebit = amount.startsWith("-")
  const role = isDebit ? "Cdtr" : "Dbtr"
  return (
    `<Ntry><Amt Ccy="EUR">${amount.replace("-", "").replace(",", ".")}</Amt><CdtDbtInd>${isDebit ? "DBIT" : "CRDT"}</CdtDbtInd>` +
    `<Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${index}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties>` +
    `<${role}><Nm>${name}</Nm></${role}></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  )
}

const bareReading = (path: string) =>
  Stream.fromAsyncIterable(createReadStream(path), (cause) => cause).pipe(
    Stream.pipeThroughChannel(Xml.decode()),
    Stream.runForEachArray(() => Effect.void)
  )

/** Measures the longest computing between two ticks of a timer, in CPU time, which other processes do not affect. */
const watchStretches = () => {
  let longest = 0
  let before = process.threadCpuUsage()
  const tick = () => {
    const { system, user } = process.threadCpuUsage(before)
    longest = Math.max(longest, (system + user) / 1000)
    before = process.threadCpuUsage()
  }
  const timer = setInterval(tick, 1)
  return () => {
    tick()
    clearInterval(timer)
    return longest
  }
}

/**
 * Resident megabytes: own pages, and pages of files, which are mostly those of the shared program. The kernel maintains
 * both numbers, so reading them does not stop the process.
 */
const residentOf = (pid: number) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
    return { own: of("RssAnon"), files: of("RssFile") + of("RssShmem") }
  } catch {
    // The process has ended.
    return { own: 0, files: 0 }
  }
}

/**
 * Measures the maximum memory in megabytes: of this process, of its children, of all together, and of all with the
 * shared program counted once.
 */
const watchMemory = () => {
  const most = { here: 0, children: 0, together: 0, shared_once: 0 }
  const tick = () => {
    const own = residentOf(process.pid)
    const children = childrenOf(process.pid).map(residentOf)
    const here = sizeOf(own)
    const apart = sumOf(children.map(sizeOf))
    const files = Math.max(own.files, ...children.map(({ files }) => files))
    const shared_once = files + own.own + sumOf(children.map(({ own }) => own))
    most.here = Math.max(most.here, here)
    most.children = Math.max(most.children, apart)
    most.together = Math.max(most.together, here + apart)
    most.shared_once = Math.max(most.shared_once, shared_once)
  }
  const timer = setInterval(tick, 200)
  return () => {
    clearInterval(timer)
    return most
  }
}

const sizeOf = ({ files, own }: ReturnType<typeof residentOf>) => own + files

const sumOf = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0)

const cpuNow = (postgres: number) => {
  const here = cpuOf(process.pid)
  return { here, children: cpuOfTree(process.pid) - here, database: cpuOfTree(postgres) }
}

/** Measures an import. The first import is not measured, because it also starts the process that reads statements. */
const measure = Effect.fnUntraced(function* (postgres: number, dataDir: string) {
  const statements = yield* StatementImports
  const account = BankAccountId.make(1)
  const first = yield* statement(0, dataDir)
  yield* statements.take(account, first)
  const stretches: Array<number> = []
  if (format === "camt053") {
    const { path, size } = first.content
    const [taken] = yield* Effect.timed(bareReading(path))
    console.log(`A bare reading of ${size} bytes takes ${Duration.toMillis(taken)} ms.`)
  }
  console.log(`${lines} lines against ${invoices} open invoices of ${customers} customers; milliseconds of CPU.`)
  for (let round = 1; round <= imports; round++) {
    const form = yield* statement(round, dataDir)
    console.log(`${memoryOf(process.pid).toFixed(0)} MB in this process before.`)
    const most = watchMemory()
    const longest = watchStretches()
    const cpu = process.threadCpuUsage()
    const before = cpuNow(postgres)
    const begun = yield* Clock.currentTimeMillis
    const { imported, suggested } = yield* statements.take(account, form)
    const { system, user } = process.threadCpuUsage(cpu)
    const stretch = longest()
    stretches.push(stretch)
    const took = (yield* Clock.currentTimeMillis) - begun
    const { children, here, shared_once, together } = most()
    const after = cpuNow(postgres)
    console.log(
      `${took} ms in all; at most ${here.toFixed(0)} MB in this process, ${children.toFixed(0)} in its children, ` +
        `${together.toFixed(0)} together, ${shared_once.toFixed(0)} with the shared program counted once`
    )
    const cpu_ms = [after.here - before.here, after.children - before.children, after.database - before.database]
    console.log(`CPU: ${cpu_ms[0]} in this process, ${cpu_ms[1]} in its children, ${cpu_ms[2]} in the database`)
    const figures = `${((system + user) / 1000).toFixed(0)} in all, ${stretch.toFixed(1)} at a stretch`
    console.log(`${imported} imported, ${suggested} suggested: ${figures}`)
  }
  if (Math.max(...stretches) <= stretch_max_ms) return
  console.log(`Others wait longer than ${stretch_max_ms} ms.`)
  process.exitCode = 1
})

const settings = (folder: string) => ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder } }))

runTool(
  Effect.gen(function* () {
    const { connection, dataDir, pid } = yield* ownDatabase({ durable: false })
    const database = pgLayer(connection, connections)
    yield* Effect.andThen(migrate("migrations"), seed).pipe(Effect.provide(database))
    const config = AppConfig.layer.pipe(Layer.provide(settings(dataDir)))
    const services = StatementImports.layer.pipe(Layer.provide(Machine), Layer.provide([database, config]))
    yield* measure(pid, dataDir).pipe(asCaller, Effect.provide(services))
  })
)
