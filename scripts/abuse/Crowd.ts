import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export interface Crowd {
  readonly port: number
  readonly token: string
  readonly organization: number
  readonly invoice: number
  readonly bank_account: number
  /** Part of the loopback network (127.<network>.0.0) from which the connections of this attack come. */
  readonly network: number
  readonly signal: AbortSignal
  readonly endings: Map<string, number>
}

export type OneAttack = (socket: Socket) => void | Promise<void>

export interface Pace {
  readonly connections: number
  /** Number of addresses from which connections come in turn; 1 by default. */
  readonly addresses?: number
  /** New connections a second, both the first ones and those that replace refused ones. */
  readonly per_second: number
}

/** Interval at which new connections are opened; it is short so that they do not come in bursts. */
const tick_ms = 2
/** If this process falls behind, it skips the connections that were due longer ago than this, to avoid a burst. */
const late_ms_max = 6

const count = (endings: Map<string, number>, ending: string) => endings.set(ending, (endings.get(ending) ?? 0) + 1)

/** `left` is true if the attack was over and the attacker closed the connection. */
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

export const besiege = async (crowd: Crowd, { addresses = 1, connections, per_second }: Pace, attack: OneAttack) => {
  const opened = new Set<Promise<void>>()
  const started = performance.now()
  let made = 0
  while (!crowd.signal.aborted) {
    const due = ((performance.now() - started) / 1000) * per_second
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

/** Sends `chunk` again and again after `head`, as fast as the service reads. */
export const pour = (socket: Socket, head: string, chunk: Buffer) => {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on("drain", write)
  socket.write(head)
  write()
}

export const drip = async (socket: Socket, head: string, piece: () => string, every_ms: number) => {
  socket.write(head)
  while (!socket.destroyed) {
    await sleep(every_ms)
    if (!socket.destroyed) socket.write(piece())
  }
}
