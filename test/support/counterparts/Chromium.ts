import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"

const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path)
)

/** Tests that need a browser are skipped with a message if there is none. */
export const hasChromium = program !== undefined
if (!hasChromium) process.stderr.write("No Chromium is installed: tests in a browser are skipped.\n")

/** Time limit of a step in the browser, which is long enough for a busy machine. */
const patience_ms = 60_000

export interface Page {
  readonly open: (url: string) => Promise<void>
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Presses a key like a person. With `loads`, also waits for the page to which the key leads. */
  readonly press: (key: "Tab" | "Enter" | " ", options?: { readonly loads?: boolean }) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Evaluates an expression that leads to another page, and waits for that page. */
  readonly follow: (expression: string) => Promise<void>
  readonly resize: (width: number) => Promise<void>
  readonly scheme: (scheme: "light" | "dark") => Promise<void>
  /** Sets the language that the browser requests. */
  readonly language: (tag: string) => Promise<void>
  readonly screenshot: () => Promise<Buffer>
}

/** Runs `use` with a page of a headless Chromium, controlled through its DevTools protocol. */
export const withPage = async <A>(use: (page: Page) => Promise<A>): Promise<A> => {
  if (program === undefined) throw new Error("No Chromium is installed.")
  const home = mkdtempSync(join(tmpdir(), "invoicing-chromium-"))
  const browser = spawn(
    program,
    ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${home}`],
    { stdio: ["ignore", "ignore", "pipe"], detached: true, env: { ...process.env, TMPDIR: home } }
  )
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let text = ""
      const late = setTimeout(() => reject(new Error(`Chromium did not start: ${text}`)), patience_ms)
      browser.stderr.on("data", (chunk: Buffer) => {
        text += chunk.toString()
        const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
        if (found === undefined) return
        clearTimeout(late)
        resolve(found)
      })
    })
    const devtools = await connect(address)
    const { targetId } = await devtools.call("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await devtools.call("Target.attachToTarget", { targetId, flatten: true })
    return await use(await pageOf(devtools, String(sessionId)))
  } finally {
    const gone = new Promise((resolve) => browser.once("exit", resolve))
    // Kills the process group of the browser, because its renderers are also in this group.
    if (browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL")
    await gone
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const folder = process.env["SCREENSHOTS"]

export const keep = async (page: Page, name: string) => {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.png`, await page.screenshot())
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Returns the rules of WCAG 2.2 and of good practice that the page breaks. axe checks the size of targets only if asked. */
export const violations = async (page: Page, ignored: ReadonlyArray<string> = []) => {
  await page.evaluate(`${axe}; undefined`)
  const rules = {
    "target-size": { enabled: true },
    ...Object.fromEntries(ignored.map((id) => [id, { enabled: false }]))
  }
  return page.evaluate(
    `axe.run({ rules: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html)))`
  )
}

type DevTools = Awaited<ReturnType<typeof connect>>
// oxlint-disable-next-line no-explicit-any -- the answers of the protocol are not validated
type Answer = any

const connect = async (address: string) => {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("error", () => reject(new Error("Chromium does not answer.")))
  })
  const calls = new Map<number, (answer: Answer) => void>()
  const events = new Map<string, () => void>()
  let last = 0
  socket.addEventListener("message", ({ data }) => {
    const answer: Answer = JSON.parse(String(data))
    calls.get(answer.id)?.(answer)
    calls.delete(answer.id)
    events.get(answer.method)?.()
  })
  return {
    call: (method: string, params: object = {}, sessionId?: string) =>
      within<Answer>(method, (resolve, reject) => {
        const id = ++last
        calls.set(id, (answer) =>
          answer.error === undefined ? resolve(answer.result) : reject(new Error(answer.error.message))
        )
        socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
      }),
    event: (method: string) => within<void>(method, (resolve) => events.set(method, () => resolve()))
  }
}

const within = <A>(what: string, start: (resolve: (value: A) => void, reject: (error: Error) => void) => void) =>
  new Promise<A>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what} took too long.`)), patience_ms)
    start((value) => {
      clearTimeout(late)
      resolve(value)
    }, reject)
  })

const pageOf = async (devtools: DevTools, session: string): Promise<Page> => {
  const call = (method: string, params?: object) => devtools.call(method, params, session)
  await call("Page.enable")
  const loading = async (act: () => Promise<unknown>) => {
    const loaded = devtools.event("Page.loadEventFired")
    await act()
    await loaded
    // An element with `autofocus` gets the focus with the first frame, which may come after the page has loaded.
    await evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
  }
  const evaluate = async (expression: string) =>
    (await call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true })).result.value
  const stroke = async (key: string) => {
    const text = key === "Enter" ? "\r" : key === " " ? " " : undefined
    const code = { Tab: 9, Enter: 13, " ": 32 }[key]
    const event = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: code, ...(text && { text }) }
    await call("Input.dispatchKeyEvent", { type: "keyDown", ...event })
    await call("Input.dispatchKeyEvent", { type: "keyUp", ...event })
  }
  return {
    open: (url) => loading(() => call("Page.navigate", { url })),
    evaluate,
    press: (key, options = {}) => (options.loads === true ? loading(() => stroke(key)) : stroke(key)),
    follow: (expression) => loading(() => evaluate(expression)),
    type: async (text) => void (await call("Input.insertText", { text })),
    resize: async (width) => {
      await call("Emulation.setDeviceMetricsOverride", {
        width,
        height: 800,
        deviceScaleFactor: 1,
        mobile: width < 600
      })
    },
    scheme: async (value) => {
      await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] })
    },
    language: async (tag) => {
      await call("Network.enable", {})
      await call("Network.setExtraHTTPHeaders", { headers: { "accept-language": tag } })
    },
    screenshot: async () => {
      const { data } = await call("Page.captureScreenshot", { format: "png", captureBeyondViewport: true })
      return Buffer.from(data, "base64")
    }
  }
}
