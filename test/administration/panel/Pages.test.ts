import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { usePanel } from "./Panel.ts"
import { world } from "./World.ts"

const panel = usePanel()
const { enter, fill } = panel

const hostile = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onfocus='alert(1)' autofocus='`,
  `</title></textarea><svg onload=alert(1)>`,
  `javascript:alert(1)`,
  `{{constructor.constructor('alert(1)')()}}`,
  `&lt;b&gt; \u202egnp.exe`
]

/**
 * Returns the tags of a page, without the values of their attributes. An unescaped quote ends a value early, and the
 * rest of the value then stays in the tag, where `isForeign` finds it.
 */
const tagsOf = (text: string) =>
  (text.match(/<[a-z!/](?:"[^"]*"|[^">])*>/gi) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, "").toLowerCase())

const isForeign = (tag: string) => /<(?:script|img|svg|b)[\s>/]|\son[a-z]+=|'/.test(tag)

const shownPaths = ({ forms, pages }: Awaited<ReturnType<typeof world>>) => [
  ...pages.filter((path) => path !== "/admin" && !path.endsWith("/file")),
  ...forms.map(([path]) => path)
]

describe("every page of the panel", () => {
  it("lets a browser only show it and submit its form", async () => {
    const admin = await enter()
    for (const path of shownPaths(await world(panel, "Strict"))) {
      const page = await admin.get(path)
      expect([path, page.status]).toEqual([path, 200])
      const policy = page.headers.get("content-security-policy") ?? ""
      const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page.text) ?? []
      expect(policy).toBe(
        `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; ` +
          "base-uri 'none'; frame-ancestors 'none'; img-src data:; form-action 'self'"
      )
      expect(page.headers.get("cache-control")).toBe("no-store")
      expect(page.headers.get("x-content-type-options")).toBe("nosniff")
      expect(page.headers.get("x-frame-options")).toBe("DENY")
      expect(page.text).not.toMatch(/<script|<img|<link(?! rel="icon" href="data:)|style="|\son[a-z]+=/i)
    }
  })

  it("can be read by a screen reader: language, one heading, a name for every field and every link", async () => {
    const admin = await enter()
    for (const path of shownPaths(await world(panel, "Named"))) {
      const { text } = await admin.get(path)
      const main = text.slice(text.indexOf("<main"))
      expect(text).toContain('<html lang="en">')
      expect(text).toContain("The administration is in English only.")
      expect(main.match(/<h1>/g)).toHaveLength(1)
      expect(text).toMatch(/<nav aria-label="Administration">[^]*aria-current="true"/)
      expect(text).toMatch(/<title>\S[^<]* · Administration<\/title>/)
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const fields = [...main.matchAll(/<(?:input|select|textarea)\s(?![^>]*type="hidden")[^>]*?id="([^"]+)"/g)]
      for (const [, id = ""] of fields) expect(text).toMatch(new RegExp(`<label (?:class="choice" )?for="${id}">`))
      for (const [, of = ""] of main.matchAll(/aria-describedby="([^"]+)"/g)) {
        for (const id of of.split(" ")) expect(ids).toContain(id)
      }
      for (const [, inside = ""] of main.matchAll(/<(?:a|button)\b[^>]*>([^]*?)<\/(?:a|button)>/g)) {
        expect(inside.trim()).not.toBe("")
      }
      const named = [...main.matchAll(/<a\b[^>]*?(?:aria-label="([^"]*)"[^>]*)?>([^<]*)</g)]
      const names = named.map(([, label, inside]) => label ?? inside)
      expect([
        path,
        names.filter((name) =>
          /^(Change|Set balance|Set opening balance|Archive|Approve|Reject|Deregister|Remove|Revoke|Retry|Discard|New secret)$/.test(
            name ?? ""
          )
        )
      ]).toEqual([path, []])
    }
  })

  it.each(hostile)("shows the name %s as text", async (name) => {
    const admin = await enter()
    const made = await world(panel, name)
    for (const path of shownPaths(made)) {
      const { text } = await admin.get(path)
      expect([path, tagsOf(text).filter(isForeign)]).toEqual([path, []])
      expect(text).not.toMatch(/href="javascript:/i)
      expect(text.match(/<\/title>/g)).toHaveLength(1)
    }
    const refused = await fill(admin, `/admin/organizations/${made.id}/plan`, { plan: `${name}${"x".repeat(256)}` })
    expect(refused.status).toBe(422)
    expect(tagsOf(refused.text).filter(isForeign)).toEqual([])
  })

  it("shows only its own sentences as the notice of a change", async () => {
    const admin = await enter()
    expect((await admin.get("/admin/organizations?done=<b>You%20won")).text).not.toContain("You won")
    expect((await admin.get("/admin/organizations?done=constructor")).text).not.toContain('role="status"')
  })
})
