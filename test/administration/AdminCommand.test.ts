import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll } from "vitest"
import { freePort } from "../support/counterparts/FreePort.ts"
import { useApp } from "../support/App.ts"
import { participant } from "../support/counterparts/Network.ts"
import { runCommand } from "./CommandLine.ts"

const admin_token = "adm_of-this-test"
const { NODE_COMPILE_CACHE, PATH } = process.env
const inherited = { PATH, NODE_COMPILE_CACHE }

interface Ended {
  readonly code: number | string | null | undefined
  readonly stdout: string
  readonly stderr: string
}

describe("npm run admin", () => {
  const app = useApp({ adminToken: Option.some(Redacted.make(admin_token)) })
  const folder = mkdtempSync(join(tmpdir(), "invoicing-admin-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  const settings = () => ({ ADMIN_TOKEN: admin_token, PUBLIC_URL: app.url })
  const admin = (line: ReadonlyArray<string>, environment: Record<string, string> = {}) =>
    new Promise<Ended>((done) => {
      const env = { ...inherited, ...settings(), ...environment }
      execFile(
        process.execPath,
        [resolve("scripts/admin.ts"), ...line],
        { cwd: folder, env },
        (error, stdout, stderr) => done({ code: error === null ? 0 : error.code, stdout, stderr })
      )
    })

  const printed = async (line: ReadonlyArray<string>) => {
    const { failure, stderr, stdout } = await runCommand(line, settings())
    assert.deepStrictEqual([failure, stderr], [undefined, ""])
    return stdout
  }
  const json = async (...line: ReadonlyArray<string>) => JSON.parse(await printed([...line, "--json"]))

  const place = ["--country", "FR", "--currency", "EUR", "--timezone", "Europe/Paris", "--language", "fr"]
  const open = (name: string, owner: string) =>
    json("organization", "create", "--name", name, ...place, "--owner-email", owner)

  it("creates, changes and archives an organization", async () => {
    writeFileSync(join(folder, "password"), "correct horse battery\n")
    const owner_name = ["--owner-email", "anne@example.com", "--owner-name", "Anne"]
    const owned = [...owner_name, "--password-file", join(folder, "password")]
    const opened = await json("organization", "create", "--name", "Atelier", ...place, ...owned)
    const { organization, owner, tax_rates } = opened
    assert.deepStrictEqual([owner.name, owner.has_password], ["Anne", true])
    assert.strictEqual(tax_rates[0].rate, 20)
    const id = String(organization.id)
    assert.strictEqual(
      (await json("organization", "set-plan", "--organization", id, "--plan", "business")).plan,
      "business"
    )
    const { settings } = await json("organization", "set-quota", "--organization", id, "--gib", "20")
    assert.deepInclude(settings, { key: "stored_bytes_quota", value: 20 * 1024 ** 3 })
    assert.isNotNull((await json("organization", "archive", "--organization", id)).archived_at)
  })

  it("lists no incident when no archive differs from what was recorded", async () => {
    const { organization } = await open("Vault", "vault@example.com")
    const of = ["--organization", String(organization.id)]
    assert.deepStrictEqual(await json("archive", "incidents", ...of, "--open"), { incidents: [], total: 0 })
  })

  it("keeps tax rates", async () => {
    const { organization } = await open("Taxes", "tax@example.com")
    const of = ["--organization", String(organization.id)]
    const made = await json("tax-rate", "create", ...of, "--name", "Corse", "--rate", "0.9")
    assert.deepStrictEqual([made.rate, made.category, made.is_default], [0.9, "S", false])
    await json("tax-rate", "set-defaults", ...of, "--tax-rate", String(made.id))
    const updated = await json("tax-rate", "update", ...of, "--tax-rate", String(made.id), "--archived")
    assert.deepStrictEqual([updated.archived, updated.is_default, updated.rate], [true, false, 0.9])
    assert.strictEqual((await json("tax-rate", "list", ...of)).length, 6)
  })

  it("keeps bank accounts", async () => {
    const { organization } = await open("Bank", "bank@example.com")
    const of = ["--organization", String(organization.id)]
    const iban = ["--iban", "BE68 5390 0754 7034", "--currency", "EUR"]
    const made = await json("bank-account", "create", ...of, "--name", "Current", ...iban)
    assert.deepStrictEqual([made.iban, made.status], ["BE68539007547034", "active"])
    const account = [...of, "--account", String(made.id)]
    const updated = await json("bank-account", "set-balance", ...account, "--balance", "-12.50", "--at", "2026-01-31")
    assert.deepStrictEqual([updated.provider_balance, updated.provider_balance_at], [-12.5, "2026-01-31T00:00:00.000Z"])
    const begun = await json("bank-account", "set-opening", ...account, "--balance", "-1.50", "--date", "2026-01-01")
    assert.deepStrictEqual(begun, { ...updated, opening_balance: -1.5, opening_balance_date: "2026-01-01" })
    assert.deepStrictEqual(await json("bank-account", "list", ...of), { accounts: [begun], total: 1 })
    const numbered = ["--account-number", "55779911", "--bank-code", "20-00-00", "--currency", "GBP"]
    const sterling = await json("bank-account", "create", ...of, "--name", "Sterling", ...numbered)
    assert.deepStrictEqual([sterling.iban, sterling.account_number, sterling.bank_code], [null, "55779911", "20-00-00"])
  })

  it("issues, lists and revokes tokens that the API accepts", async () => {
    const { organization, owner } = await open("Tokens", "tok@example.com")
    const of = ["--organization", String(organization.id)]
    const shop = await json("token", "issue-organization", ...of, "--name", "shop", "--scope", "customers:read")
    const whole = await json(
      "token",
      "issue-organization",
      ...of,
      "--name",
      "all",
      "--expires-at",
      "2999-01-01T00:00:00Z"
    )
    const own = await json("token", "issue-personal", "--email", owner.email, "--name", "laptop")
    const statuses = (token: string) =>
      Promise.all(
        ["customers", "invoices"].map(async (path) => {
          const options = { token, organization: organization.id }
          return (await app.call("GET", `/api/v1/${path}`, options)).status
        })
      )
    assert.deepStrictEqual(await statuses(shop.secret), [200, 403])
    assert.deepStrictEqual(await statuses(whole.secret), [200, 200])
    assert.deepStrictEqual(await statuses(own.secret), [200, 200])
    await json("token", "revoke-organization", ...of, "--token", String(shop.token.id))
    assert.deepStrictEqual(await statuses(shop.secret), [401, 401])
    const listed = await json("token", "list-organization", ...of)
    assert.deepStrictEqual([listed.tokens.map(({ name }: { name: string }) => name), listed.total], [["all"], 1])
  })

  it("registers clients and gives them new secrets", async () => {
    const uri = ["--redirect-uri", "https://shop.example.com/a", "--redirect-uri", "https://shop.example.com/b"]
    const { client, client_secret } = await json("client", "create", "--name", "Shop", "--confidential", ...uri)
    assert.strictEqual(client.redirect_uris.length, 2)
    const rotated = await json("client", "rotate-secret", "--client", client.id)
    assert.match(rotated.client_secret, /^ocs_/)
    assert.notStrictEqual(rotated.client_secret, client_secret)
    const changed = await json("client", "update", "--client", client.id, "--name", "Store", "--scope", "invoices:read")
    assert.deepStrictEqual(changed, { ...client, name: "Store", scopes: ["invoices:read"] })
  })

  it("creates users, with a password that is not visible on the command line", async () => {
    const { code } = await admin(
      ["user", "create", "--name", "Ulla", "--email", "ulla@example.com", "--password-file", "password"],
      {}
    )
    assert.strictEqual(code, 0)
    const again = await admin(
      ["user", "create", "--name", "Ulla", "--email", "ULLA@example.com", "--password-file", "password"],
      {}
    )
    assert.strictEqual(again.code, 1)
    assert.include(again.stderr, "There is already a user with this email address.")
  })

  it("makes a user a superadmin, and revokes the right", async () => {
    const { owner } = await open("Super", "super@example.com")
    const made = await json("user", "superadmin", "--email", owner.email)
    assert.deepStrictEqual([made.id, made.superadmin], [owner.id, true])
    assert.isFalse((await json("user", "superadmin", "--email", owner.email, "--revoke")).superadmin)
  })

  it("prints a table for people", async () => {
    await open("東京\u009b31m 株式会社", "tokyo@example.com")
    const { code, stdout } = await admin(["organization", "list"])
    assert.strictEqual(code, 0)
    const heading = stdout.split("\n").findIndex((line) => line.startsWith("id"))
    assert.match(stdout.split("\n")[heading] ?? "", /^id +name +country +currency +timezone +plan +archived_at$/)
    assert.match(stdout, /^\d+ +東京 31m 株式会社 +FR +EUR +Europe\/Paris +standard +-$/m)
    assert.notInclude(stdout, "\u009b")
  })

  it("prints a refusal on stderr and exits with code 1", async () => {
    const unknown = await admin(["organization", "archive", "--organization", "999999"])
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.include(unknown.stderr, "There is no organization 999999.")
    const rate = ["--organization", "999999", "--tax-rate", "3", "--archived"]
    assert.include((await admin(["tax-rate", "update", ...rate])).stderr, "no organization 999999 with tax rate 3.")
    const wrong = await admin(["organization", "list"], { ADMIN_TOKEN: "wrong" })
    assert.deepStrictEqual([wrong.code, wrong.stdout], [1, ""])
    assert.include(wrong.stderr, "The admin token is wrong.")
    const line = ["organization", "create", "--name", "X", ...place, "--owner-email", "not an address"]
    const malformed = await admin(line)
    assert.deepStrictEqual([malformed.code, malformed.stdout], [1, ""])
    assert.include(malformed.stderr, "The owner_email field must be a valid email address.")
  })

  it("says which address has no administration", async () => {
    const address = `http://127.0.0.1:${await freePort()}`
    const silent = await admin(["organization", "list", "--url", address])
    assert.strictEqual(silent.code, 1)
    assert.include(silent.stderr, `${address} cannot be reached.`)
    const elsewhere = await admin(["organization", "list", "--url", `${app.url}/health`])
    assert.strictEqual(elsewhere.code, 1)
    assert.include(elsewhere.stderr, "has no administration")
  })

  it("reads a password from a pipe, and makes a link with which the user sets another one", async () => {
    const line = ["user", "create", "--name", "Piet", "--email", "piet@example.com", "--password-file", "/dev/stdin"]
    const created = await new Promise<Ended>((done) => {
      const env = { ...inherited, ...settings() }
      const command = `printf 'a long pipe of words' | "${process.execPath}" "$0" "$@"`
      execFile(
        "sh",
        ["-c", command, resolve("scripts/admin.ts"), ...line, "--json"],
        { env },
        (error, stdout, stderr) => done({ code: error === null ? 0 : error.code, stdout, stderr })
      )
    })
    assert.deepStrictEqual([created.code, created.stderr], [0, ""])
    const made = await json("user", "password-link", "--email", "piet@example.com")
    assert.deepStrictEqual([made.user.email, made.valid_minutes], ["piet@example.com", 30])
    assert.strictEqual((await fetch(made.link)).status, 200)
    const unknown = await admin(["user", "password-link", "--email", "nobody@example.com"])
    assert.include(unknown.stderr, "There is no user nobody@example.com.")
    const missing = await admin([...line.slice(0, -1), "no-such-file"])
    assert.include(missing.stderr, "The password file no-such-file cannot be read.")
  })

  it("invites members, changes their roles and removes them", async () => {
    const { id } = await app.organization()
    const of = ["--organization", String(id)]
    const invited = await json("member", "invite", ...of, "--email", "mia@example.com", "--role", "owner")
    assert.deepStrictEqual([invited.status, invited.role], ["invited", "owner"])
    const one = [...of, "--user", String(invited.id)]
    assert.strictEqual((await json("member", "set-role", ...one, "--role", "viewer")).role, "viewer")
    assert.strictEqual((await json("member", "remove", ...one)).id, invited.id)
    const again = await admin(["member", "remove", ...one])
    assert.include(again.stderr, `There is no organization ${id} with user ${invited.id}.`)
  })

  it("uses the token and the address of a demo from its file, and says so", async () => {
    const superadmin = { email: "root@demo.example", password: "secret" }
    const facts = { base_url: app.url, admin_token, superadmin, users: [], organizations: [], clients: [] }
    writeFileSync(join(folder, "demo.json"), JSON.stringify(facts))
    const environment = { ...inherited, DATA_DIR: folder }
    const ended = await new Promise<Ended>((done) => {
      const line = [resolve("scripts/admin.ts"), "organization", "list", "--json"]
      execFile(process.execPath, line, { cwd: folder, env: environment }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : error.code, stdout, stderr })
      )
    })
    assert.strictEqual(ended.code, 0)
    assert.include(ended.stderr, join(folder, "demo.json"))
    assert.isArray(JSON.parse(ended.stdout).organizations)
  })

  it("lists, approves, rejects, suspends and withdraws e-invoicing registrations", async () => {
    const [first, second] = [await participant(app), await participant(app)]
    const of = async ({ id, register }: typeof first, identifier_value: string) => {
      const { body } = await register({ identifier_value })
      return ["--organization", String(id), "--registration", String(body.data.id)]
    }
    const one = await of(first, "0403170701")
    const other = await of(second, "0202239951")
    const { code, stdout } = await admin(["registration", "list", "--status", "pending"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^\d+ +\d+ +pending +peppol +Acme BV +\d{4}-/m)
    assert.strictEqual((await json("registration", "approve", ...one)).status, "active")
    const rejected = await json("registration", "reject", ...other, "--reason", "Not you.")
    assert.deepStrictEqual([rejected.status, rejected.rejection_reason], ["rejected", "Not you."])
    assert.strictEqual((await json("registration", "suspend", ...one)).status, "suspended")
    assert.strictEqual((await json("registration", "deregister", ...one)).status, "deregistered")
    const again = await admin(["registration", "approve", ...one])
    assert.deepStrictEqual([again.code, again.stdout], [1, ""])
    assert.include(again.stderr, "The registration is deregistered.")
  })

  it("shows jobs, and retries those that failed permanently", async () => {
    await app.inDatabase(`
      insert into jobs (id, queue_name, element, attempts, last_failure, state, created_at, updated_at, visible_at)
      values ('a', 'letters', '{}', 3, 'no way', 'failed', now(), now(), now())`)
    const overview = await json("job", "overview")
    assert.strictEqual(overview.find(({ queue }: { queue: string }) => queue === "letters")?.dead, 1)
    const { code, stdout } = await admin(["job", "dead"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^\d+ +letters +a +3 +\d{4}-/m)
    const { jobs } = await json("job", "dead", "--queue", "letters")
    assert.deepStrictEqual(await json("job", "retry", "--job", String(jobs[0].id)), { queue: "letters" })
    const again = await admin(["job", "discard", "--job", String(jobs[0].id)])
    assert.deepStrictEqual([again.code, again.stdout], [1, ""])
    assert.include(again.stderr, `There is no job ${jobs[0].id}.`)
  })

  it("explains every command with --help", async () => {
    for (const command of [
      "organization create",
      "user create",
      "tax-rate update",
      "token issue-personal",
      "client create",
      "registration approve",
      "job retry"
    ]) {
      assert.include(await printed([...command.split(" "), "--help"]), `admin ${command} [flags]`)
    }
  })
})
