import { deflateSync, crc32 } from "node:zlib"
import sharp from "sharp"
import { describe, expect, it } from "vitest"
import { race, statuses, useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()

const drawing = (width: number, height: number, inner = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}">` +
  `<rect width="100%" height="100%" fill="#c00"/>${inner}</svg>`
const dataUrl = (type: string, bytes: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`

const red = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "#c00" } })

const chunk = (name: string, content: Buffer) => {
  const body = Buffer.concat([Buffer.from(name), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
/** A PNG of a few kilobytes that decompresses to 400 megapixels. */
const bomb = () => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(20_000, 0)
  head.writeUInt32BE(20_000, 4)
  head.set([1, 0], 8)
  const rows = deflateSync(Buffer.alloc(2_501 * 2_000))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))])
}

const opened = async () => {
  const books = await open()
  const path = `/organizations/${books.id}`
  const file = (headers: Record<string, string> = {}) =>
    fetch(`${app.url}/api/v1${path}/logo`, { headers: { authorization: `Bearer ${books.owner.token}`, ...headers } })
  const set = (logo: string | null) => books.call("PUT", path, { logo })
  return { books, path, file, set }
}

describe("PUT /api/v1/organizations/{id} with a logo", () => {
  it.each([
    ["SVG", "svg+xml", () => Promise.resolve(Buffer.from(drawing(1_200, 300))), [744, 186]],
    ["PNG", "png", () => red(90, 30).png().toBuffer(), [90, 30]],
    ["JPEG", "jpeg", () => red(100, 1_000).jpeg().toBuffer(), [25, 252]]
  ])(
    "stores a %s as a PNG of bounded size, which GET .../logo answers with its ETag",
    async (_, type, bytes, [width, height]) => {
      const { file, path, set } = await opened()
      const answer = await set(dataUrl(type, await bytes()))
      expect([answer.status, answer.body.data.logo]).toEqual([200, `/api/v1${path}/logo`])
      const served = await file()
      expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/png"])
      expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({ format: "png", width, height })
      const etag = served.headers.get("etag") ?? ""
      expect((await file({ "if-none-match": etag })).status).toBe(304)
      expect((await set(answer.body.data.logo)).body.data).toEqual(answer.body.data)
      expect((await file()).headers.get("etag")).toBe(etag)
      expect((await set(null)).body.data.logo).toBeNull()
      expect((await file()).status).toBe(404)
    }
  )

  it("is drawn each time when 30 requests set it at the same time", async () => {
    const { set } = await opened()
    const answers = await race(30, (index) => set(dataUrl("svg+xml", drawing(60, 20 + index))))
    expect(statuses(answers)).toEqual({ 200: 30 })
  })

  it("accepts a percent-encoded SVG, and draws nothing that the SVG refers to", async () => {
    const { file, set } = await opened()
    const outside = `<image xlink:href="${app.url}/health/live" width="9" height="9"/>
      <image xlink:href="file:///etc/hostname" width="9" height="9"/><script>alert(1)</script>`
    const svg = drawing(60, 20, outside)
    const answer = await set(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`)
    expect(answer.status).toBe(200)
    const { data } = await sharp(await (await file()).arrayBuffer())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    for (const pixel of data.toString("hex").match(/.{6}/g) ?? []) expect(pixel).toMatch(/^c[bc]0000$/)
  })

  it.each([
    ["a decompression bomb", () => dataUrl("png", bomb()), "has too many pixels."],
    ["a GIF", () => dataUrl("png", "GIF89a\u0001\u0000\u0001\u0000"), "must be a PNG, JPEG or SVG file."],
    ["a torn PNG", () => dataUrl("png", bomb().subarray(0, 60)), "."],
    ["an address", () => "https://example.com/logo.png", "must be a data: URL of a PNG, JPEG or SVG file."],
    ["another type", () => dataUrl("gif", "GIF89a"), "must be a data: URL of a PNG, JPEG or SVG file."],
    ["a large file", () => dataUrl("png", Buffer.alloc(512 * 1024 + 1)), "may not be larger than 524288 bytes."],
    ["an external entity", () => dataUrl("svg+xml", external), "cannot be read."],
    ["endless nesting", () => dataUrl("svg+xml", laughs()), "."]
  ])("refuses %s and changes nothing", async (_, url, sentence) => {
    const { books, path, set } = await opened()
    const before = await books.made("GET", path)
    const answer = await set(url())
    expect(answer.status).toBe(422)
    expect(answer.body.errors.logo[0]).toContain(sentence)
    expect(await books.made("GET", path)).toEqual(before)
  })

  it("hides the logo from other organizations", async () => {
    const [ours, theirs] = [await opened(), await opened()]
    await ours.set(dataUrl("svg+xml", drawing(10, 10)))
    const headers = { authorization: `Bearer ${theirs.books.owner.token}` }
    expect((await ours.file(headers)).status).toBe(404)
    expect((await theirs.set(`/api/v1${ours.path}/logo`)).status).toBe(422)
  })
})

const external = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing(9, 9, "<text>&x;</text>")}`

/** An SVG of 40 nested groups, each of which shows the next one twice. */
const laughs = () =>
  drawing(
    10,
    10,
    `<defs><g id="g0"><rect width="1" height="1"/></g>${Array.from(
      { length: 40 },
      (_, level) => `<g id="g${level + 1}"><use xlink:href="#g${level}"/><use xlink:href="#g${level}"/></g>`
    ).join("")}</defs><use xlink:href="#g40"/>`
  )
