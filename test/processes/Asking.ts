import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"

/** Time limit of an answer, which is long enough for a busy machine. */
export const answer_ms_max = 60_000

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Local address from which the request is sent. */
  readonly from?: string
}

export const ask = (base: string, method: string, path: string, { body, from, headers = {} }: Sending = {}) =>
  new Promise<{ readonly status: number; readonly headers: IncomingMessage["headers"]; readonly bytes: Buffer }>(
    (resolve, reject) => {
      const options = { method, headers, agent: false, timeout: answer_ms_max, localAddress: from ?? "127.0.0.1" }
      const sent = request(base + path, options, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject)
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) })
        })
      })
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer`))).on("error", reject)
      if (headers["expect"] === undefined) sent.end(body)
      else sent.once("continue", () => sent.end(body))
    }
  )

export const jsonOf = ({ bytes }: { readonly bytes: Buffer }) => JSON.parse(bytes.toString())

/** Sends bytes that may not be HTTP, and returns what arrives until the connection is closed. */
export const talk = async (port: number, text: string) => {
  const socket = connect(port, "127.0.0.1", () => socket.write(text))
  let answer = ""
  socket.setTimeout(answer_ms_max, () => socket.destroy(new Error("no answer")))
  socket.on("data", (chunk) => (answer += String(chunk)))
  await once(socket, "close")
  const [head = "", body = ""] = answer.split("\r\n\r\n")
  return { head, body }
}
