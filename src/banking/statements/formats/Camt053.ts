import { BigDecimal, Effect, Option, Result, Stream } from "effect"
import { Xml } from "effect/encoding"
import type { CurrencyCode } from "../../../kernel/Currency.ts"
import { entryLines, isBooked } from "./CamtEntry.ts"
import { statementEvents } from "./CamtEvents.ts"
import { at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { amountIn, dayIn } from "./CamtValues.ts"
import { type KeptStatement, lineKeeper } from "../../records/KeptLines.ts"
import { asAccount, asCurrency, type Balance, lines_max } from "../../records/Statement.ts"
import { InvalidStatement } from "../../records/StatementErrors.ts"
import type { KeptFile } from "./StatementFile.ts"

const depth_max = 32
const token_characters_max = 100_000
interface Open {
  account: string | null
  currency: CurrencyCode | null
  readonly balances: Array<XmlTree>
  /** The closing balance; undefined until the first entry is read. */
  closing: Result.Result<Balance | null, InvalidStatement> | undefined
  readonly lines: ReturnType<typeof lineKeeper>
  skipped_pending: number
}

/**
 * Parses ISO 20022 camt.053 of any version, with or without namespace and envelope; only booked entries count. An entry
 * is converted to compressed lines as soon as it ends. Yields to other work after each piece of the text.
 */
export const parseCamt053 = Effect.fn("parseCamt053")(function* (pieces: Iterable<string>) {
  const open: Array<Open> = []
  let entries = 0
  let lines = 0
  const part = (node: XmlTree): Result.Result<void, InvalidStatement> => {
    const statement = open.at(-1)
    if (statement === undefined) return Result.void
    if (node.name === "Acct") {
      statement.account = asAccount(textAt(node, "Id", "IBAN") ?? textAt(node, "Id", "Othr", "Id"))
      statement.currency = Option.getOrNull(asCurrency(textAt(node, "Ccy")))
    } else if (node.name === "Bal") statement.balances.push(node)
    else if (node.name === "Ntry") {
      if (++entries > lines_max) return tooLong("entries")
      const booked = isBooked(node)
      if (Result.isFailure(booked)) return unreadable(booked.failure, entries)
      if (!booked.success) statement.skipped_pending++
      else {
        const closing = (statement.closing ??= balanceOf(statement.balances, ["CLBD"]))
        if (Result.isFailure(closing)) return Result.fail(closing.failure)
        // An entry without a date gets the day of the closing balance, which precedes the entries in the file.
        const added = entryLines(node, { account: statement.account, day: closing.success?.date })
        if (Result.isFailure(added)) return unreadable(added.failure, entries)
        for (const line of added.success) statement.lines.keep(line)
        if ((lines += added.success.length) > lines_max) return tooLong("lines")
      }
    }
    return Result.void
  }
  const began = () => {
    const empty = { account: null, currency: null, balances: [], closing: undefined, skipped_pending: 0 }
    open.push({ ...empty, lines: lineKeeper() })
  }
  const take = statementEvents({ began, part })
  yield* Stream.fromIterable(pieces, { chunkSize: 1 }).pipe(
    Stream.tap(() => Effect.yieldNow),
    Stream.pipeThroughChannel(Xml.decodeString({ maxDepth: depth_max, maxTokenSize: token_characters_max })),
    Stream.mapError(({ line, message }) => InvalidStatement.of(xmlReason(message), line ?? null)),
    Stream.runForEachArray((events) => {
      for (const event of events) {
        const taken = take(event)
        if (Result.isFailure(taken)) return Effect.fail(taken.failure)
      }
      return Effect.void
    })
  )
  if (open.length === 0) return yield* InvalidStatement.of("it is XML without a camt.053 statement (BkToCstmrStmt)")
  const statements: Array<KeptStatement> = []
  for (const each of open) statements.push(yield* Effect.fromResult(statementOf(each)))
  return { format: "camt053", statements, errors: [] } satisfies KeptFile
})

const tooLong = (what: string) => Result.fail(InvalidStatement.of(`it has more than ${lines_max} ${what}`))

/** Names the entry by its position in the file, because parsed elements have no line numbers. */
const unreadable = (reason: string, entry: number) => Result.fail(InvalidStatement.of(`${reason} (entry ${entry})`))

/** Returns the parser's message without the parser's name and without the position, which is reported separately. */
const xmlReason = (message: string): string =>
  `it is not well-formed XML: ${message.replace(/^Xml: /, "").replace(/ \(line .*$/, "")}`

const statementOf = (open: Open): Result.Result<KeptStatement, InvalidStatement> =>
  Result.gen(function* () {
    const { account, balances, skipped_pending } = open
    const lines = open.lines.kept()
    const opening = yield* balanceOf(balances, ["OPBD", "PRCD"])
    const closing = yield* balanceOf(balances, ["CLBD"])
    const stated = asCurrency(at(balances[0], "Amt")?.attributes["Ccy"])
    const [used = null] = lines.currencies
    const currency = open.currency ?? used ?? Option.getOrNull(stated)
    return { account, currency, opening, closing, lines, skipped_pending, file: 0 }
  })

/** If pages of a statement repeat balances, the first opening and the last closing balance count. */
const balanceOf = (
  balances: ReadonlyArray<XmlTree>,
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
      const indicator = textAt(balance, "CdtDbtInd") ?? "CRDT"
      if (indicator !== "CRDT" && indicator !== "DBIT") {
        return yield* Result.fail(InvalidStatement.of(`the balance ${code} is neither credit nor debit`))
      }
      return { date, amount: indicator === "DBIT" ? BigDecimal.negate(money.amount) : money.amount }
    }
    return null
  })
