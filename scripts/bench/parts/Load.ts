import { connect } from "node:net"

/** Returns the text of a new HTTP request, with one character for each byte. */
export type NextRequest = () => string

interface Figures {
  readonly requests: number
  readonly failures: number
  readonly seconds: number
  readonly p50_ms: number
  readonly p99_ms: number
}

const message = (method: string, path: string, headers: Record<string, string>, payload: string) =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${payload.length}`,
    "",
    payload
  ].join("\r\n")

export const requestText = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  body === undefined
    ? message(method, path, headers, "")
    : message(method, path, { ...headers, "Content-Type": "application/json" }, JSON.stringify(body))

export const formText = (path: string, headers: Record<string, string>, fields: Record<string, string>) => {
  const type = { "Content-Type": "application/x-www-form-urlencoded" }
  return message("POST", path, { ...headers, ...type }, new URLSearchParams(fields).toString())
}

/** Returns the text of a request that uploads a file as the form field `receipt`. */
export const uploadText = (path: string, headers: Record<string, string>, file: Buffer) => {
  const part = [
    "--bench",
    'Content-Disposition: form-data; name="receipt"; filename="receipt.png"',
    "Content-Type: image/png",
    "",
    file.toString("latin1"),
    "--bench--",
    ""
  ].join("\r\n")
  return message("POST", path, { ...headers, "Content-Type": "multipart/form-data; boundary=bench" }, part)
}

const last_chunk = "\r\n0\r\n\r\n"

/** Returns the length of the first complete response in the buffer; 0 while it is incomplete. */
const responseLength = (text: string) => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return 0
  const head = text.slice(0, end)
  if (/transfer-encoding: chunked/i.test(head)) {
    const last = text.indexOf(last_chunk, end + 2)
    return last < 0 ? 0 : last + last_chunk.length
  }
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

/** Keeps `connections` busy with one request each for `seconds`. Raw sockets make the client cheap. */
export const load = async (port: number, next: NextRequest, connections: number, seconds: number): Promise<Figures> => {
  const started = performance.now()
  const until = started + seconds * 1000
  const durations: Array<number> = []
  let failures = 0
  const worker = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1")
      let buffer = ""
      let sent = 0
      const send = () => {
        sent = performance.now()
        socket.write(next(), "latin1")
      }
      socket.setEncoding("latin1").setNoDelay(true)
      socket.once("connect", send).once("error", reject)
      socket.on("data", (chunk: string) => {
        buffer += chunk
        const length = responseLength(buffer)
        if (length === 0 || buffer.length < length) return
        // A success is 2xx, or 303 after a form.
        if (buffer[9] !== "2" && !buffer.startsWith("303", 9)) failures++
        buffer = buffer.slice(length)
        const now = performance.now()
        durations.push(now - sent)
        if (now < until) send()
        else {
          socket.destroy()
          resolve()
        }
      })
    })
  await Promise.all(Array.from({ length: connections }, worker))
  const sorted = durations.toSorted((a, b) => a - b)
  return {
    requests: durations.length,
    failures,
    seconds: (performance.now() - started) / 1000,
    p50_ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0
  }
}
