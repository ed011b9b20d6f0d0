import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { camt, entry } from "../statements/Camt.ts"

const { app, open } = useBilling()
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

/** Finds the child process that prepares statements, and its processor time in hundredths of a second. */
const child = () => {
  const found = readdirSync("/proc").filter((pid) => {
    const { command, parent } = statOf(pid)
    return parent === process.pid && command.includes("PreparationChild")
  })
  return found.map((pid) => ({ pid: Number(pid), ticks: statOf(pid).ticks })).at(-1)
}

describe("a large import", () => {
  it(
    "leaves nothing when its child process is killed, and succeeds when repeated",
    async () => {
      const { account, count, import: upload } = await opened()
      assert.equal((await upload(tableOf(1, 2_000), { dry_run: "true" })).status, 201)
      const before = child()
      const statement = camt(Array.from({ length: lines }, (_, index) => entry(`${index + 1}.00`, "CRDT")))
      const interrupted = upload(statement)
      const deadline = Date.now() + wait_ms_max
      // When the processor time of the child process grows, the process works on the file.
      while ((child()?.ticks ?? 0) < (before?.ticks ?? 0) + 20 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      process.kill(before?.pid ?? 0, "SIGKILL")
      const { body, status } = await interrupted
      assert.deepEqual([status, body.code], [422, "invalid_statement"])
      assert.equal(await count(), 0)
      const { data, status: repeated } = await upload(statement)
      assert.deepEqual([repeated, data.bank_account_id, data.imported], [201, account, lines])
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
