import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Readable, Writable } from "node:stream"

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

/** Runs `use` with a page of a headless Chromium, in a browser context with cookies of its own. */
export const withPage = async <A>(use: (page: Page) => Promise<A>): Promise<A> => {
  browser ??= startBrowser()
  const { call } = browser
  const { browserContextId } = await call("Target.createBrowserContext")
  try {
    const { targetId } = await call("Target.createTarget", { url: "about:blank", browserContextId })
    const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true })
    return await use(await pageOf(browser, sessionId))
  } finally {
    await call("Target.disposeBrowserContext", { browserContextId })
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

type Browser = ReturnType<typeof startBrowser>
// oxlint-disable-next-line no-explicit-any -- the answers of the protocol are not validated
type Answer = any

/** All tests of a process share a browser. */
let browser: Browser | undefined

/** Starts a browser that speaks its DevTools protocol over two pipes. When this process ends, the browser ends, too. */
const startBrowser = () => {
  if (program === undefined) throw new Error("No Chromium is installed.")
  const child = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]
  })
  const [, , , requests, answers] = child.stdio
  if (!(requests instanceof Writable && answers instanceof Readable)) throw new Error("Chromium has no pipes.")
  const calls = new Map<number, (answer: Answer) => void>()
  const events = new Map<string, () => void>()
  let last = 0
  let unread = ""
  answers.setEncoding("utf8").on("data", (text: string) => {
    const messages = (unread + text).split("\0")
    unread = messages.pop() ?? ""
    for (const message of messages) {
      const answer: Answer = JSON.parse(message)
      calls.get(answer.id)?.(answer)
      calls.delete(answer.id)
      events.get(`${answer.sessionId} ${answer.method}`)?.()
    }
  })
  child.once("exit", () => (browser = undefined))
  const call = (method: string, params: object = {}, sessionId?: string) =>
    within<Answer>(method, (resolve, reject) => {
      const id = ++last
      calls.set(id, (answer) =>
        answer.error === undefined ? resolve(answer.result) : reject(new Error(answer.error.message))
      )
      requests.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  const event = (method: string, sessionId: string) =>
    within<void>(method, (resolve) => events.set(`${sessionId} ${method}`, () => resolve()))
  return { call, event }
}

const within = <A>(what: string, start: (resolve: (value: A) => void, reject: (error: Error) => void) => void) =>
  new Promise<A>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what} took too long.`)), patience_ms)
    start((value) => {
      clearTimeout(late)
      resolve(value)
    }, reject)
  })

const pageOf = async (browser: Browser, session: string): Promise<Page> => {
  const call = (method: string, params?: object) => browser.call(method, params, session)
  await call("Page.enable")
  const loading = async (act: () => Promise<unknown>) => {
    const loaded = browser.event("Page.loadEventFired", session)
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
