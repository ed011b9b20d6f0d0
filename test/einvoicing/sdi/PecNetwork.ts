import { randomUUID } from "node:crypto"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SMTPServer, type SMTPServerSession } from "smtp-server"
import { makeSigner } from "../received/SignedFile.ts"
import { certified, mail } from "./CertifiedMail.ts"
import { dovecot } from "./Dovecot.ts"
import { sdiNotice } from "./SdiNotices.ts"

/** The way in which the network fails for the next mail of the organization. */
export type Fault =
  | "login_refused"
  | "busy"
  | "rejected"
  | "lost_before"
  | "lost_after"
  | "lost_without_receipt"
  | "stopped_after"

const password = "secret"
export const first_address = "sdi01@pec.fatturapa.it"
export const assigned_address = "sdi37@pec.fatturapa.it"

interface Arrived {
  readonly to: string
  readonly name: string
  readonly bytes: Buffer
  readonly sdi_id: string
}

interface Letter {
  readonly from: string
  readonly to: string
  readonly raw: string
  readonly message_id: string
  readonly subject: string
}

/**
 * Simulates a provider of certified mail (SMTP, and IMAP by Dovecot) and, behind it, the Sistema di Interscambio, which
 * refuses duplicates.
 */
export const pecNetwork = async () => {
  const imap = await dovecot(password)
  const provider = makeSigner()
  const faults: Array<Fault> = []
  /** The files that the SdI accepted, and those that it refused. */
  const issued: Array<Arrived> = []
  const refused: Array<Arrived> = []
  const held: Array<Letter> = []
  const notices: Array<string> = []
  const sockets = new Map<string, Socket>()
  const state = { sends: 0, stop: () => {}, alter: (raw: string) => raw }

  const receipt = ({ from, message_id, subject, to }: Letter, type: string, error?: string) => {
    const certificate = { type, sender: from, recipient: to, subject, message_id, ...(error ? { error } : {}) }
    const headers = {
      From: "posta-certificata@gestore.example",
      To: from,
      Subject: `${type.toUpperCase()}: ${subject}`,
      "X-Ricevuta": type,
      "X-Riferimento-Message-ID": `<${message_id}>`
    }
    imap.deliver(from, certified(provider.p7s, certificate, headers))
  }

  /** Delivers a mail of `sender` in an envelope of the provider. */
  const bring = (to: string, sender: string, original: string, headers: Readonly<Record<string, string>>) => {
    const certificate = { type: "posta-certificata", sender, recipient: to, subject: "Messaggio", message_id: "m@sdi" }
    const envelope = {
      From: `"Per conto di: ${sender}" <posta-certificata@gestore.example>`,
      "Reply-To": sender,
      To: to,
      Subject: "POSTA CERTIFICATA: Messaggio",
      "X-Trasporto": "posta-certificata",
      ...headers
    }
    imap.deliver(to, state.alter(certified(provider.p7s, certificate, envelope, original)))
  }

  interface Attached {
    readonly name: string
    readonly content: string | Uint8Array
  }
  const fromSdi = (to: string, files: ReadonlyArray<Attached>, sender = assigned_address, headers = {}) =>
    bring(
      to,
      sender,
      mail(
        { From: sender, To: to, Subject: "Invio File", "Message-ID": `<${randomUUID()}@sdi>` },
        `Per i successivi invii utilizzare l'indirizzo ${assigned_address}.`,
        files.map((file) => ({ ...file, type: "application/xml" }))
      ),
      headers
    )

  const notify = (
    to: string,
    file: Pick<Arrived, "name" | "bytes" | "sdi_id">,
    code: Parameters<typeof sdiNotice>[0],
    errors: Parameters<typeof sdiNotice>[3] = []
  ) => {
    const notice = sdiNotice(code, file, randomUUID(), errors)
    notices.push(notice)
    fromSdi(to, [{ name: `${file.name.replace(/\.xml.*$/, "")}_${code.slice(0, 2)}_001.xml`, content: notice }])
    return notice
  }

  /** Checks a file like the SdI, and accepts it unless a check fails. */
  const examine = (letter: Letter) => {
    receipt(letter, "avvenuta-consegna")
    const { bytes, name } = attachmentOf(letter.raw)
    const file = { to: letter.to, name, bytes, sdi_id: String(1_000 + issued.length + refused.length) }
    const [transmitter] = /(?<=<IdTrasmittente><IdPaese>IT<\/IdPaese><IdCodice>)\w+/.exec(String(bytes)) ?? []
    const key = identityOf(String(bytes))
    const errors: ReadonlyArray<readonly [boolean, string, string]> = [
      [!new RegExp(`^IT${transmitter}_[A-Za-z0-9]{1,5}\\.xml(\\.p7m)?$`).test(name), "00001", "Nome file non valido"],
      [String(bytes).includes(">FPA12<") && !isSigned(file), "00102", "File non firmato"],
      [[...issued, ...refused].some((one) => one.name === name), "00002", "Nome file duplicato"],
      [issued.some((one) => identityOf(String(one.bytes)) === key), "00404", "Fattura duplicata"]
    ]
    const found = errors.find(([isBroken]) => isBroken)
    if (found === undefined) return void issued.push(file)
    refused.push(file)
    notify(letter.from, file, "NS", [[found[1], found[2]]])
  }

  const carry = (letter: Letter) => {
    receipt(letter, "accettazione")
    examine(letter)
  }

  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ password: given, username }, _session, done) => {
      if (faults[0] === "login_refused") faults.shift()
      else if (given === password) return done(null, { user: username ?? "" })
      done(Object.assign(new Error("authentication failed"), { responseCode: 535 }))
    },
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        state.sends++
        const drop = () => sockets.get(keyOf(session))?.destroy()
        const letter = letterOf(session, Buffer.concat(chunks).toString("latin1"))
        const fault = faults.shift()
        if (fault === "busy") return done(Object.assign(new Error("come back later"), { responseCode: 451 }))
        if (fault === "rejected") return done(Object.assign(new Error("mailbox suspended"), { responseCode: 554 }))
        if (fault === "lost_before") return drop()
        if (fault === "lost_without_receipt") {
          held.push(letter)
          return drop()
        }
        carry(letter)
        if (fault === "lost_after") return drop()
        if (fault === "stopped_after") return state.stop()
        done()
      })
    }
  })
  server.on("error", () => undefined)
  server.server.on("connection", (socket: Socket) => {
    sockets.set(`${socket.remoteAddress}:${socket.remotePort}`, socket)
    socket.on("error", () => undefined)
  })
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", () => listening()))
  const address = server.server.address()
  const smtp_port = typeof address === "object" && address !== null ? address.port : 0

  return {
    imap,
    /** The certificate of the authority that issued the provider's certificate. */
    authority: provider.authority,
    faults,
    issued,
    refused,
    notices,
    state,
    fromSdi,
    notify,
    /** Delivers the mails that the provider accepted but held back without an answer. */
    release: () => held.splice(0).forEach(examine),
    settings: (pec_address: string) => ({
      pec_address,
      smtp_host: "127.0.0.1",
      smtp_port: String(smtp_port),
      smtp_security: "none",
      smtp_password: password,
      imap_host: "127.0.0.1",
      imap_port: String(imap.port),
      imap_security: "none"
    }),
    close: async () => {
      for (const socket of sockets.values()) socket.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
      await imap.close()
      provider.close()
    }
  }
}

/** True if openssl or xmlsec1 verifies the signature of the file. */
const isSigned = ({ bytes, name }: Arrived) => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-sdi-file-"))
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const properties = ["--id-attr:Id", "http://uri.etsi.org/01903/v1.3.2#:SignedProperties"]
  const [program, ...args] = name.endsWith(".p7m")
    ? ["openssl", "cms", "-verify", "-binary", "-noverify", "-inform", "DER", "-in", path, "-out", "/dev/null"]
    : ["xmlsec1", "--verify", "--insecure", ...properties, path]
  const { status } = spawnSync(program ?? "", args)
  rmSync(folder, { recursive: true })
  return status === 0
}

const keyOf = ({ remoteAddress, remotePort }: SMTPServerSession) => `${remoteAddress}:${remotePort}`

const letterOf = ({ envelope }: SMTPServerSession, raw: string): Letter => {
  const unfolded = raw.replaceAll(/\r\n[ \t]+/g, " ")
  const header = (name: string) => new RegExp(`^${name}: (.*?)\\r?$`, "im").exec(unfolded)?.[1] ?? ""
  return {
    from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    to: envelope.rcptTo[0]?.address ?? "",
    raw,
    message_id: header("Message-ID").replace(/^<|>$/g, ""),
    subject: header("Subject")
  }
}

const attachmentOf = (raw: string) => {
  const [, name = "", content = ""] =
    /filename="?([^"\r\n]+)"?\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(raw) ?? []
  return { name, bytes: Buffer.from(content, "base64") }
}

/** Seller, type and number identify a document; the SdI refuses a second one with the error 00404. */
const identityOf = (xml: string) =>
  ["IdCodice", "TipoDocumento", "Numero"].map((tag) => new RegExp(`<${tag}>([^<]*)`).exec(xml)?.[1]).join("/")
