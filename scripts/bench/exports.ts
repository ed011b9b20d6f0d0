/**
 * `npm run bench:exports` compares the cost of an archive export with that of a plain loop that packs the same files.
 */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Client } from "pg"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { databaseClient, ownDatabase } from "../support/OwnDatabase.ts"
import { memory_variables, memoryOf, startProcess } from "../support/ServiceProcess.ts"
import { childOfTool, runTool } from "../support/Tool.ts"
import { cpuOf, cpuOfTree } from "./parts/Cpu.ts"

const objects = Number(process.env.BENCH_OBJECTS ?? 20_000)
/** Size in bytes of an archived file: about that of an invoice as PDF or UBL. */
const object_bytes = 21_000
/**
 * Desired minimum of a ratio: the CPU time of the plain loop that packs the same files, divided by that of the service
 * for the export.
 */
const aim = 0.25
const polls_max = 1_200
const poll_interval_ms = 100
const idle_interval_ms = 2_000
/** Share of a processor that an idle service may use. */
const idle_share = 0.05
const token = "pat_bench1"

interface StoredFile {
  readonly sha256: string
  readonly key: string
}

/** Writes the archived files (objects) where the service would store them: in folders named after their hashes. */
const store = (folder: string): ReadonlyArray<StoredFile> =>
  Array.from({ length: objects }, () => {
    const bytes = randomBytes(object_bytes)
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    const key = `archive/1/${sha256.slice(0, 2)}/${sha256}`
    mkdirSync(dirname(join(folder, key)), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, key), bytes, { mode: 0o400 })
    return { sha256, key }
  })

/** Adds the archived files to the manifest in the database, and writes an entry of the audit chain for each. */
const record = async (database: Client, files: ReadonlyArray<StoredFile>) => {
  await database.query(`
    insert into users (name, email) values ('Ana', 'ana@example.com');
    insert into organizations (name, country, currency, timezone, language, search, plan)
      values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', 'acme', 'business');
    insert into journals (organization_id, entries) values (1, ${objects});
    insert into vaults (organization_id, objects, bytes, by_plan)
      values (1, ${objects}, ${objects * object_bytes}, true);
    insert into members (organization_id, user_id, role, status) values (1, 1, 'owner', 'active');
    insert into tokens (kind, hash, name, user_id, scopes)
      values ('personal', sha256(convert_to('${token}', 'UTF8')), 'bench', 1, '{*}')`)
  await database.query(
    `insert into archive_objects (organization_id, position, id, object_kind, direction, document_type, document_id,
      number, counterparty_name, number_search, counterparty_search, issue_date, amount, currency, sha256, content_type,
      size_bytes, object_key, bucket, storage_account, region, archived_at)
     select 1, place, gen_random_uuid(), 'pdf', 'outbound', 'invoice', place, 'INV-' || place, 'Customer', 'inv-' || place,
      'customer', '2026-06-30', 363, 'EUR', sha256, 'application/pdf', ${object_bytes}, key, 'objects', 'local', 'local',
      now()
     from unnest($1::text[], $2::text[]) with ordinality as file (sha256, key, place)`,
    [files.map(({ sha256 }) => sha256), files.map(({ key }) => key)]
  )
  await database.query(`
    insert into audit_entries (organization_id, seq, canonical, hash)
      select 1, position, '{"action":"archive.stored","actor":"system","at":"2026-06-30T12:00:00.000Z","data":{"object_id":"'
        || id || '","sha256":"' || sha256 || '","document_type":"invoice","document_id":' || document_id || ',"note":"'
        || repeat('x', 400) || '"},"seq":' || position || '}', sha256
      from archive_objects`)
  await database.query("vacuum analyze")
}

const startService = (url: string, dataDir: string) =>
  startProcess({
    variables: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SIGNING_KEY: Buffer.alloc(32, 7).toString("base64"),
      RATE_LIMIT_PER_MINUTE: "1000000000",
      ...memory_variables
    }
  })

/** Waits until the service is idle: after its start it still works, for example on the first proof of the archive. */
const idle = async (pid: number) => {
  for (let poll = 0; poll < polls_max; poll++) {
    const before = cpuOf(pid)
    await sleep(idle_interval_ms)
    if (cpuOf(pid) - before < idle_interval_ms * idle_share) return
  }
  throw new Error("The service does not become idle.")
}

const call = async (address: string, method: "GET" | "POST", path: string) => {
  const answer = await fetch(`${address}/api/v1/archive/exports${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "x-organization-id": "1", "content-type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {})
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  const { data }: { data: { id: number; status: string; file_size_bytes: number } } = JSON.parse(text)
  return data
}

const exported = async (address: string, pid: number) => {
  const { id } = await call(address, "POST", "")
  let memory = 0
  for (let poll = 0; poll < polls_max; poll++) {
    const { file_size_bytes, status } = await call(address, "GET", `/${id}`)
    memory = Math.max(memory, memoryOf(pid))
    if (status === "completed") return { memory, file_size_bytes }
    if (status === "failed") break
    await sleep(poll_interval_ms)
  }
  throw new Error("The export did not end.")
}

/**
 * Returns a program that verifies the archived files, writes them with their names and checksums into one file, like a
 * ZIP without a directory, and hashes this file.
 */
const bareLoop = (folder: string, list: string) => `
  import { createHash } from "node:crypto"
  import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
  import { crc32 } from "node:zlib"
  const whole = createHash("sha256")
  const out = openSync(${JSON.stringify(join(folder, "bare.zip"))}, "w")
  for (const { key, sha256 } of JSON.parse(readFileSync(${JSON.stringify(list)}, "utf8"))) {
    const bytes = readFileSync(${JSON.stringify(`${folder}/`)} + key)
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new Error(key)
    const entry = Buffer.concat([Buffer.from(key), Buffer.from(String(crc32(bytes))), bytes])
    whole.update(entry)
    writeSync(out, entry)
  }
  closeSync(out)
  const { system, user } = process.cpuUsage()
  process.stdout.write(String((system + user) / 1000))`

const runBare = async (folder: string, files: ReadonlyArray<StoredFile>) => {
  const list = join(folder, "files.json")
  writeFileSync(list, JSON.stringify(files))
  const child = childOfTool(spawn(process.execPath, ["--input-type=module", "-e", bareLoop(folder, list)]))
  let output = ""
  child.stdout.on("data", (part: Buffer) => (output += part.toString("utf8")))
  await once(child, "close")
  return Number(output)
}

const bench = async (url: string, postgres: number, dataDir: string) => {
  const folder = join(dataDir, "objects")
  const files = store(folder)
  const database = await databaseClient(url)
  try {
    await record(database, files)
    const service = await startService(url, dataDir)
    await idle(service.pid)
    const [before, memory_before, cpu_before] = [cpuOf(service.pid), memoryOf(service.pid), cpuOfTree(postgres)]
    const started = performance.now()
    const { file_size_bytes, memory } = await exported(`http://127.0.0.1:${service.port}`, service.pid)
    const [seconds, cpu] = [(performance.now() - started) / 1000, cpuOf(service.pid) - before]
    const bare = await runBare(folder, files)
    const ratio = bare / cpu
    console.log(`${objects} objects, ZIP of ${(file_size_bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s.`)
    console.log(`service     ${(cpu / 1000).toFixed(1)} s of CPU, memory +${(memory - memory_before).toFixed(0)} MB`)
    console.log(`PostgreSQL  ${((cpuOfTree(postgres) - cpu_before) / 1000).toFixed(1)} s of CPU`)
    console.log(`bare loop   ${(bare / 1000).toFixed(1)} s of CPU`)
    console.log(`ratio ${ratio.toFixed(2)} (aim ${aim}: ${ratio >= aim ? "met" : "missing"})`)
    if (ratio < aim) process.exitCode = 1
  } finally {
    await database.end()
  }
}

runTool(
  Effect.gen(function* () {
    const { connection, dataDir, pid, url } = yield* ownDatabase({ durable: false })
    yield* migrate("migrations").pipe(Effect.provide(pgLayer(connection, 1)))
    yield* Effect.promise(() => bench(url, pid, join(dataDir, "service")))
  })
)
