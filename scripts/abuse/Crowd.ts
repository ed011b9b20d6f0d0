import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** The connections of one attack, and how each of them ended. */
export interface Crowd {
  readonly port: number
  readonly token: string
  readonly signal: AbortSignal
  readonly endings: Map<string, number>
}

export interface Plan {
  /** Connections at a time. */
  readonly connections: number
  /** New connections a second, the first ones and those in place of refused ones. */
  readonly per_second: number
  /** What a connection does once it is open, until it is closed. */
  readonly attack: (socket: Socket) => void | Promise<void>
}

/** Addresses of the loopback network: the honest client has another one. */
const attacker = "127.0.0.2"
const tick_ms = 20

export const count = (endings: Map<string, number>, ending: string) =>
  endings.set(ending, (endings.get(ending) ?? 0) + 1)

/** The status of the last answer, else how the connection went. */
const endingOf = (status: string | undefined, error: string | undefined) => {
  if (status !== undefined) return status
  if (error === "ECONNRESET" || error === "EPIPE") return "reset"
  return error ?? "closed"
}

const open = ({ endings, port, signal }: Crowd, attack: Plan["attack"]) =>
  new Promise<void>((resolve) => {
    let status: string | undefined
    let error: string | undefined
    const socket = connect({ port, host: "127.0.0.1", localAddress: attacker })
    const leave = () => socket.destroy()
    socket.once("connect", () => void attack(socket))
    socket.on("data", (chunk) => {
      const answers = chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/g)
      for (const [, found] of answers) status = found
    })
    socket.on("error", (failure: NodeJS.ErrnoException) => (error = failure.code))
    socket.once("close", () => {
      signal.removeEventListener("abort", leave)
      count(
        endings,
        signal.aborted && status === undefined && error === undefined ? "still open" : endingOf(status, error)
      )
      resolve()
    })
    signal.addEventListener("abort", leave, { once: true })
  })

/** Keeps so many connections open until the attack is over. */
export const besiege = async (crowd: Crowd, { attack, connections, per_second }: Plan) => {
  const opened = new Set<Promise<void>>()
  const started = performance.now()
  let made = 0
  while (!crowd.signal.aborted) {
    const due = ((performance.now() - started) / 1000) * per_second
    for (; made < due && opened.size < connections; made++) {
      const one = open(crowd, attack).then(() => void opened.delete(one))
      opened.add(one)
    }
    // What could not be opened is not made up for.
    made = Math.max(made, Math.floor(due))
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
