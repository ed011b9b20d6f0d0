import { type Answer, decode, encode, type RecordType } from "dns-packet"
import { createSocket } from "node:dgram"

/** The server's answer about a name: records, a failure, or no answer at all. */
type Entry = ReadonlyArray<Omit<NaptrData, "order" | "preference"> & Partial<NaptrData>> | "SERVFAIL" | "silence"

interface NaptrData {
  readonly order: number
  readonly preference: number
  readonly flags: string
  readonly services: string
  readonly regexp: string
  readonly replacement: string
}

const rcodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 }
const naptr: RecordType = "NAPTR"

/** The record that states the address of a participant's SMP in Peppol. */
export const smpAt = (url: string, services = "Meta:SMP") => ({
  flags: "U",
  services,
  regexp: `!.*!${url}!`,
  replacement: ""
})

/** A DNS server on the loopback interface, built on the packets of `dns-packet`. */
export const nameServer = async () => {
  const entries = new Map<string, Entry>()
  const asked: Array<string> = []
  const socket = createSocket("udp4")
  socket.on("message", (message, { address, port }) => {
    const query = decode(message)
    const question = query.questions?.[0]
    const name = question?.name.toLowerCase() ?? ""
    asked.push(name)
    const entry = entries.get(name)
    if (entry === "silence") return
    const answers: ReadonlyArray<Answer> = Array.isArray(entry)
      ? entry.map((data) => ({ name, type: naptr, ttl: 60, data: { order: 100, preference: 10, ...data } }))
      : []
    const code = entry === undefined ? "NXDOMAIN" : entry === "SERVFAIL" ? "SERVFAIL" : "NOERROR"
    const packet = { id: query.id, type: "response" as const, flags: rcodes[code], questions: query.questions, answers }
    socket.send(encode({ ...packet, questions: query.questions ?? [], answers: [...answers] }), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  const { port } = socket.address()
  return {
    address: `127.0.0.1:${port}`,
    entries,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve()))
  }
}
