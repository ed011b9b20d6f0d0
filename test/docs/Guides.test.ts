import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openAccount } from "../banking/Books.ts"
import { fakeReader } from "../expenses/receipts/FakeReader.ts"
import { browser, client, join as joinOrganization, person } from "../identity/Visitor.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { freePort } from "../support/FreePort.ts"
import { seedOrganizationToken } from "../support/Seed.ts"

const port = await freePort()
const webhooks = { allowHttp: true, allowedTargets: [`127.0.0.1:${port}`], timeScale: 1 }
const { app, open } = useBilling({ webhooks, role: "all" }, { reader: fakeReader().layer })

/** Guides for the operator, whose commands need an installation of their own. */
const of_operators = ["going-live", "backup-and-upgrade", "runbooks", "administration", "configuration"]

const folder = "src/docs/guides"
const guides = readdirSync(folder)
  .map((file) => file.replace(/\.md$/, ""))
  .filter((name) => !of_operators.includes(name))

const programs: Readonly<Record<string, readonly [string, string]>> = {
  js: ["node", "mjs"],
  python: ["python3", "py"],
  php: ["php", "php"]
}

const isInstalled = (program: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`])
    return true
  } catch {
    return false
  }
}
const missing = Object.values(programs).flatMap(([program]) => (isInstalled(program) ? [] : [program]))
/** The guides tell readers to have these. */
const needed = ["bash", "curl", "jq", "openssl", "python3"].filter((program) => !isInstalled(program))
const canRun = needed.length === 0
const absent = [...missing, ...needed]
if (absent.length > 0) process.stderr.write(`Not installed, so guides are not run: ${absent.join(", ")}.\n`)

const blocksOf = (guide: string) =>
  [...readFileSync(join(folder, `${guide}.md`), "utf8").matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(
    ([, language = "", code = ""]) => ({ language, code })
  )

const mark = (index: number) => `@@ block ${index} @@`

/** Makes one script of the blocks of a guide, so that later ones use the variables of earlier ones. */
const scriptOf = (guide: string, home: string) => {
  const parts = blocksOf(guide).map(({ code, language }, index) => {
    if (language === "sh") return `echo; echo '${mark(index)}'\n${code}`
    const [program, ending] = programs[language] ?? []
    if (program === undefined || missing.includes(program)) return ""
    const file = join(home, `block-${index}.${ending}`)
    writeFileSync(file, code)
    return `echo; echo '${mark(index)}'\n${program} ${file} < "\${INPUT:-/dev/null}"\n`
  })
  return `set -euo pipefail\nset -a\n${parts.join("\n")}`
}

/** Compares what a block printed with the text that the guide shows; `…` stands for anything. */
const patternOf = (shown: string) =>
  new RegExp(
    `^${shown
      .trim()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join("[\\s\\S]*?")}$`
  )

/**
 * Stands for what a reader has beside the service: a server that saves the webhook messages which it receives, and a
 * browser in which a person logs in.
 */
const surroundings = (email: string) =>
  createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    if (request.url === "/browser") {
      const visitor = browser(app)
      const login = await visitor.get(body)
      const back = await visitor.get((await visitor.logIn(email, login.location)).location)
      response.end(back.location)
      return
    }
    const variables = Object.entries(request.headers).map(
      ([name, value]) => `HTTP_${name.toUpperCase().replaceAll("-", "_")}='${String(value)}'`
    )
    writeFileSync(join(home, "message.body"), body)
    writeFileSync(join(home, "message.env"), variables.join("\n"))
    response.writeHead(204).end()
  })

const home = mkdtempSync(join(tmpdir(), "invoicing-guides-"))
const closing: Array<() => void> = [() => rmSync(home, { recursive: true, force: true })]
afterAll(() => closing.forEach((close) => close()))

let books: Books
let environment: Record<string, string>
beforeAll(async () => {
  books = await open({ plan: "business" })
  const token = await app.run(seedOrganizationToken(books.id))
  const ana = await person(app)
  await joinOrganization(app, ana.id, books.id)
  const application = await client(app, { redirect_uris: ["http://127.0.0.1/callback"] })
  const server = surroundings(ana.email).listen(port, "127.0.0.1")
  closing.push(() => void server.close())
  writeFileSync(join(home, "browser"), `#!/bin/sh\ncurl -sS http://127.0.0.1:${port}/browser --data "$1"\n`, {
    mode: 0o755
  })
  const account = await openAccount(app, books.id)
  await books.made("PUT", `/organizations/${books.id}`, {
    address_line1: "Kerkstraat 1",
    city: "Gent",
    postal_code: "9000"
  })
  writeFileSync(join(home, "message.body"), "")
  environment = {
    BASE_URL: app.url,
    TOKEN: token,
    ORGANIZATION: String(books.id),
    CUSTOMER: String(books.customer_id),
    BANK_ACCOUNT: String(account),
    CLIENT_ID: application.id,
    BROWSER: join(home, "browser"),
    WEBHOOK_URL: `http://127.0.0.1:${port}/webhook`,
    INPUT: join(home, "message.body")
  }
})

const run = promisify(execFile)

it.skipIf(!canRun).each(guides)(
  "%s does what it says",
  async (guide) => {
    const blocks = blocksOf(guide)
    const env = { ...environment, PATH: process.env["PATH"] ?? "", HOME: home }
    const options = { cwd: home, env, timeout: 120_000 }
    const { stderr, stdout } = await run("bash", ["-c", scriptOf(guide, home)], options).catch((failure: unknown) => {
      const { stderr, stdout } = { stderr: "", stdout: "", ...Object(failure) }
      throw new Error(`${guide}: ${stdout}\n${stderr}`)
    })
    for (const [index, { code, language }] of blocks.entries()) {
      if (language !== "text") continue
      const printed = stdout.split(`${mark(index - 1)}\n`)[1]?.split("\n@@ block ")[0] ?? ""
      expect({ guide, index, printed: printed.trim(), stderr }).toMatchObject({
        printed: expect.stringMatching(patternOf(code))
      })
    }
    const ran = blocks.filter(({ language }) => language === "sh" || language in programs)
    console.log(`guides: ${guide} ran ${ran.length} blocks`)
  },
  180_000
)
