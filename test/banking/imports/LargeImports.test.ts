import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { orderingOf } from "../../operations/Ordering.ts"
import { camt, entry } from "../statements/Camt.ts"

const { app, open } = useBilling({ role: "all" })
const lines = 6_000
const wait_ms_max = 60_000
const test_ms_max = 180_000

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  const count = async () => (await books.call("GET", "/bank-transactions")).body.meta.total
  return { books, account, count, import: (content: string, fields = {}) => upload(account, content, fields) }
}

/**
 * A table that is too large to be read in the service's own process. Its lines contain `number`, so tables with
 * different numbers have different lines.
 */
const tableOf = (number: number, lines: number) =>
  `Date;Amount;Text\n${`2026-01-05;-1,50;line of the statement number ${number}\n`.repeat(lines)}`

const statOf = (pid: string) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8")
    const [, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { parent: Number(parent), command, ticks: Number(fields[9]) + Number(fields[10]) }
  } catch {
    return { parent: 0, command: "", ticks: 0 }
  }
}

/** Finds the child processes that prepare statements, and their processor times in hundredths of a second. */
const children = () => {
  const found = readdirSync("/proc").filter((pid) => {
    const { command, parent } = statOf(pid)
    return parent === process.pid && command.includes("PreparationChild")
  })
  return new Map(found.map((pid) => [Number(pid), statOf(pid).ticks]))
}

/** Remembers the idle child processes. The returned function kills the first of them that works on a file. */
const killer = () => {
  const idle = children()
  return async () => {
    const deadline = Date.now() + wait_ms_max
    while (Date.now() < deadline) {
      const [busy] = [...children()].find(([pid, ticks]) => ticks >= (idle.get(pid) ?? Infinity) + busy_ticks) ?? []
      if (busy !== undefined) return process.kill(busy, "SIGKILL")
      await sleep(5)
    }
    throw new Error("No child process works on a file.")
  }
}
/** Processor time, in hundredths of a second, after which a child is certainly working on a file. */
const busy_ticks = 20

const statementOf = (sign: "CRDT" | "DBIT") =>
  camt(Array.from({ length: lines }, (_, index) => entry(`${index + 1}.00`, sign)))

describe("a large import", () => {
  it(
    "leaves nothing when its child process is killed, and succeeds when repeated",
    async () => {
      const { account, count, import: upload } = await opened()
      assert.equal((await upload(tableOf(1, 2_000), { dry_run: "true" })).status, 201)
      const killed = killer()
      const statement = statementOf("CRDT")
      const interrupted = upload(statement)
      await killed()
      const { body, status } = await interrupted
      assert.deepEqual([status, body.code], [503, "storage_unavailable"])
      assert.equal(await count(), 0)
      const { data, status: repeated } = await upload(statement)
      assert.deepEqual([repeated, data.bank_account_id, data.imported], [201, account, lines])
      assert.equal(await count(), lines)
    },
    test_ms_max
  )

  it(
    "is repeated as an operation when its child process is killed",
    async () => {
      const { account, books, count } = await opened()
      const order = async (content: string, fields = {}) => {
        const headers = { prefer: "respond-async" }
        const { data } = await importer(app, books)(account, content, fields, undefined, headers)
        return () => orderingOf(books).ended(data.id)
      }
      const started = await order(tableOf(1, 2_000), { dry_run: "true" })
      assert.equal((await started()).status, "completed")
      const killed = killer()
      const ended = await order(statementOf("DBIT"))
      await killed()
      const { error, results, status } = await ended()
      assert.deepEqual([status, error, results?.imported], ["completed", null, lines])
      assert.equal(await count(), lines)
    },
    test_ms_max
  )

  it(
    "of another organization waits for one turn of a busy one, whose tenth import is refused",
    async () => {
      const [busy, other] = [await opened(), await opened()]
      const ended: Array<string> = []
      const send = async ({ import: upload }: typeof busy, number: number, name: string) => {
        const { status } = await upload(tableOf(number, 4_000), { dry_run: "true" })
        if (status === 201) ended.push(name)
        return status
      }
      const many = Array.from({ length: 10 }, (_, number) => send(busy, number, "busy"))
      const statuses = await Promise.all([...many, send(other, 10, "other")])
      assert.isAtMost(ended.indexOf("other"), 2)
      assert.deepEqual(statuses.toSorted(), [...Array.from({ length: 10 }, () => 201), 503])
    },
    test_ms_max
  )

  it("answers 503 and stores nothing when its file cannot be kept, and succeeds afterwards", async () => {
    const { count, import: upload } = await opened()
    const spool = join(app.dataDir, "spool")
    renameSync(spool, `${spool}-away`)
    writeFileSync(spool, "no folder")
    const { body, status } = await upload(tableOf(1, 2_000))
    rmSync(spool)
    renameSync(`${spool}-away`, spool)
    assert.deepEqual([status, body.code], [503, "storage_unavailable"])
    assert.equal(await count(), 0)
    assert.equal((await upload(tableOf(1, 2_000))).status, 201)
    assert.equal(await count(), 2_000)
  })
})
