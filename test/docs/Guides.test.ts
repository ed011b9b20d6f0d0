import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { openAccount } from "../banking/Books.ts"
import { browser, client, join as joinOrganization, person } from "../identity/Visitor.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { freePort } from "../support/counterparts/FreePort.ts"
import { seedOrganizationToken } from "../support/database/Seed.ts"
import { canRun, folder, of_developers, runBlocks } from "./CodeBlocks.ts"

const port = await freePort()
const webhooks = { allowHttp: true, allowedTargets: [`127.0.0.1:${port}`], timeScale: 1 }
const { app, open } = useBilling({ webhooks, role: "all" })

/**
 * A server that does what the guides leave to their reader: it stores webhook messages, and logs a person in like a
 * browser.
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

it.skipIf(!canRun).each(of_developers)("%s does what it says", async (guide) => {
  await runBlocks(join(folder, `${guide}.md`), home, environment)
})
