import { connect } from "node:net"

/** One HTTP request as it goes over the wire, made anew for each call. */
export type NextRequest = () => string

export interface Figures {
  readonly requests: number
  readonly failures: number
  readonly seconds: number
  readonly p99_ms: number
}

export const requestText = (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
  const payload = body === undefined ? "" : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(payload === "" ? [] : ["Content-Type: application/json"]),
    `Content-Length: ${Buffer.byteLength(payload)}`
  ]
  return `${lines.join("\r\n")}\r\n\r\n${payload}`
}

/** Bytes of the first complete response in the buffer; 0 while it is incomplete. */
const responseLength = (text: string) => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return 0
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return end + 4 + Number(length ?? 0)
}

/** Keeps `connections` busy with one request each for `seconds`; a raw socket, so that the client costs little. */
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
        socket.write(next())
      }
      socket.setEncoding("latin1").setNoDelay(true)
      socket.once("connect", send).once("error", reject)
      socket.on("data", (chunk: string) => {
        buffer += chunk
        const length = responseLength(buffer)
        if (length === 0 || buffer.length < length) return
        if (buffer.charCodeAt(9) !== 0x32) failures++
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
    p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0
  }
}
