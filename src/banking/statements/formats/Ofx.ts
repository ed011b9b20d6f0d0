import { BigDecimal, Option, Result } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import { type CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { zero } from "../../../kernel/Money.ts"
import { type Balance, lines_max, type Statement, type StatementLine } from "../../records/Statement.ts"
import { asAccount, asAmount, asCurrency, asDay, asIban, cleaned, cleanedText } from "../../records/Statement.ts"
import { InvalidStatement } from "../../records/StatementErrors.ts"
import { referenceOf } from "../../texts/References.ts"
import { type Aggregate, ofxAggregates } from "./OfxAggregates.ts"
import type { StatementFile } from "./StatementFile.ts"

const head_characters = 2_000

/** An OFX file begins with its header, which may be in a comment, or with its outermost element. */
export const isOfx = (text: string): boolean =>
  /^\s*(?:<!--\s*)?OFXHEADER\b|<\?OFX\b|<OFX>/.test(text.slice(0, head_characters))

interface Open {
  readonly transactions: Array<Aggregate>
  skipped_pending: number
}

type Read<A> = Result.Result<A, InvalidStatement>
const wrong = (reason: string, { line }: Pick<Aggregate, "line">) => Result.fail(InvalidStatement.of(reason, line))

/** Parses OFX 1 (SGML) and OFX 2 (XML). `iban` is that of the bank account; most files state only a part of it. */
export const parseOfx = (text: string, { iban }: { readonly iban: string | null }): Read<StatementFile> =>
  Result.gen(function* () {
    yield* requireLatin(text)
    const statements: Array<Statement> = []
    let open: Open = { transactions: [], skipped_pending: 0 }
    let count = 0
    for (const read of ofxAggregates(text)) {
      const aggregate = yield* read
      if (aggregate.name === "STMTTRN") {
        // A transaction outside of a bank statement belongs to an investment account; it is skipped.
        if (aggregate.parent === "OFX") continue
        if (aggregate.parent !== "BANKTRANLIST") return yield* wrong("a transaction is outside of a list", aggregate)
        if (++count > lines_max) return yield* wrong(`it has more than ${lines_max} lines`, aggregate)
        if (aggregate.values.get("TRNTYPE") === "HOLD") open.skipped_pending++
        else open.transactions.push(aggregate)
      } else if (aggregate.name === "STMTTRNP") open.skipped_pending++
      else if (aggregate.name === "STMTRS" || aggregate.name === "CCSTMTRS") {
        statements.push(yield* statementIn(aggregate, open, iban))
        open = { transactions: [], skipped_pending: 0 }
      } else if (aggregate.name.endsWith("STMTTRNRS") && open.transactions.length > 0) {
        return yield* wrong("transactions are outside of a statement", aggregate)
      }
    }
    if (statements.length === 0) {
      return yield* Result.fail(InvalidStatement.of("it has no bank or credit card statement"))
    }
    return { format: "ofx", statements, errors: [] }
  })

/**
 * Refuses a text with other letters than ASCII that declares a character set other than Unicode, Latin-1 or
 * Windows-1252: it was decoded as one of these, so its letters would be wrong.
 */
const requireLatin = (text: string): Read<void> => {
  const [, charset = "NONE"] =
    /(?:CHARSET:|encoding=["'])([\w-]+)/i.exec(text.slice(0, text.indexOf("<OFX>")).slice(0, head_characters)) ?? []
  return /^(?:NONE|(?:windows-)?1252|(?:ISO-)?8859-1|UTF-?8|UTF-?16|US-?ASCII)$/i.test(charset) ||
    !/[^\p{ASCII}]/u.test(text)
    ? Result.void
    : Result.fail(InvalidStatement.of(`its character set is ${charset}`))
}

const statementIn = (
  aggregate: Aggregate,
  { skipped_pending, transactions }: Open,
  iban: string | null
): Read<Statement> =>
  Result.gen(function* () {
    const { values } = aggregate
    const currency = asCurrency(values.get("CURDEF"))
    if (Option.isNone(currency)) return yield* wrong("a statement has no currency (CURDEF)", aggregate)
    const lines: Array<StatementLine> = []
    for (const transaction of transactions) lines.push(yield* lineIn(transaction, currency.value))
    yield* requireSigns(transactions, lines)
    return {
      account: accountOf(values.get("BANKACCTFROM.ACCTID") ?? values.get("CCACCTFROM.ACCTID"), iban),
      currency: currency.value,
      opening: null,
      closing: yield* closingIn(aggregate, currency.value),
      lines,
      skipped_pending
    }
  })

const signs: ReadonlyMap<string, number> = new Map([
  ["DEBIT", -1],
  ["CREDIT", 1]
])

/**
 * Refuses a file whose DEBITs are all positive or whose CREDITs are all negative: if its amounts have no signs, the
 * direction of other types is unknown.
 */
const requireSigns = (transactions: ReadonlyArray<Aggregate>, lines: ReadonlyArray<StatementLine>): Read<void> => {
  const right = new Set<string>()
  const contrary = new Map<string, Aggregate>()
  for (const [index, transaction] of transactions.entries()) {
    const type = transaction.values.get("TRNTYPE") ?? ""
    const direction = (signs.get(type) ?? 0) * BigDecimal.sign(lines[index]?.amount ?? zero)
    if (direction > 0) right.add(type)
    else if (direction < 0) contrary.set(type, transaction)
  }
  for (const [type, transaction] of contrary) {
    if (!right.has(type))
      return wrong(`every ${type} has the sign of its opposite, so the signs are in doubt`, transaction)
  }
  return Result.void
}

/**
 * Returns the account in the file. If this is only a part of the bank account's IBAN, as in most files, returns the
 * IBAN.
 */
const accountOf = (text: string | undefined, iban: string | null): string | null => {
  const account = asAccount(text)
  const isPart = account !== null && account.length >= part_characters_min && iban?.slice(4).includes(account)
  return isPart === true ? iban : account
}
/** Minimum length of a part of the IBAN; a shorter number could be in the IBAN by chance. */
const part_characters_min = 6

/** Reads the bank's day, which a time and a time zone may follow: 20260131120000.000[+1:CET] */
const dayOf = (text: string | undefined): Option.Option<Day> => {
  const [, year, month, day] =
    /^(\d{4})(\d{2})(\d{2})(?:\d{2}){0,3}(?:\.\d{1,6})?(?: ?\[[^\]]*\])?$/.exec(text ?? "") ?? []
  return asDay(`${year}-${month}-${day}`)
}

/**
 * Refuses an amount with a comma or point before its last three digits, which may separate thousands, unless the
 * currency has three decimals.
 */
const amountOf = (text = "", currency: CurrencyCode): Option.Option<BigDecimal.BigDecimal> => {
  // Long texts are refused first, because the regular expression takes quadratic time.
  if (text.length > amount_characters_max) return Option.none()
  const [, sign, whole = "", fraction = ""] = /^([+-]?)0*(\d+)(?:[.,](\d*?)0*)?$/.exec(text) ?? []
  if (/[.,]\d{3}$/.test(text) && exponentOf(currency) !== grouped_digits) return Option.none()
  const amount = asAmount(fraction === "" ? whole : `${whole}.${fraction}`, currency)
  return sign === "-" ? Option.map(amount, BigDecimal.negate) : amount
}
const amount_characters_max = 40
const grouped_digits = 3

const shown = (text: string | undefined) => cleaned(text, amount_characters_max) ?? ""

/** Reads the closing balance, which may be blank, and whose day may be later than the last line. */
const closingIn = (aggregate: Aggregate, currency: CurrencyCode): Read<Balance | null> => {
  const figure = aggregate.values.get("LEDGERBAL.BALAMT")
  const date = aggregate.values.get("LEDGERBAL.DTASOF")
  if (figure === undefined || date === undefined) return Result.succeed(null)
  const balance = Option.all({ amount: amountOf(figure, currency), date: dayOf(date) })
  return Option.isNone(balance)
    ? wrong(`the balance ${shown(figure)} of ${shown(date)} is malformed`, aggregate)
    : Result.succeed(balance.value)
}

const lineIn = (transaction: Aggregate, currency: CurrencyCode): Read<StatementLine> => {
  const { values } = transaction
  // A correction would replace or remove a line of an earlier file, which is not supported.
  if (values.has("CORRECTFITID")) return wrong("a transaction corrects an earlier one", transaction)
  const own = values.has("CURRENCY.CURSYM") ? asCurrency(values.get("CURRENCY.CURSYM")) : Option.some(currency)
  const day = dayOf(values.get("DTPOSTED"))
  const amount = Option.flatMap(own, (code) => amountOf(values.get("TRNAMT"), code))
  if (Option.isNone(day)) return wrong("a transaction has no valid day (DTPOSTED)", transaction)
  if (Option.isNone(own) || Option.isNone(amount)) {
    return wrong(`the amount "${shown(values.get("TRNAMT"))}" is not a number, or can be read in two ways`, transaction)
  }
  const name = values.get("PAYEE.NAME") ?? values.get("NAME")
  const memo = values.get("MEMO")
  return Result.succeed({
    booking_date: day.value,
    value_date: Option.getOrNull(dayOf(values.get("DTAVAIL"))),
    amount: amount.value,
    currency: own.value,
    counterparty_name: cleaned(name),
    counterparty_iban: asIban(values.get("BANKACCTTO.ACCTID")) ?? null,
    // Many banks write a part of the message into the name, so the name is a part of the text.
    remittance_text: cleanedText([name, memo, values.get("CHECKNUM")].filter((part) => part !== undefined).join(" ")),
    reference: referenceOf(memo) ?? null,
    bank_id: cleaned(values.get("FITID"))
  })
}
