import { beforeAll, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../../support/Billing.ts"
import { movableClock } from "../../../support/service/MovableClock.ts"

const clock = movableClock()
const { open } = useBilling({}, { clock: clock.layer })
let books: Books
beforeAll(async () => {
  books = await open()
})

const get = (path: string, headers: Record<string, string> = {}) => books.call("GET", path, undefined, { headers })

describe("If-None-Match of a GET of one document", () => {
  it("answers 304 without a body to any form that names the tag, and 200 to others", async () => {
    const path = `/customers/${books.customer_id}`
    const { headers } = await get(path)
    const tag = String(headers.get("etag"))
    const answered = async (known: string) => (await get(path, { "if-none-match": known })).status
    for (const known of [tag, `W/${tag}`, "*", ` * `, `"a, b", ${tag}`, `W/"x",W/${tag}`]) {
      expect([known, await answered(known)]).toEqual([known, 304])
    }
    for (const known of ['"v1"', tag.replaceAll('"', ""), `"${tag.slice(1, -1)}x"`, "", '"*"']) {
      expect([known, await answered(known)]).toEqual([known, 200])
    }
    const unchanged = await get(path, { "if-none-match": tag })
    expect([unchanged.text, unchanged.headers.get("etag")]).toEqual(["", tag])
    expect(unchanged.headers.get("cache-control")).toBe("private, no-cache")
    expect(unchanged.headers.get("x-ratelimit-remaining")).not.toBeNull()
  })

  it("does not match an answer that differs without a new version: after a date has passed, and in another form", async () => {
    clock.set(Date.parse("2026-03-10T12:00:00Z"))
    const { id, version } = await books.issued({ issue_date: "2026-03-01", due_date: "2026-03-31" })
    const path = `/invoices/${id}`
    const known = { "if-none-match": String((await get(path)).headers.get("etag")) }
    expect((await get(path, known)).status).toBe(304)
    expect((await get(path, { ...known, prefer: "amounts=string" })).status).toBe(200)
    clock.set(Date.parse("2026-04-10T12:00:00Z"))
    const late = await get(path, known)
    expect([late.status, late.body.data.status, late.body.data.version]).toEqual([200, "overdue", version])
  })

  it("answers HEAD with the tag and the status of GET", async () => {
    const path = `/customers/${books.customer_id}`
    const head = (headers: Record<string, string>) => books.call("HEAD", path, undefined, { headers })
    const tag = String((await get(path)).headers.get("etag"))
    const answer = await head({})
    expect([answer.status, answer.headers.get("etag"), answer.text]).toEqual([200, tag, ""])
    expect(answer.headers.get("cache-control")).toBe("private, no-cache")
    expect((await head({ "if-none-match": tag })).status).toBe(304)
  })

  it("is a tag that If-Match takes, by its version alone", async () => {
    const path = `/customers/${books.customer_id}`
    const tag = String((await get(path)).headers.get("etag"))
    const put = (match: string) => books.call("PUT", path, { notes: "changed" }, { headers: { "if-match": match } })
    expect((await put(tag)).status).toBe(200)
    expect((await put(tag)).status).toBe(412)
    expect((await get(path, { "if-none-match": tag })).status).toBe(200)
  })

  it("is taken as a weak tag too, which a compressing proxy makes of it", async () => {
    const path = `/customers/${books.customer_id}`
    const weak = `W/${(await get(path)).headers.get("etag")}`
    const put = () => books.call("PUT", path, { notes: "weakly changed" }, { headers: { "if-match": weak } })
    expect((await put()).status).toBe(200)
    expect((await put()).status).toBe(412)
  })

  it("means nothing on lists, files, writes and refusals, which are not kept", async () => {
    const headers = { "if-none-match": "*" }
    const answers = [
      await get("/customers", headers),
      await get(`/invoices/999999`, headers),
      await books.call("POST", "/customers", { name: "New" }, { headers })
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 201])
    for (const answer of answers) expect(answer.headers.get("cache-control")).toBe("no-store")
  })
})
