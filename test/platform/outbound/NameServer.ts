import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import { once } from "node:events"

/** A time limit that is longer than any request in a test. */
const lookup_timeout_ms = 60_000

const types = new Map([
  [1, "A"],
  [28, "AAAA"]
])

/** The name "silent" gets no reply at all. */
type Answers = (name: string, type: "A" | "AAAA") => ReadonlyArray<string>

/** A name server over real UDP (RFC 1035) whose answers the test chooses, with a time to live of zero. */
export const nameServer = Effect.fnUntraced(function* (answers: Answers) {
  const questions: Array<string> = []
  const socket = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = createSocket("udp4").bind(0, "127.0.0.1")
      await once(opened, "listening")
      return opened
    }),
    (opened) => Effect.sync(() => opened.close())
  )
  socket.on("message", (query, sender) => {
    const { end, name, type } = questionOf(query)
    questions.push(`${name} ${type}`)
    if (name.startsWith("silent")) return
    const addresses = type === "A" || type === "AAAA" ? answers(name, type) : []
    socket.send(answer(query, end, addresses), sender.port, sender.address)
  })
  const resolver = new Resolver({ timeout: lookup_timeout_ms, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolver, questions }
})

const header_bytes = 12

const questionOf = (query: Buffer) => {
  const labels: Array<string> = []
  let at = header_bytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join("."), type: types.get(query.readUInt16BE(at + 1)), end: at + 5 }
}

const answer = (query: Buffer, end: number, addresses: ReadonlyArray<string>) => {
  const header = Buffer.from(query.subarray(0, header_bytes))
  // These flags mean: a response, authoritative, recursion available, no error.
  header.writeUInt16BE(0x8580, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, query.subarray(header_bytes, end), ...addresses.map(record)])
}

/** Builds a record: a pointer to the question's name, the type, the class IN, a time to live of 0, and the data. */
const record = (address: string) => {
  const data = address.includes(":") ? bytesOfV6(address) : Buffer.from(address.split(".").map(Number))
  const start = Buffer.from([0xc0, header_bytes, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([start, data])
}

/** Converts an address as the URL parser writes it: hexadecimal groups, `::` at most once. */
const bytesOfV6 = (address: string) => {
  const [head = [], tail = []] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0")
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, "0")).join(""), "hex")
}
