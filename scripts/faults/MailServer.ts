import { Effect } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { SMTPServer } from "smtp-server"

/** How it is out of order: nobody listens, nobody speaks, the connection is lost within the message, or "not now". */
export const mailFailures = ["refused", "hanging", "dropping", "deferring"] as const
type MailFailure = (typeof mailFailures)[number]

/** Part of the silence that the service is told to bear, so that a hanging server costs a round little. */
export const silence_ms = 1_500

/** An SMTP server that can fail, and remembers whom it took responsibility for a message to. */
export interface MailServer {
  readonly port: number
  /** Addresses of accepted messages, once for each message. */
  readonly accepted: ReadonlyArray<string>
  readonly fail: (how: MailFailure) => Promise<void>
  readonly recover: () => Promise<void>
}

export const mailServer = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ stop }) => Effect.promise(stop)
)

const start = async () => {
  const accepted: Array<string> = []
  const sockets = new Set<Socket>()
  let failing: MailFailure | undefined

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: (_address, _session, done) =>
      failing === "deferring" ? done(Object.assign(new Error("come back later"), { responseCode: 451 })) : done(),
    onData: (stream, session, done) => {
      stream.on("data", () => failing === "dropping" && drop())
      stream.on("end", () => {
        // From here on the message is ours: whoever hears of it has the right to call it delivered.
        accepted.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    }
  })
  smtp.on("error", () => undefined)
  // A front of our own, because it can refuse connections and keep quiet.
  const front = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined)
    if (failing !== "hanging") smtp.server.emit("connection", socket)
  })
  await listen(front, 0)
  const address = front.address()
  const port = address !== null && typeof address === "object" ? address.port : 0

  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const close = async () => {
    if (!front.listening) return
    const closed = new Promise<void>((resolve) => front.close(() => resolve()))
    drop()
    await closed
  }

  return {
    port,
    accepted,
    fail: async (how: MailFailure) => {
      failing = how
      if (how === "refused") await close()
      if (how === "hanging") drop()
    },
    recover: async () => {
      const was = failing
      failing = undefined
      if (was === "hanging") drop()
      if (!front.listening) await listen(front, port)
    },
    stop: close
  }
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve())
  })
