import { BigDecimal, Effect, Option, Result, Stream } from "effect"
import { Xml } from "effect/encoding"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { type Balance, lines_max, type Statement } from "./Statement.ts"
import { addsUp, asAccount, asCurrency } from "./Statement.ts"
import { entryLines, isBooked, isReversal } from "./CamtEntry.ts"
import { amountIn, at, dayIn, type Node, nodeOf, textAt } from "./CamtNode.ts"
import { InvalidStatement } from "./StatementErrors.ts"
import type { StatementFile } from "./StatementFile.ts"

const depth_max = 32
/** Longest tag or text. */
const token_characters_max = 100_000
const element_characters_max = 2_000_000
/** Number of characters that are parsed before other work gets a turn. */
const chunk_characters = 65_536

const namespace =
  /<(?:[\w.-]+:)?Document\b[^>]{0,2000}?\sxmlns(?::[\w.-]+)?\s*=\s*["']urn:iso:std:iso:20022:tech:xsd:camt\.053\./
const head_characters = 10_000

/** Accepts every version of camt.053, and any namespace prefix. */
export const isCamt053 = (text: string): boolean => namespace.test(text.slice(0, head_characters))

interface Open {
  account: string | null
  currency: CurrencyCode | null
  balances: Array<Node>
  entries: Array<Node>
}

/**
 * Parses ISO 20022 camt.053 (BankToCustomerStatement) element by element, so that memory depends on the largest
 * entry. Only booked entries count. A file with a DTD is refused before it is parsed.
 */
export const parseCamt053 = Effect.fn("parseCamt053")(function* (text: string) {
  // No statement needs a DTD, and DTDs allow attacks on XML parsers.
  if (/<!DOCTYPE/i.test(text)) return yield* InvalidStatement.of("it has a document type declaration")
  const open: Array<Open> = []
  let entries = 0
  yield* Stream.fromIterable(chunksOf(text)).pipe(
    Stream.rechunk(1),
    Stream.tap(() => Effect.yieldNow),
    Stream.pipeThroughChannel(Xml.decodeString({ maxDepth: depth_max, maxTokenSize: token_characters_max })),
    // The path is Document, BkToCstmrStmt, Stmt and the children of Stmt; Id is the first child, so it begins a
    // statement.
    Stream.pipeThroughChannel(Xml.elements(["*", "*", "*", "*"], { maxElementSize: element_characters_max })),
    Stream.mapError(({ line, message }) => InvalidStatement.of(xmlReason(message), line ?? null)),
    Stream.runForEach((element) => {
      const node = nodeOf(element)
      if (node.name === "Id") open.push({ account: null, currency: null, balances: [], entries: [] })
      const statement = open.at(-1)
      if (statement === undefined) return Effect.void
      if (node.name === "Acct") {
        statement.account = asAccount(textAt(node, "Id", "IBAN") ?? textAt(node, "Id", "Othr", "Id"))
        statement.currency = Option.getOrNull(asCurrency(textAt(node, "Ccy")))
      } else if (node.name === "Bal") statement.balances.push(node)
      else if (node.name === "Ntry") {
        statement.entries.push(node)
        if (++entries > lines_max) return Effect.fail(InvalidStatement.of(`it has more than ${lines_max} entries`))
      }
      return Effect.void
    })
  )
  if (open.length === 0) return yield* InvalidStatement.of("it has no statement")
  const statements: Array<Statement> = []
  let lines = 0
  for (const each of open) {
    const statement = yield* Effect.fromResult(statementOf(each))
    lines += statement.lines.length
    if (lines > lines_max) return yield* InvalidStatement.of(`it has more than ${lines_max} lines`)
    statements.push(statement)
    yield* Effect.yieldNow
  }
  return { format: "camt053", statements, errors: [] } satisfies StatementFile
})

function* chunksOf(text: string) {
  for (let start = 0; start < text.length; start += chunk_characters) yield text.slice(start, start + chunk_characters)
}

/** The parser's message, without its name and the position, which is reported separately. */
const xmlReason = (message: string): string =>
  `it is not well-formed XML: ${message.replace(/^Xml: /, "").replace(/ \(line .*$/, "")}`

const statementOf = ({ account, balances, currency, entries }: Open): Result.Result<Statement, InvalidStatement> =>
  Result.gen(function* () {
    const booked = entries.filter(isBooked)
    const opening = yield* balanceOf(balances, ["OPBD", "PRCD"])
    const closing = yield* balanceOf(balances, ["CLBD"])
    const linesOf = (reversals_flip: boolean) =>
      Result.map(Result.all(booked.map((entry) => entryLines(entry, reversals_flip))), (lines) => lines.flat())
    const flipped = yield* linesOf(true)
    const plain = booked.some(isReversal) ? yield* linesOf(false) : flipped
    const lines = addsUp(opening, plain, closing) ? plain : flipped
    const skipped_pending = entries.length - booked.length
    return { account, currency: currency ?? lines[0]?.currency ?? null, opening, closing, lines, skipped_pending }
  })

/** When interim pages repeat a balance, the first one opens and the last one closes the statement. */
const balanceOf = (
  balances: ReadonlyArray<Node>,
  codes: ReadonlyArray<string>
): Result.Result<Balance | null, InvalidStatement> =>
  Result.gen(function* () {
    for (const code of codes) {
      const found = balances.filter((balance) => textAt(balance, "Tp", "CdOrPrtry", "Cd") === code)
      const balance = code === "CLBD" ? found.at(-1) : found[0]
      if (balance === undefined) continue
      const money = amountIn(at(balance, "Amt"))
      const date = dayIn(at(balance, "Dt"))
      if (money === undefined || date === undefined) {
        return yield* Result.fail(InvalidStatement.of(`the balance ${code} is malformed`))
      }
      const isDebit = textAt(balance, "CdtDbtInd") === "DBIT"
      return { date, amount: isDebit ? BigDecimal.negate(money.amount) : money.amount }
    }
    return null
  })
