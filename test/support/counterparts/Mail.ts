import { Option, Redacted } from "effect"
import type { Socket } from "node:net"
import { SMTPServer, type SMTPServerSession } from "smtp-server"
import { afterAll, beforeEach } from "vitest"
import type { Answer } from "../App.ts"
import { until } from "./Receiver.ts"

interface ReceivedMail {
  readonly to: string
  readonly raw: string
  readonly header: (name: string) => string | undefined
  readonly text: string
  readonly html: string
  readonly link: string
}

/**
 * A real SMTP server for one test file. The recipient chooses its behaviour: `unknown...` is refused with 550;
 * `grey...` with 451 until `endGreylisting`, and `greydata...` with 450 after the message; `hang...` gets no answer; `drop...` breaks the connection within the message; `lost...` accepts
 * the first message and breaks the connection; `held...` waits for `release`, and `held-unknown...` is then refused;
 * `slow...` takes a moment.
 */
export const smtp = async () => {
  const received: Array<ReceivedMail> = []
  /** Connections on which a message waits for its answer. */
  const busy = new Set<string>()
  let at_once_max = 0
  let held = 0
  let released = Promise.withResolvers<void>()
  const release = () => released.resolve()
  const sockets = new Map<string, Socket>()
  const lost = new Set<string>()
  let isGreylisting = true
  let isDown = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith("unknown")) return done(refusal(550, "mailbox unknown"))
      if (isGreylisting && address.startsWith("grey@")) return done(refusal(451, "greylisted, come back later"))
      if (address.startsWith("hang")) return
      if (address.startsWith("slow")) return void setTimeout(done, Math.random() * moment_ms_max)
      done()
    },
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0]?.address ?? ""
      busy.add(key(session))
      at_once_max = Math.max(at_once_max, busy.size)
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        if (to.startsWith("drop")) sockets.get(key(session))?.destroy()
      })
      const isRefused = to.startsWith("held-unknown")
      const end = () => {
        busy.delete(key(session))
        if (isRefused) return done(refusal(550, "mailbox unknown"))
        if (isGreylisting && to.startsWith("greydata")) return done(refusal(450, "come back later"))
        received.push(mail(to, Buffer.concat(chunks).toString("utf8")))
        if (to.startsWith("slow")) return void setTimeout(done, Math.random() * moment_ms_max)
        if (!to.startsWith("lost") || lost.has(to)) return done()
        lost.add(to)
        sockets.get(key(session))?.destroy()
      }
      stream.on("end", async () => {
        if (!to.startsWith("held")) return end()
        // Sends a reply of many lines, during which the sender does not time out.
        held++
        const line = `${isRefused ? 550 : 250}-not yet\r\n`
        const waiting = setInterval(() => sockets.get(key(session))?.write(line), hold_interval_ms)
        await released.promise
        clearInterval(waiting)
        held--
        end()
      })
    }
  })
  server.on("error", () => undefined)
  server.server.on("connection", (socket: Socket) => {
    if (isDown) return void socket.destroy()
    const name = `${socket.remoteAddress}:${socket.remotePort}`
    sockets.set(name, socket)
    socket.on("error", () => undefined)
    socket.on("close", () => void busy.delete(name))
  })
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", () => listening()))
  afterAll(() => {
    for (const socket of sockets.values()) socket.destroy()
    return new Promise<void>((closed) => server.close(() => closed()))
  })
  beforeEach(() => {
    received.length = 0
    at_once_max = 0
    held = 0
    lost.clear()
    isGreylisting = true
    isDown = false
    released = Promise.withResolvers()
  })
  const address = server.server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const url = `smtp://127.0.0.1:${port}?socketTimeout=${silence_ms}`
  return {
    received,
    url,
    atOnce: () => busy.size,
    /** Number of messages that the server has received completely and not answered. */
    held: () => held,
    atOnceMax: () => at_once_max,
    /** Lets the server answer the messages to all `held...` recipients. */
    release,
    /** Holds the messages to all `held...` recipients again, after a release. */
    holdAgain: () => void (released = Promise.withResolvers()),
    /** From now on, the server accepts the messages to all `grey...` recipients. */
    endGreylisting: () => void (isGreylisting = false),
    /** Breaks all connections, also new ones until `restart`. */
    stop: () => {
      isDown = true
      for (const socket of sockets.values()) socket.destroy()
    },
    restart: () => void (isDown = false),
    /** Returns the answers of simultaneous sends, the first of which is held until all others are refused. */
    overtaken: async (count: number, send: () => Promise<Answer>) => {
      released = Promise.withResolvers()
      let refused = 0
      const answers = Array.from({ length: count }, async () => {
        const answer = await send()
        if (answer.status === 409) refused++
        return answer
      })
      await until("the refusals of all others", () => (refused === count - 1 ? true : undefined))
      release()
      return Promise.all(answers)
    },
    settings: { smtpUrl: Option.some(Redacted.make(url)) }
  }
}

/** Returns the delivery to a recipient whose message the mail server received and did not confirm. */
export const unconfirmed = (recipient: string) => ({
  recipient,
  status: "unknown",
  code: "unconfirmed",
  error: "The mail server did not confirm the message; it may have been delivered."
})

/** Timeout for a hanging server, long enough that other servers do not time out while the test process is busy. */
const silence_ms = 5_000
const hold_interval_ms = 200
const moment_ms_max = 60

const key = (session: SMTPServerSession) => `${session.remoteAddress}:${session.remotePort}`

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

const mail = (to: string, raw: string): ReceivedMail => {
  const [head = ""] = raw.split("\r\n\r\n", 1)
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, " ")
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(unfolded)?.[1]
  const text = part(raw, "text/plain")
  return { to, raw, header, text, html: part(raw, "text/html"), link: /https?:\S+\/d\/\S+/.exec(text)?.[0] ?? "" }
}

/** Returns the content of the first MIME part of this type, decoded from quoted-printable or base64. */
const part = (raw: string, type: string): string => {
  const start = raw.indexOf(`Content-Type: ${type}`)
  if (start < 0) return ""
  const head = raw.slice(start, raw.indexOf("\r\n\r\n", start))
  const body = raw.slice(start + head.length + 4).split("\r\n--", 1)[0] ?? ""
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8")
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString("utf8")
}
