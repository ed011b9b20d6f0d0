export interface MailHead {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly date: string
}

export interface MailContent extends MailHead {
  readonly text: string
  readonly attachments: ReadonlyArray<{ readonly filename: string; readonly size_bytes: number }>
}

/** Maximum nesting of the MIME parts in a message that `mailText` writes. */
const depth_max = 3

/** Reads the header of a message that `mailText` wrote; `bytes` may end anywhere after the header. */
export const readHead = (bytes: Uint8Array): MailHead => headOf(headersOf(latin1(bytes)))

/** Reads a message that `mailText` wrote: its text and its attachments. Other parts of MIME are not supported. */
export const readMail = (bytes: Uint8Array): MailContent => {
  const message = latin1(bytes)
  const parts = partsOf(message, depth_max)
  const text = parts.find((part) => !isFile(part) && part.headers("content-type").startsWith("text/plain"))
  return {
    ...headOf(headersOf(message)),
    text: text === undefined ? "" : utf8(contentOf(text)).replaceAll("\r\n", "\n"),
    attachments: parts.filter(isFile).map((part) => ({
      filename: words(parameter(part.headers("content-type"), "name")),
      size_bytes: contentOf(part).length
    }))
  }
}

type Headers = (name: string) => string

interface Part {
  readonly headers: Headers
  readonly body: string
}

const isFile = ({ headers }: Part) => headers("content-disposition").startsWith("attachment")

const headOf = (headers: Headers): MailHead => ({
  from: words(headers("from")),
  to: words(headers("to")),
  subject: words(headers("subject")),
  date: headers("date")
})

/** Makes a function that returns the first header field of a name, in one line (RFC 5322, 2.2), or an empty text. */
const headersOf = (message: string): Headers => {
  const lines = (message.split("\r\n\r\n", 1)[0] ?? "").replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")
  return (name) => {
    const line = lines.find((line) => line.toLowerCase().startsWith(`${name}:`))
    return line?.slice(name.length + 1).trim() ?? ""
  }
}

const partsOf = (entity: string, depth: number): ReadonlyArray<Part> => {
  const headers = headersOf(entity)
  const start = entity.indexOf("\r\n\r\n")
  const body = start < 0 ? "" : entity.slice(start + 4)
  const boundary = parameter(headers("content-type"), "boundary")
  if (boundary === "" || depth === 0) return [{ headers, body }]
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1)
  return pieces.flatMap((piece) => (piece.startsWith("--") ? [] : partsOf(piece.replace(/^\s*?\r\n/, ""), depth - 1)))
}

const parameter = (header: string, name: string): string => {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]*))`, "i").exec(header) ?? []
  return quoted ?? bare ?? ""
}

const contentOf = ({ body, headers }: Part): Buffer => {
  const encoding = headers("content-transfer-encoding").toLowerCase()
  if (encoding === "base64") return Buffer.from(body, "base64")
  return Buffer.from(encoding === "quoted-printable" ? unquoted(body.replaceAll(/=\r\n/g, "")) : body, "latin1")
}

/** Decodes encoded words (RFC 2047). Adjacent words are decoded together, because they may share a character. */
const words = (header: string): string => {
  const word = /=\?utf-8\?([qb])\?([^?]*)\?=/gi
  return header.replaceAll(/=\?utf-8\?[qb]\?[^?]*\?=(?:\s+=\?utf-8\?[qb]\?[^?]*\?=)*/gi, (neighbours) =>
    utf8(Buffer.concat([...neighbours.matchAll(word)].map(([, kind = "", text = ""]) => wordOf(kind, text))))
  )
}

const wordOf = (kind: string, text: string): Buffer =>
  kind.toLowerCase() === "b" ? Buffer.from(text, "base64") : Buffer.from(unquoted(text.replaceAll("_", " ")), "latin1")

const unquoted = (text: string): string =>
  text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

const utf8 = (bytes: Buffer): string => bytes.toString("utf8")
