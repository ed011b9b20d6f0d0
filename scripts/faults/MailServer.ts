import { Effect } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { SMTPServer } from "smtp-server"

/**
 * The server refuses connections, is silent, drops the connection in a message, or refuses recipients for now (451).
 */
export const mailFailures = ["refused", "hanging", "dropping", "deferring"] as const
type MailFailure = (typeof mailFailures)[number]

/** The service's timeout for a mail server that does not reply, set short so that it does not delay a round. */
export const silence_ms = 1_500

/** An SMTP server that can fail, and that records the recipients of the messages it accepted. */
export interface MailServer {
  readonly port: number
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
        // From here on the mail server is responsible for the message, so the service may report it as delivered.
        accepted.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    }
  })
  smtp.on("error", () => undefined)
  // The service connects to this TCP server, which can refuse connections or stay silent in front of the SMTP server.
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
