import { describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { hasChromium, violations, withPage } from "../support/counterparts/Chromium.ts"
import { document, operations } from "../contract/document/OpenApi.ts"
import { search } from "../../src/docs/Search.ts"

const app = useApp()

const pageAt = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(app.url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const linksIn = (text: string) =>
  [...text.matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)].map(([, path = "", fragment = ""]) => ({ path, fragment }))

describe("the documentation", () => {
  it("leads every link to a page and every fragment to an element", async () => {
    const pages = new Map<string, string>()
    const waiting = ["/docs"]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text } = await pageAt(path)
      expect([path, status]).toEqual([path, 200])
      pages.set(path, text)
      const found = linksIn(text).map((link) => link.path)
      const unknown = found.filter((link) => link.startsWith("/docs") && !pages.has(link) && !waiting.includes(link))
      waiting.push(...new Set(unknown))
    }
    const broken = [...pages].flatMap(([path, text]) =>
      linksIn(text).flatMap((link) => {
        const target = pages.get(link.path === "" ? path : link.path)
        if (target === undefined) return link.path.startsWith("/docs") ? [link] : []
        return link.fragment === "" || target.includes(` id="${link.fragment}"`) ? [] : [{ page: path, ...link }]
      })
    )
    expect(broken).toEqual([])
    const bytes = [...pages.values()].map((text) => Buffer.byteLength(text))
    console.log(`docs: ${pages.size} pages, the largest has ${Math.max(...bytes)} bytes`)
    const all = [...pages.values()].join("\n")
    for (const { operationId } of operations) expect(all).toContain(` id="${operationId}"`)
    for (const event of Object.keys(document.webhooks)) expect(all).toContain(` id="on.${event}"`)
  })

  it("has no script, loads nothing, and lets only its own style apply", async () => {
    for (const path of ["/docs", "/docs/guides/first-invoice", "/docs/reference/invoices", "/docs/search?q=pay"]) {
      const { headers, text } = await pageAt(path)
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
      expect(text).not.toMatch(/<(?:script|link(?! rel="icon" href="data:)|img|iframe|object)\b|\bon\w+="|\bstyle="/i)
    }
  })

  it("is compressed, and answers 304 to a client that has the page", async () => {
    const path = "/docs/reference/invoices"
    const { headers } = await pageAt(path, { "accept-encoding": "gzip" })
    expect(headers.get("content-encoding")).toBe("gzip")
    const tag = headers.get("etag") ?? ""
    // A proxy may change the kind of the tag.
    for (const known of [tag, tag.replace("W/", ""), "*"]) {
      expect((await pageAt(path, { "if-none-match": known })).status).toBe(304)
    }
    expect((await pageAt(path, { "if-none-match": '"other"' })).status).toBe(200)
    expect((await pageAt("/openapi.json", { "accept-encoding": "gzip" })).headers.get("content-encoding")).toBe("gzip")
  })

  it("is searched without a script, and shows what was searched for as text", async () => {
    const found = await pageAt("/docs/search?q=verify%20signature")
    expect(linksIn(found.text).map(({ path }) => path)).toContain("/docs/guides/webhooks")
    expect((await pageAt("/docs/search?q=veri*factu")).text).toContain("VERI*FACTU")
    const hostile = await pageAt(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect([hostile.status, hostile.text.includes("<script>")]).toEqual([200, false])
    // A developer knows an operation by its id, or by its method and path.
    for (const query of ["invoices.create", "POST /api/v1/invoices"]) {
      const { text } = await pageAt(`/docs/search?q=${encodeURIComponent(query)}`)
      expect(linksIn(text).map(({ fragment }) => fragment)).toContain("invoices.create")
    }
    expect((await pageAt("/docs/search?q=invoice")).text).toContain("The first 40 places for “invoice”.")
    expect((await pageAt("/docs/")).status).toBe(200)
    expect((await pageAt("/docs/search?q=xyzzy")).text).toContain("Nothing contains “xyzzy”.")
  })

  it.each([
    ["payments", "payments.create", ["already_paid", "amount_exceeds_balance", "validation_failed"], ["invoice_id"]],
    ["payments", "payments.refund", ["amount_exceeds_refundable"], ["amount", "reason"]],
    ["receipts", "receipts.upload", ["storage_quota_exceeded"], ["receipt", "file", "expense_id"]],
    ["oauth", "oauth.token", ["invalid_grant"], ["grant_type"]]
  ])("shows on %s the refusal codes of %s, and each field of its body", async (page, id, codes, fields) => {
    const { text } = await pageAt(`/docs/reference/${page}`)
    const section = text.split('<section class="operation"').find((part) => part.startsWith(` id="${id}"`)) ?? ""
    const [, body = ""] = section.split("<h3>Body</h3>")
    for (const name of [...codes, ...fields])
      expect([name, body.includes(`<code>${name}</code>`)]).toEqual([name, true])
  })

  it("shows whole words around what was found, without marks of Markdown", () => {
    const text = `${"alpha ".repeat(30)}\`needle_code\` ${"omega ".repeat(60)}`
    const [found] = search([{ path: "/docs", title: "Title", page: "Page", text }])("needle")
    expect(found?.excerpt).toMatch(/^… (?:alpha )+needle_code(?: omega)+ …$/)
  })

  it("answers 404 for a page that it does not have", async () => {
    for (const path of ["/docs/guides/none", "/docs/records/toString", "/docs/../package.json"]) {
      expect((await pageAt(path)).status).toBe(404)
    }
  })
})

const looked_at = [
  "/docs",
  "/docs/guides/webhooks",
  "/docs/guides/amounts-and-taxes",
  "/docs/guides/configuration",
  "/docs/rules/invoices",
  "/docs/reference/invoices",
  "/docs/records/InvoiceDraft",
  "/docs/search?q=invoice"
]

describe.skipIf(!hasChromium)("the documentation in a browser", () => {
  it("breaks no rule of accessibility and fits, on phones and desks, by day and by night", async () => {
    await withPage(async (page) => {
      for (const path of looked_at) {
        await page.open(app.url + path)
        for (const width of [360, 1280]) {
          await page.resize(width)
          for (const scheme of ["light", "dark"] as const) {
            await page.scheme(scheme)
            // A narrow window shows the rows of a table as blocks.
            const overflow = await page.evaluate(
              "[document.documentElement, ...document.querySelectorAll(innerWidth < 640 ? '.scroll' : 'none')].some((e) => e.scrollWidth > e.clientWidth)"
            )
            expect([path, width, scheme, overflow, await violations(page)]).toEqual([path, width, scheme, false, []])
          }
        }
      }
    })
  })
})
