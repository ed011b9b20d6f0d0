import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../support/Billing.ts"
import { hasChromium, withPage } from "../support/counterparts/Chromium.ts"
import { freePort } from "../support/counterparts/FreePort.ts"

const run = promisify(execFile)
const receiver_port = await freePort()
const target = `127.0.0.1:${receiver_port}`
const { app, open } = useBilling({ webhooks: { allowHttp: true, allowedTargets: [target], timeScale: 1 } })

/** Maximum size of the client for browsers, minified and compressed. */
const browser_bytes_max = 40_000

/** Code blocks of the README and of the client's guide, in this order; each is a complete program. */
const guides = ["README.md", "src/client/README.md"].map((file) => readFileSync(file, "utf8")).join("\n")
const blocks = [...guides.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code)
const [first = "", business = "", webhook = "", login = "", effect = ""] = blocks
/** The file with the mistakes that must not compile, with the imports of the package. */
const mistakes = readFileSync("test/client/Mistakes.test-d.ts", "utf8")
  .replace("../../src/client/Invoicing.ts", "invoicing-client")
  .replace("../../src/client/effect/EffectClient.ts", "invoicing-client/effect")
const snippets = { first, business, webhook, login, effect, mistakes }

/** The Node that runs the tests, and the Node of the machine, which is often older. */
const nodes = [process.execPath, "node"]

const project = mkdtempSync(join(tmpdir(), "invoicing-client-"))
afterAll(() => rmSync(project, { recursive: true, force: true }))
const inProject = (command: string, ...parameters: ReadonlyArray<string>) =>
  run(command, parameters, { cwd: project, env: { ...environment(), PATH: systemPath() } })

/** Returns the search path without the project's own Node, which npm puts first. */
const systemPath = () =>
  (process.env["PATH"] ?? "")
    .split(":")
    .filter((part) => !part.includes("node_modules"))
    .join(":")

let books: Books
const environment = () => ({
  HOME: project,
  INVOICING_URL: app.url,
  INVOICING_TOKEN: books.owner.token,
  PORT: String(receiver_port)
})

const measured = async (what: string, work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  console.log(`client: ${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

beforeAll(async () => {
  books = await open()
  // Binds the user's token to this organization, so that requests need no header that names the organization.
  await app.inDatabase(`update tokens set kind = 'organization', user_id = null, organization_id = ${books.id}`)
  writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }')
  await measured("tarball built", async () => {
    while ((await fetch(`${app.url}/client.tgz`)).headers.has("retry-after"));
  })
  // The registry cannot be reached. This proves that the client needs no other package.
  const offline = ["--registry=http://127.0.0.1:9/", "--fetch-retries=0", "--no-audit", "--no-fund"]
  await measured("installed", () => inProject("npm", "install", ...offline, `${app.url}/client.tgz`))
})

describe("GET /client.tgz", () => {
  it("answers one package for one state of the service, and 304 to who has it", async () => {
    const first = await fetch(`${app.url}/client.tgz`)
    const etag = first.headers.get("etag") ?? ""
    expect([first.status, first.headers.get("content-type"), etag]).toEqual([
      200,
      "application/gzip",
      expect.stringMatching(/^"[\w-]{22}"$/)
    ])
    const again = await fetch(`${app.url}/client.tgz`, { headers: { "if-none-match": etag } })
    expect([again.status, (await again.bytes()).length]).toEqual([304, 0])
    console.log(`client: the tarball has ${Math.round((await first.bytes()).length / 1000)} kB`)
  })
})

/** True if the receiver runs: it refuses a message without a signature. */
const isListening = () =>
  fetch(`http://${target}/`, { method: "POST", body: "{}" }).then(
    ({ status }) => status === 401,
    () => false
  )

/** Sends a part of a request's body to the receiver, and then disconnects. */
const disconnectWithin = async () => {
  const socket = connect(receiver_port, "127.0.0.1")
  const closed = once(socket, "close")
  socket.write("POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\npart")
  // The receiver answers 100 as soon as it waits for the body.
  await once(socket, "data")
  socket.destroy()
  await closed
}

describe("the package in an empty project", () => {
  const installed = join(project, "node_modules/invoicing-client")

  it("is the only package that is installed, without server code, and names its version by its contract", async () => {
    const { stdout } = await inProject("npm", "ls", "--all", "--json")
    const { dependencies } = JSON.parse(stdout)
    expect(Object.keys(dependencies)).toEqual(["invoicing-client"])
    expect(dependencies["invoicing-client"].version).toMatch(/^\d+\.\d+\.\d+-contract-[0-9a-f]{12}$/)
    for (const file of ["fetch.js", "effect.js", "Sender.js"]) {
      const text = readFileSync(join(installed, "dist", file), "utf8")
      expect(text).not.toMatch(/from "(?!effect(?:\/(?:http|http-api|schema|encoding))?"|\.\/)/)
      expect(text).not.toMatch(/\bsql`|Context\.Service|Layer\.effect/)
    }
  })

  it("compiles with every snippet of the guides, strictly and with all declarations checked", async () => {
    expect(blocks).toHaveLength(5)
    mkdirSync(join(project, "node_modules/@types"), { recursive: true })
    for (const name of ["effect", "@types/node"]) {
      symlinkSync(resolve("node_modules", name), join(project, "node_modules", name))
    }
    for (const [name, code] of Object.entries(snippets)) writeFileSync(join(project, `${name}.ts`), code)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      module: "nodenext",
      target: "es2022",
      lib: ["es2023", "dom", "dom.asynciterable", "esnext.disposable"],
      types: ["node"],
      outDir: "built"
    }
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    const compiler = resolve("node_modules/@typescript/native/bin/tsc")
    await measured("compiled", () =>
      inProject(process.execPath, compiler, "-p", ".").catch(({ stdout }: { readonly stdout: string }) =>
        expect(stdout).toBe("")
      )
    )
  })

  it.each(nodes)("does the business of the guides on %s", async (node) => {
    console.log(`client: ${node} is ${(await inProject(node, "--version")).stdout.trim()}`)
    expect((await inProject(node, "built/first.js")).stdout).toBe("344.85\n")
    const { stdout } = await inProject(node, "built/business.js")
    expect(stdout).toMatch(/^(?:INV-\d{4}-\d+ 344\.85\n)+invoice_locked .+\n\{ name: .+ \}\n$/)
    const { stdout: printed } = await inProject(node, "built/effect.js")
    expect(printed).toMatch(/^INV-\d{4}-\d+\n$/)
  })

  it.each(nodes)("verifies webhooks on %s", async (node) => {
    const { id, secret } = await books.made("POST", "/webhooks", { url: `http://${target}/`, events: ["*"] })
    const delivered = async (known: string) => {
      const env = { ...environment(), PATH: systemPath(), WEBHOOK_SECRET: known }
      const child = spawn(node, ["built/webhook.js"], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] })
      const lines: Array<string> = []
      createInterface(child.stdout).on("line", (line) => lines.push(line))
      const ended = once(child, "close")
      try {
        while (!(await isListening())) expect(child.exitCode).toBeNull()
        await disconnectWithin()
        const answer = await books.made("POST", `/webhooks/${id}/test`)
        return [answer.delivered, answer.response_status, lines.join("\n")]
      } finally {
        child.kill()
        await ended
      }
    }
    expect(await delivered(secret)).toEqual([true, 204, expect.stringContaining("webhook.test")])
    expect(await delivered("whsec_c29tZWJvZHkgZWxzZQ==")).toEqual([false, 401, ""])
  })

  const bundled = async () => {
    const bundle = await rolldown({ input: join(installed, "dist/fetch.js"), platform: "browser" })
    const { output } = await bundle.generate({ format: "iife", name: "client", minify: true })
    await bundle.close()
    return output[0].code
  }

  it("fits into a browser's budget", async () => {
    const bytes = gzipSync(await bundled()).length
    console.log(`client: the browser bundle has ${(bytes / 1000).toFixed(1)} kB, compressed`)
    expect(bytes).toBeLessThan(browser_bytes_max)
    expect(statSync(join(installed, "dist/fetch.js")).size).toBeGreaterThan(bytes)
  })

  it.skipIf(!hasChromium)("calls the service from a browser", async () => {
    const options = JSON.stringify({ baseUrl: app.url, token: books.owner.token })
    const code = `${await bundled()}; client.unwrap(client.invoicing(${options}).POST("/api/v1/customers", {
      body: { name: "From a browser" } })).then(({ name }) => name)`
    await withPage(async (page) => {
      await page.open(`${app.url}/health/live`)
      expect(await page.evaluate(code)).toBe("From a browser")
    })
  })
})
