import { BigDecimal, Effect, Struct } from "effect"
import { type CsvOptions, parseCsv } from "../csv/Csv.ts"
import { parseCamt053 } from "./formats/Camt053.ts"
import { isCoda, parseCoda } from "./formats/Coda.ts"
import { isUtf8Text, piecesOf, textOf, utf8Pieces } from "../records/Encoding.ts"
import { keptLines, type KeptStatement } from "../records/KeptLines.ts"
import { lines_max } from "../records/Statement.ts"
import { isMt940, parseMt940 } from "./formats/Mt940.ts"
import { isOfx, parseOfx } from "./formats/Ofx.ts"
import { InvalidStatement } from "../records/StatementErrors.ts"
import type { KeptFile, StatementFile, StatementFormat } from "./formats/StatementFile.ts"
import { isZip, unzipped } from "./StatementZip.ts"

/** The content decides the format; a text in no other format is read as CSV. */
const formatOf = (text: string): StatementFormat =>
  isOfx(text) ? "ofx" : /^\s*</.test(text) ? "camt053" : isCoda(text) ? "coda" : isMt940(text) ? "mt940" : "csv"

/** Maximum number of statements in one file; enough for a year of daily statements of two accounts. */
const statements_max = 1_000

interface ReadingOptions extends CsvOptions {
  readonly format: StatementFormat | undefined
}

/** The bytes of a file in pieces. Each iteration reads the file from the beginning. */
export type FilePieces = Iterable<Uint8Array>

/** Parses a statement file of any supported format, or a ZIP of files of one format. */
export const readStatement = Effect.fn("readStatement")(function* (content: FilePieces, options: ReadingOptions) {
  const foreign = foreignKind(content)
  if (foreign !== undefined)
    return yield* InvalidStatement.of(`it is ${foreign}; export CAMT.053, CODA, MT940 or CSV instead`)
  const files = isZip(headOf(content)) ? (yield* unzipped(wholeOf(content))).map((bytes) => [bytes]) : [content]
  const read: Array<KeptFile> = []
  for (const file of files) read.push(yield* readFile(file, options))
  const [first] = read
  if (first === undefined) return yield* InvalidStatement.of("the ZIP holds no file")
  if (read.some(({ format }) => format !== first.format)) {
    return yield* InvalidStatement.of("the ZIP holds files of several formats; send each format on its own")
  }
  // The statements of a ZIP are sorted by time, whatever the order of its files.
  const statements = read.flatMap(({ statements }, file) =>
    [...Map.groupBy(statements, accountOf).values()].flatMap(oldestFirst).map((statement) => ({ ...statement, file }))
  )
  if (read.length > 1)
    statements.sort((left, right) => (dayOf(left) < dayOf(right) ? -1 : dayOf(left) > dayOf(right) ? 1 : 0))
  if (statements.length > statements_max) {
    return yield* InvalidStatement.of(`it has more than ${statements_max} statements`)
  }
  if (statements.reduce((sum, { lines }) => sum + lines.count, 0) > lines_max) {
    return yield* InvalidStatement.of(`it has more than ${lines_max} lines`)
  }
  // In a ZIP, a page that one file lacks may be in another file.
  const cut = read.find(({ ends_early }) => ends_early === "message" || (ends_early === "page" && read.length === 1))
  const errors = read.flatMap(({ errors }) => errors)
  const lines_of_others = read.reduce((sum, file) => sum + (file.lines_of_others ?? 0), 0)
  const end = cut?.ends_early === undefined ? {} : { ends_early: cut.ends_early }
  return { ...Struct.omit(first, ["ends_early"]), ...end, statements, errors, lines_of_others }
})

const dayOf = ({ lines, opening }: KeptStatement) => opening?.date ?? lines.first_day ?? ""

/** True if the second statement opens with the balance with which the first one closes. */
const isContinued = ({ closing }: KeptStatement, { opening }: KeptStatement): boolean =>
  closing !== null && opening !== null && BigDecimal.equals(closing.amount, opening.amount)

const accountOf = ({ account, currency }: KeptStatement) => `${account} ${currency}`

/** The files of some banks begin with the latest statement. The statements of each account are reversed then. */
const oldestFirst = (statements: ReadonlyArray<KeptStatement>): ReadonlyArray<KeptStatement> => {
  const dated = statements.filter((statement) => dayOf(statement) !== "")
  const [first, second] = dated
  const last = dated.at(-1)
  if (first === undefined || second === undefined || last === undefined || dayOf(first) < dayOf(last)) return statements
  const isNewestFirst = dayOf(first) > dayOf(last) || (isContinued(second, first) && !isContinued(first, second))
  return isNewestFirst ? statements.toReversed() : statements
}

const headOf = (content: FilePieces): Uint8Array => {
  const [head = new Uint8Array()] = content
  return head
}
const wholeOf = (content: FilePieces): Buffer => Buffer.concat([...content])

/** First bytes of a file of old Office programs (Compound File Binary Format). */
const ole_signature = Buffer.from("d0cf11e0a1b11ae1", "hex")

/** Names the kind of a file that people send instead of a statement. Spreadsheets of Office programs are ZIP files. */
const foreignKind = (content: FilePieces): string | undefined => {
  const head = Buffer.from(headOf(content))
  if (head.subarray(0, 5).toString("latin1") === "%PDF-") return "a PDF"
  const isOffice =
    isZip(head) &&
    ["[Content_Types].xml", "mimetypeapplication/vnd.oasis"].some((name) => wholeOf(content).includes(name))
  return isOffice || head.subarray(0, ole_signature.length).equals(ole_signature) ? "a spreadsheet" : undefined
}

const head_bytes = 4_096

/** True if a file begins like a camt.053 and its encoding writes ASCII characters as single bytes. */
const isCamt053 = (head: Uint8Array, { format }: ReadingOptions): boolean => {
  const text = new TextDecoder().decode(head)
  return /^\s*</.test(text) && (format ?? formatOf(text)) === "camt053"
}

const readFile = Effect.fnUntraced(function* (content: FilePieces, options: ReadingOptions) {
  const encoding = options.mapping?.encoding
  // A long XML statement is parsed piece by piece, and is never in memory as a whole.
  if (isCamt053(headOf(content).subarray(0, head_bytes), options) && isUtf8Text(content, encoding)) {
    return yield* parseCamt053(utf8Pieces(content))
  }
  const text = (yield* Effect.fromResult(textOf(wholeOf(content), encoding))).replace(/^\ufeff/, "")
  if (text.trim() === "") return yield* InvalidStatement.of("it is empty")
  if (/^\s*!(?:Type|Account|Option|Clear):/i.test(text)) {
    return yield* InvalidStatement.of(
      "QIF files name no currency and no order of their dates; export OFX or CSV instead"
    )
  }
  switch (options.format ?? formatOf(text)) {
    case "camt053":
      return yield* parseCamt053(piecesOf(text))
    case "coda":
      return keptOf(yield* Effect.fromResult(parseCoda(text)))
    case "mt940":
      return keptOf(yield* Effect.fromResult(parseMt940(text)))
    case "ofx":
      return keptOf(yield* Effect.fromResult(parseOfx(text, options)))
    case "csv":
      return keptOf(yield* Effect.fromResult(parseCsv(text, options)))
  }
})

const keptOf = ({ statements, ...file }: StatementFile): KeptFile => ({
  ...file,
  statements: statements.map((statement) => ({ ...statement, lines: keptLines(statement.lines), file: 0 }))
})
