import { Option, Result } from "effect"
import { InvalidStatement } from "../records/StatementErrors.ts"

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1"] as const
type Encoding = (typeof encodings)[number]

const head_bytes = 512

const byteOrderMark = (bytes: Uint8Array): Encoding | undefined => {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined
}

/** Latin text in UTF-16 has a zero in every other byte. */
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

/**
 * Decodes a file by its byte order mark, else by the encoding that the client names, else as UTF-16 or UTF-8 if it
 * fits, else as Windows-1252, which accepts any bytes.
 */
export const textOf = (bytes: Uint8Array, named?: Encoding): Result.Result<string, InvalidStatement> => {
  const encoding = byteOrderMark(bytes) ?? named ?? withoutMark(bytes)
  const candidates: ReadonlyArray<Encoding> = encoding === undefined ? ["utf-8", "windows-1252"] : [encoding]
  const text = Option.firstSomeOf(candidates.map((candidate) => decoded(bytes, candidate)))
  if (Option.isNone(text)) return Result.fail(InvalidStatement.of(`it is not in ${candidates.join(" or ")}`))
  return text.value.includes("\u0000")
    ? Result.fail(InvalidStatement.of("it is not a text"))
    : Result.succeed(text.value)
}

/** Length of a piece of a long text, in bytes or characters. */
const piece_length = 65_536

export function* piecesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length; start += piece_length) yield text.slice(start, start + piece_length)
}

/** Decodes the pieces of a text in UTF-8. */
export function* utf8Pieces(pieces: Iterable<Uint8Array>): Iterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for (const bytes of pieces) {
    for (let start = 0; start < bytes.length; start += piece_length) {
      yield decoder.decode(bytes.subarray(start, start + piece_length), { stream: true })
    }
  }
  yield decoder.decode()
}

/** Tells whether the pieces are a text in UTF-8, by the rules of {@link textOf}. */
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
