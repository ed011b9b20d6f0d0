import { assert, describe, it } from "vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll } from "vitest"
import { Demo } from "../../src/demo/Demo.ts"
import type { DemoFacts } from "../../src/demo/DemoFacts.ts"
import { welcome } from "../../src/demo/Welcome.ts"
import { Day, TimeZone, today } from "../../src/kernel/Calendar.ts"
import { browser } from "../identity/Visitor.ts"
import { useApp } from "../support/App.ts"
import { isInstalled } from "../support/counterparts/Programs.ts"

/** Maximum CPU time for creating the demo. CPU time is measured, because the process also waits for the database. */
const seeding_cpu_ms_max = 3_000
const run = promisify(execFile)

const seed = Effect.flatMap(Demo, (demo) => demo.seed).pipe(Effect.provide(Demo.layer))

describe("the demo of an empty database", () => {
  const app = useApp()
  let facts: DemoFacts
  let seeding: NodeJS.CpuUsage

  beforeAll(async () => {
    const started = process.cpuUsage()
    facts = Option.getOrThrow(await app.run(seed))
    seeding = process.cpuUsage(started)
  })

  const list = async (organization: DemoFacts["organizations"][number] | undefined, path: string) =>
    (await app.call("GET", path, { token: organization?.token })).body

  it("needs little time to create", () => {
    assert.isBelow((seeding.user + seeding.system) / 1000, seeding_cpu_ms_max)
  })

  it("has two organizations, each with an owner, a full profile and a bank account", async () => {
    const [first, second] = facts.organizations
    assert.deepStrictEqual(
      facts.users.map(({ organization_id, role }) => [organization_id, role]),
      [
        [first?.id, "owner"],
        [second?.id, "owner"],
        [second?.id, "viewer"]
      ]
    )
    for (const user of facts.users) {
      const { body } = await app.call("GET", "/api/v1/organizations", { token: user.token })
      assert.deepStrictEqual(
        body.data.map(({ id }: { id: number }) => id),
        [user.organization_id]
      )
    }
    for (const organization of facts.organizations) {
      const { data } = await list(organization, `/api/v1/organizations/${organization.id}`)
      for (const key of ["address_line1", "postal_code", "city", "tax_number", "legal_form", "registration_number"]) {
        assert.isNotEmpty(data[key], key)
      }
      const settings = new Map(data.settings.map(({ key, value }: { key: string; value: unknown }) => [key, value]))
      assert.match(String(settings.get("payment_iban")), /^(FR|BE)\d/)
      assert.isNotNull(settings.get("payment_bic"))
    }
  })

  it("has five customers in each organization, each with a primary contact, in several scripts", async () => {
    for (const organization of facts.organizations) {
      const { data } = await list(organization, "/api/v1/customers")
      assert.strictEqual(data.length, 5)
      assert.isTrue(
        data.every((customer: { contacts: Array<{ is_primary: boolean }> }) => customer.contacts[0]?.is_primary)
      )
      const names = data.map(({ name }: { name: string }) => name).join(" ")
      for (const script of [/Café Zürich/, /\p{Script=Han}/u, /\p{Script=Hebrew}/u]) assert.match(names, script)
    }
  })

  it("has an invoice in every state that needs no credit note, numbered without gaps", async () => {
    for (const organization of facts.organizations) {
      const { data } = await list(organization, "/api/v1/invoices?per_page=100")
      const statuses = new Set<string>(data.map(({ status }: { status: string }) => status))
      assert.deepStrictEqual(
        [...statuses].toSorted((a, b) => a.localeCompare(b)),
        ["draft", "overdue", "paid", "partially_paid", "sent"]
      )
      const numbers: ReadonlyArray<string> = data.flatMap(({ number }: { number: string | null }) => number ?? [])
      for (const ofYear of Object.values(Object.groupBy(numbers, (number) => number.slice(0, -4)))) {
        const sequence = (ofYear ?? []).map((number) => Number(number.slice(-4))).toSorted((a, b) => a - b)
        assert.deepStrictEqual(
          sequence,
          sequence.map((_, index) => index + 1)
        )
      }
    }
  })

  it("has a sent quote and a draft", async () => {
    for (const organization of facts.organizations) {
      const { data } = await list(organization, "/api/v1/quotes")
      assert.deepStrictEqual(
        data.map(({ status }: { status: string }) => status),
        ["draft", "sent"]
      )
      assert.match(data[1].number, /^QUO-\d{4}-0001$/)
    }
  })

  it("has expenses in several states, one of which can be billed to a customer", async () => {
    for (const organization of facts.organizations) {
      const { data } = await list(organization, "/api/v1/expenses")
      assert.strictEqual(data.length, 3)
      assert.strictEqual(new Set(data.map(({ status }: { status: string }) => status)).size, 3)
      const taxed = data.filter((expense: { tax_amount: number | null }) => expense.tax_amount !== null)
      assert.deepStrictEqual(
        [taxed.length, (await list(organization, "/api/v1/expenses?is_billable=true")).meta.total],
        [2, 1]
      )
    }
  })

  it("has a bank account with a statement that matches an invoice and a rule", async () => {
    for (const organization of facts.organizations) {
      const [account] = (await list(organization, "/api/v1/bank-accounts")).data
      const { data } = await list(organization, "/api/v1/bank-transactions")
      assert.strictEqual(account.unmatched_count, data.length)
      const found = data.map(({ suggestion }: { suggestion: { type: string } | null }) => suggestion?.type ?? "none")
      assert.deepStrictEqual(new Set(found), new Set(["invoice", "rule", "none"]))
      const period = `from=${data.at(-1).booking_date}&to=${data[0].booking_date}`
      const path = `/api/v1/bank-accounts/${account.id}/reconciliation-report?${period}`
      assert.strictEqual((await list(organization, path)).data.balance_check.status, "passed")
    }
  })

  it("stores every credential in demo.json, which only its owner can read", async () => {
    const file = join(app.dataDir, "demo.json")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), facts)
    assert.strictEqual(facts.base_url, app.url)
    const secrets = facts.clients.map(({ client_secret, first_party }) => [first_party, client_secret !== null])
    assert.deepStrictEqual(secrets, [
      [true, false],
      [false, false],
      [false, true]
    ])
  })

  it("has a user for the administration panel, who is named at the start", async () => {
    const { email, password } = facts.superadmin
    const visitor = browser(app)
    assert.strictEqual((await visitor.logIn(email, "/login?to=/admin", password)).location, "/admin")
    assert.strictEqual((await visitor.get("/admin/organizations")).status, 200)
    const setting = { today: Day.make("2026-03-01"), file: "demo.json", showsSecrets: true }
    assert.include(welcome(facts, setting), `${app.url}/admin  ${email}, password ${password}`)
  })

  it("is kept at the next start", async () => {
    const again = Option.getOrThrow(await app.run(seed))
    assert.deepStrictEqual(again, facts)
    const count = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ n: number }>`select count(*) as n from users`)
    assert.deepStrictEqual(await app.run(count), [{ n: 4 }])
  })

  it.runIf(isInstalled("curl", "the commands that a start prints")).each([
    ["with the token", true],
    ["with the token left in its file", false]
  ])("prints commands that work in a shell as they are, %s", async (_name, showsSecrets) => {
    const folder = mkdtempSync(join(tmpdir(), "invoicing-welcome-"))
    const file = join(app.dataDir, "demo.json")
    const text = welcome(facts, { today: await app.run(today(TimeZone.make("Europe/Paris"))), file, showsSecrets })
    assert.strictEqual(text.includes(facts.organizations[0]?.token ?? ""), showsSecrets)
    const commands = text.slice(text.indexOf("API="))
    const { stderr, stdout } = await run("sh", ["-c", commands], { cwd: folder })
    assert.strictEqual(stderr, "")
    const pdf = readFileSync(join(folder, "invoice.pdf"), "latin1")
    rmSync(folder, { recursive: true })
    assert.match(pdf, /^%PDF-/)
    const [sent, paid] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).data)
    assert.strictEqual(sent.status, "sent")
    assert.strictEqual(paid.status, "paid")
    assert.strictEqual(paid.id, sent.id)
    assert.match(text, new RegExp(`${app.url}/docs`))
  })

  it("has no credentials to show when demo.json belongs to another database", async () => {
    const file = join(app.dataDir, "demo.json")
    const foreign = { ...facts, users: facts.users.map((user) => ({ ...user, id: user.id + 1000 })) }
    writeFileSync(file, JSON.stringify(foreign))
    assert.isTrue(Option.isNone(await app.run(seed)))
    rmSync(file)
    assert.isTrue(Option.isNone(await app.run(seed)))
  })
})

describe("a database that is in use", () => {
  const app = useApp()

  it("is not seeded", async () => {
    await app.organization({ name: "Acme" })
    assert.isTrue(Option.isNone(await app.run(seed)))
    const names = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select name from organizations`)
    assert.deepStrictEqual(await app.run(names), [{ name: "Acme" }])
  })
})

describe("processes that start concurrently with an empty database", () => {
  const app = useApp()

  it("seed one demo", async () => {
    const both = await app.run(Effect.all([seed, seed], { concurrency: 2 }))
    assert.deepStrictEqual(both[0], both[1])
    const count = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ n: number }>`select count(*) as n from organizations`
    )
    assert.deepStrictEqual(await app.run(count), [{ n: 2 }])
  })

  it("keep one demo, and leave nothing but its file", async () => {
    const all = await app.run(
      Effect.all(
        Array.from({ length: 20 }, () => seed),
        { concurrency: "unbounded" }
      )
    )
    assert.deepStrictEqual(all, Array(20).fill(all[0]))
    const files = readdirSync(app.dataDir).filter((file) => file.startsWith("demo.json"))
    assert.deepStrictEqual(files, ["demo.json"])
  })
})
