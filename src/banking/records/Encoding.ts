import { Option, Result } from "effect"
import { InvalidStatement } from "./StatementErrors.ts"

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1"] as const
type Encoding = (typeof encodings)[number]

const head_bytes = 512

const byteOrderMark = (bytes: Uint8Array): Encoding | undefined => {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined
}

/** Recognizes UTF-16 without a byte order mark: Latin text in it has a zero in every other byte. */
const withoutMark = (bytes: Uint8Array): Encoding | undefined => {
  const head = bytes.subarray(0, head_bytes)
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < head.length / 4) return undefined
  return odd > even ? "utf-16le" : "utf-16be"
}

const decoded = (bytes: Uint8Array, encoding: Encoding): Option.Option<string> =>
  Result.getSuccess(Result.try(() => new TextDecoder(encoding, { fatal: true }).decode(bytes)))

/** The characters of the bytes from 0x80 on in code page 850, the encoding of DOS programs. */
const page_850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤" +
  "ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0"
/** Letters of code page 850 whose bytes in Windows-1252 are signs that are never next to a letter, such as "‡". */
const page_850_letters = new Set([0x81, 0x82, 0x87, 0x88, 0x89, 0x90])
/** Letters of code page 850 whose bytes in Windows-1252 are quotation marks, which are never inside a word. */
const page_850_inside = new Set([0x84, 0x8b, 0x93, 0x94])
const first_letter_1252 = 0xc0
const last_ascii = 0x7f

const isLetter = (byte: number | undefined): boolean => byte !== undefined && /[A-Za-z]/.test(String.fromCharCode(byte))

/** True if more bytes within words are letters only in code page 850 than are letters in Windows-1252. */
const isPage850 = (bytes: Uint8Array): boolean => {
  let dos = 0
  let windows = 0
  for (const [index, byte] of bytes.entries()) {
    if (byte <= last_ascii) continue
    const beside = [bytes[index - 1], bytes[index + 1]].filter(isLetter).length
    if (byte >= first_letter_1252) windows += beside === 2 ? 1 : 0
    else if (page_850_letters.has(byte)) dos += beside > 0 ? 1 : 0
    else if (page_850_inside.has(byte)) dos += beside === 2 ? 1 : 0
  }
  return dos > windows
}

const singleBytes = (bytes: Uint8Array): string =>
  isPage850(bytes) ? page850(bytes) : new TextDecoder("windows-1252").decode(bytes)

const page850 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("latin1")
    .replaceAll(/[\u0080-\u00ff]/g, (byte) => page_850.charAt(byte.charCodeAt(0) - last_ascii - 1))

/**
 * Decodes a file by its byte order mark, else by the encoding that the client names, else as UTF-16 or UTF-8 if it
 * fits, else as code page 850 if most letters fit it, else as Windows-1252, which accepts any bytes.
 */
export const textOf = (bytes: Uint8Array, named?: Encoding): Result.Result<string, InvalidStatement> => {
  const encoding = byteOrderMark(bytes) ?? named ?? withoutMark(bytes)
  const first = decoded(bytes, encoding ?? "utf-8")
  const text = encoding === undefined ? Option.orElse(first, () => Option.some(singleBytes(bytes))) : first
  if (Option.isNone(text)) return Result.fail(InvalidStatement.of(`it is not in ${encoding}`))
  return text.value.includes("\u0000")
    ? Result.fail(InvalidStatement.of("it is not a text"))
    : Result.succeed(text.value)
}

/**
 * Length of a piece of a long text, in bytes or characters. The XML events of a piece live until all of them are
 * handled. With longer pieces, V8 moves many events to its old generation, which it must then collect twice as often.
 */
const piece_length = 16_384

export function* piecesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length; start += piece_length) yield text.slice(start, start + piece_length)
}

export function* utf8Pieces(pieces: Iterable<Uint8Array>): Iterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for (const bytes of pieces) {
    for (let start = 0; start < bytes.length; start += piece_length) {
      yield decoder.decode(bytes.subarray(start, start + piece_length), { stream: true })
    }
  }
  yield decoder.decode()
}

/** True if the pieces are a text in UTF-8, by the rules of {@link textOf}. */
export const isUtf8Text = (pieces: Iterable<Uint8Array>, named?: Encoding): boolean => {
  const [head = new Uint8Array()] = pieces
  const encoding = byteOrderMark(head) ?? named ?? withoutMark(head) ?? "utf-8"
  if (encoding !== "utf-8") return false
  const isText = Result.try(() => {
    for (const text of utf8Pieces(pieces)) if (text.includes("\u0000")) return false
    return true
  })
  return Result.getOrElse(isText, () => false)
}
