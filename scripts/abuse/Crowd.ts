import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** The connections of one attack, what they were answered, and how each of them ended. */
export interface Crowd {
  readonly port: number
  readonly token: string
  /** The token's own, and an invoice of it. */
  readonly organization: number
  readonly invoice: number
  /** Of the loopback network, 127.<network>.0.0: whom the attacker is taken for without a token. */
  readonly network: number
  readonly signal: AbortSignal
  readonly endings: Map<string, number>
}

/** What a connection does once it is open, until it is closed. */
export type OneAttack = (socket: Socket) => void | Promise<void>

export interface Pace {
  /** Connections at a time. */
  readonly connections: number
  /** Addresses that they come from, in turn; one unless said otherwise. */
  readonly addresses?: number
  /** New connections a second, the first ones and those in place of refused ones. */
  readonly per_second: number
}

/** Connections come evenly, as they do from a network, and not as one burst after the other. */
const tick_ms = 2
/** So much is made up for of what a busy machine kept from being opened in time: more would be such a burst. */
const late_ms_max = 6

const count = (endings: Map<string, number>, ending: string) => endings.set(ending, (endings.get(ending) ?? 0) + 1)

/** A connection that the service closed counts as open until this process gets round to seeing so. */
const endingOf = (connected: boolean, left: boolean, error: string | undefined) => {
  if (error === "ECONNRESET" || error === "EPIPE") return "reset"
  if (error !== undefined) return error
  if (!left) return "closed"
  return connected ? "still open" : "never let in"
}

const open = ({ endings, port, signal }: Crowd, localAddress: string, attack: OneAttack) =>
  new Promise<void>((resolve) => {
    let connected = false
    let error: string | undefined
    const socket = connect({ port, host: "127.0.0.1", localAddress })
    const leave = () => socket.destroy()
    socket.once("connect", () => {
      connected = true
      void attack(socket)
    })
    socket.on("data", (chunk) => {
      const answers = chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/g)
      for (const [, status = ""] of answers) count(endings, status)
    })
    socket.on("error", (failure: NodeJS.ErrnoException) => (error = failure.code))
    socket.once("close", () => {
      signal.removeEventListener("abort", leave)
      count(endings, endingOf(connected, signal.aborted, error))
      resolve()
    })
    signal.addEventListener("abort", leave, { once: true })
  })

/** Keeps so many connections open until the attack is over. */
export const besiege = async (crowd: Crowd, { addresses = 1, connections, per_second }: Pace, attack: OneAttack) => {
  const opened = new Set<Promise<void>>()
  const started = performance.now()
  let made = 0
  while (!crowd.signal.aborted) {
    const due = ((performance.now() - started) / 1000) * per_second
    // What could not be opened is not made up for.
    made = Math.max(made, Math.floor(due - (per_second * late_ms_max) / 1000))
    for (; made < due && opened.size < connections; made++) {
      const address = `127.${crowd.network}.0.${1 + (made % addresses)}`
      const one = open(crowd, address, attack).then(() => void opened.delete(one))
      opened.add(one)
    }
    await sleep(tick_ms)
  }
  await Promise.all(opened)
}

/** Writes without end, as fast as the other side reads. */
export const pour = (socket: Socket, head: string, chunk: Buffer) => {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on("drain", write)
  socket.write(head)
  write()
}

/** Writes one piece, and another one every so often. */
export const drip = async (socket: Socket, head: string, piece: () => string, every_ms: number) => {
  socket.write(head)
  while (!socket.destroyed) {
    await sleep(every_ms)
    if (!socket.destroyed) socket.write(piece())
  }
}
