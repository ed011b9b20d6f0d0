import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"
import type { SeededOrganization } from "../../../support/database/Seed.ts"

const app = useApp()
const mebibyte = 1024 * 1024
const silence_ms = 60_000
let ours: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
})

const post = (body: string, headers: Record<string, string> = {}) =>
  app.call("POST", "/api/v1/customers", { token: ours.owner.token, organization: ours.id, body, headers })
const customers = async () =>
  (await app.call("GET", "/api/v1/customers", { token: ours.owner.token, organization: ours.id })).body.meta.total

const bodyOf = (bytes: number) => {
  const start = '{"name":"Beta","ignored":"'
  return `${start}${"x".repeat(bytes - start.length - 2)}"}`
}

/** A form of this many bytes, with as many fields as fit. */
const fields = (bytes: number) => "grant_type=none&".padEnd(bytes, "a=&")

const batch = (values: number) =>
  app.call("POST", "/api/v1/batch/invoices/send", {
    token: ours.owner.token,
    organization: ours.id,
    body: `{"invoice_ids":[${"0,".repeat(values)}0]}`
  })

const holding = (values: number) => `{"name":"Many","ignored":[${"1,".repeat(values)}1]}`

/** Builds the body as text, which is so fast that the connection does not time out meanwhile. */
const withKeys = (keys: number) => `{${Array.from({ length: keys }, (_, key) => `"k${key}":1,`).join("")}"name":"Beta"}`

const askForToken = async (body: string, headers: Record<string, string>) =>
  (await fetch(`${app.url}/oauth/token`, { method: "POST", headers, body })).status

const nested = (depth: number) => `{"name":"Beta","ignored":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`

interface Raw {
  readonly status: number
  readonly sent_bytes: number
}

/** Sends the head, then chunks while the server reads them. Ends when the answer comes or the connection closes. */
const stream = (head: ReadonlyArray<string>, chunk: Buffer, bytes_max: number, path = "/api/v1/customers") =>
  new Promise<Raw>((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1")
    let answer = ""
    let sent_bytes = 0
    const done = () => resolve({ status: Number(answer.split(" ", 2)[1] ?? 0), sent_bytes })
    const pump = () => {
      if (sent_bytes >= bytes_max || answer !== "") return
      sent_bytes += chunk.length
      if (socket.write(chunk)) setImmediate(pump)
    }
    socket.on("connect", () => {
      socket.write(`${[`POST ${path} HTTP/1.1`, "Host: localhost", ...head].join("\r\n")}\r\n\r\n`)
      pump()
    })
    socket.on("drain", pump)
    socket.on("data", (data) => {
      answer += data.toString("latin1")
      if (answer.includes("\r\n\r\n")) socket.destroy()
    })
    socket.on("error", (error) => (answer === "" ? reject(error) : done()))
    socket.on("close", done)
    socket.setTimeout(silence_ms, () => socket.destroy(new Error("The server neither answered nor hung up.")))
  })

const chunked = Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`)
const known = () => [`Authorization: Bearer ${ours.owner.token}`, `X-Organization-Id: ${ours.id}`]
const json = "Content-Type: application/json"

/** Returns a body with these bytes in the field `name`, after `before` bytes in another field. */
const named = (name: Buffer, before = 0) =>
  Buffer.concat([Buffer.from(`{"ignored":"${"x".repeat(before)}","name":"`), name, Buffer.from('"}')])

const sent = (body: Buffer) =>
  stream([...known(), json, `Content-Length: ${body.length}`, "Connection: close"], body, body.length)

describe("a request body", () => {
  it("may have 5 MiB, and is 413 beyond, with nothing written", async () => {
    expect((await post(bodyOf(5 * mebibyte))).status).toBe(201)
    const before = await customers()
    const { body, status } = await post(bodyOf(5 * mebibyte + 1))
    expect([status, body.code]).toEqual([413, "payload_too_large"])
    expect(await customers()).toBe(before)
  })

  it("of unknown length may also have 5 MiB, and is 413 beyond, with nothing written", async () => {
    const before = await customers()
    for (const [bytes, status] of [
      [5 * mebibyte, 201],
      [5 * mebibyte + 1, 413]
    ] as const) {
      const body = Buffer.from(`${bytes.toString(16)}\r\n${bodyOf(bytes)}\r\n0\r\n\r\n`)
      const head = [...known(), json, "Transfer-Encoding: chunked", "Connection: close"]
      expect([bytes, (await stream(head, body, body.length)).status]).toEqual([bytes, status])
    }
    expect(await customers()).toBe(before + 1)
  })

  it("without an end is cut off soon after 5 MiB", async () => {
    const { sent_bytes, status } = await stream(
      [...known(), json, "Transfer-Encoding: chunked"],
      chunked,
      64 * mebibyte
    )
    expect(status).toBe(413)
    expect(sent_bytes).toBeLessThan(16 * mebibyte)
  })

  it("without an end and without a caller is 401 before it is read", async () => {
    const { sent_bytes, status } = await stream([json, "Transfer-Encoding: chunked"], chunked, 64 * mebibyte)
    expect(status).toBe(401)
    expect(sent_bytes).toBeLessThan(16 * mebibyte)
  })

  it("that continues after its answer is not read further", async () => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1")
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    let answer = ""
    socket.on("data", (data) => (answer += data.toString("latin1"))).on("error", () => {})
    const pump = () => {
      while (!socket.destroyed && socket.write(chunked));
    }
    socket.on("drain", pump)
    socket.write("POST /api/v1/customers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    pump()
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(socket.bytesWritten).toBeLessThan(64 * mebibyte)
  })

  it("of JSON may hold 100,000 values, a batch half a million, and is 413 beyond, with nothing written", async () => {
    const before = await customers()
    expect((await post(holding(99_000))).status).toBe(201)
    const { body, status } = await post(holding(100_000))
    expect([status, body.code]).toEqual([413, "payload_too_large"])
    expect((await batch(499_000)).body.code).toBe("batch_too_large")
    expect((await batch(500_000)).body.code).toBe("payload_too_large")
    const commasInText = JSON.stringify({ name: "Text", ignored: ",".repeat(600_000) })
    expect((await post(commasInText)).status).toBe(201)
    expect(await customers()).toBe(before + 2)
  })

  it("of a form, or for /oauth, may have 16 KiB, and is 413 beyond", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const known = { authorization: `Bearer ${ours.owner.token}` }
    expect(await askForToken(fields(16 * 1024), form)).toBe(401)
    expect(await askForToken(fields(16 * 1024 + 1), form)).toBe(413)
    expect(await askForToken(fields(16 * 1024 + 1), { ...form, ...known })).toBe(413)
    expect(await askForToken(bodyOf(16 * 1024 + 1), { "content-type": "application/json" })).toBe(413)
  })

  it("of a stranger's form with 200,000 keys is 413 as soon as 16 KiB of it have arrived", async () => {
    const form = Buffer.from(Array.from({ length: 200_000 }, (_, key) => `k${key}=1`).join("&"))
    const head = ["Content-Type: application/x-www-form-urlencoded", `Content-Length: ${form.length}`]
    const start = form.subarray(0, 16 * 1024 + 1)
    // The rest of the body never comes, so a server that waited for it would not answer.
    expect((await stream(head, start, start.length, "/oauth/token")).status).toBe(413)
  })

  it("that announces ten terabytes is 413 immediately", async () => {
    const { status } = await stream([...known(), json, "Content-Length: 10995116277760"], Buffer.alloc(1, "{"), 1)
    expect(status).toBe(413)
  })

  it("may nest 64 deep, and is 400 beyond, except for a DELETE, which ignores its body", async () => {
    const created = (await post(nested(64))).body
    const to = { token: ours.owner.token, organization: ours.id, body: nested(65) }
    expect((await app.call("DELETE", `/api/v1/customers/${created.data.id}`, to)).status).toBe(200)
    for (const body of [nested(65), nested(200_000), `{"name":${"[".repeat(500_000)}`, '{"a":'.repeat(65)]) {
      const answer = await post(body)
      expect([answer.status, answer.body.code]).toEqual([400, "malformed_json"])
    }
    const bracketsInText = JSON.stringify({ name: `${"[".repeat(100)}\\"${"{".repeat(100)}` })
    expect((await post(bracketsInText)).status).toBe(201)
  })

  it("that nests too deeply or holds too much is refused before the rest of it has arrived", async () => {
    const head = [...known(), json, `Content-Length: ${5 * mebibyte}`]
    const deep = Buffer.from("[".repeat(100_000))
    expect((await stream(head, deep, deep.length)).status).toBe(400)
    const wide = Buffer.from(`[${"1,".repeat(600_000)}`)
    expect((await stream(head, wide, wide.length)).status).toBe(413)
  })

  it("of more than 64 KiB waits for earlier ones of the same caller, and is then read like any other", async () => {
    const before = await customers()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(bodyOf(200_000))))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(await customers()).toBe(before + 10)
  })

  it("that is not JSON is 400", async () => {
    for (const body of ["{", "{]", "nul", "{'name':'Beta'}", '{"name":"Beta",}', "NaN", '{"a":1}{"b":2}', "\u0000"]) {
      const answer = await post(body)
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, "malformed_json"])
    }
  })

  it("that is not UTF-8 is 400, whatever its size, and no name is stored in other letters", async () => {
    const before = await customers()
    const latin1 = Buffer.from("Café", "latin1")
    const cut = Buffer.from("Café").subarray(0, -1)
    for (const name of [latin1, cut, Buffer.from([0xed, 0xa0, 0x80])]) {
      for (const bytes of [0, 200_000])
        expect([name, bytes, (await sent(named(name, bytes))).status]).toEqual([name, bytes, 400])
    }
    expect((await sent(Buffer.concat([named(Buffer.from("x"), 200_000), cut]))).status).toBe(400)
    expect((await sent(latin1)).status).toBe(400)
    expect(await customers()).toBe(before)
    for (const bytes of [0, 200_000]) expect((await sent(named(Buffer.from("Café 東京 🍺"), bytes))).status).toBe(201)
  })

  it("that is JSON but no object is 422", async () => {
    for (const body of ["[]", "5", '"Beta"', "null", "true", ""]) {
      const answer = await post(body)
      expect([body, answer.status, answer.body.code]).toEqual([body, 422, "validation_failed"])
      expect(answer.body.errors).toEqual({ body: ["The body must be an object."] })
    }
  })

  it("of another media type is 415, so that no form of another site reaches the API", async () => {
    const before = await customers()
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/json",
      "application/json-patch+json",
      "application/vnd.api+json",
      "x"
    ]
    for (const type of types) {
      const { body, status } = await post('{"name":"Beta"}', { "content-type": type })
      expect([type, status, body.code]).toEqual([type, 415, "unsupported_media_type"])
      expect(body.message).toContain("send JSON as application/json")
    }
    expect(await customers()).toBe(before)
    for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
      expect((await post('{"name":"Beta"}', { "content-type": type })).status).toBe(201)
    }
  })

  it("that is compressed is 415, which says that no coding is accepted, with nothing written", async () => {
    const before = await customers()
    const body = gzipSync('{"name":"Beta"}')
    const form = gzipSync("grant_type=client_credentials")
    const json = "application/json"
    const headers = { authorization: `Bearer ${ours.owner.token}`, "x-organization-id": String(ours.id) }
    const sent = (path: string, type: string, coding: string, bytes: Uint8Array<ArrayBuffer>) =>
      fetch(`${app.url}${path}`, {
        method: "POST",
        headers: { ...headers, "content-type": type, "content-encoding": coding },
        body: bytes,
        signal: AbortSignal.timeout(silence_ms)
      })
    for (const answer of [
      await sent("/api/v1/customers", json, "gzip", body),
      await sent("/api/v1/customers", json, "identity, gzip", body),
      await sent("/api/v1/expenses/upload-receipt", "multipart/form-data; boundary=x", "gzip", body),
      await sent("/oauth/token", "application/x-www-form-urlencoded", "gzip", form)
    ]) {
      expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "identity"])
      expect(await answer.json()).toMatchObject({ success: false, code: "unsupported_content_encoding" })
    }
    expect(await customers()).toBe(before)
    // An empty body cannot be decompressed, so the header about its compression is ignored.
    expect((await sent("/api/v1/customers", json, "gzip", new Uint8Array())).status).toBe(422)
    const plain = new TextEncoder().encode('{"name":"Beta"}')
    for (const coding of ["identity", "Identity"]) {
      expect((await sent("/api/v1/customers", json, coding, plain)).status).toBe(201)
    }
  })

  it("may have 1,000 names in an object, and is 413 beyond, with nothing written", async () => {
    const before = await customers()
    expect((await post(withKeys(999))).status).toBe(201)
    for (const text of [withKeys(1_000), withKeys(200_000), `{"name":"In","list":[${withKeys(1_000)}]}`]) {
      const { body, status } = await post(text)
      expect([status, body.code]).toEqual([413, "payload_too_large"])
    }
    expect(await customers()).toBe(before + 1)
  })

  it("with names that JavaScript itself uses is read like any other", async () => {
    const { body, status } = await post('{"__proto__":{"name":"Proto"},"constructor":{},"name":"Own"}')
    expect([status, body.data.name]).toEqual([201, "Own"])
    expect((await post('{"__proto__":{"name":"Proto"}}')).status).toBe(422)
  })
})
