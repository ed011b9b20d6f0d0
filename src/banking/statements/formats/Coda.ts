import { BigDecimal, Option, Result } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../../kernel/Currency.ts"
import { type Balance, lines_max, type Statement, type StatementLine } from "../../records/Statement.ts"
import { asAccount, asAmount, asCurrency, asDay, asIban, cleaned, cleanedText } from "../../records/Statement.ts"
import { InvalidStatement } from "../../records/StatementErrors.ts"
import type { StatementFile } from "./StatementFile.ts"
import { not_provided, referenceOf } from "../../texts/References.ts"

const record_characters = 128

/** The character that ends a file of MS-DOS, which some banks still write. */
// oxlint-disable-next-line no-control-regex -- this is the character to be removed
const end_of_file = /\u001a\s*$/

/** A CODA file starts with a header, of which a wrong length is refused later; it has a date and the code 05. */
export const isCoda = (text: string): boolean => /^0{5}(?:.{122}[12]|\d{6}.{3}05.*)\r?(?:\n|$)/.test(text)

interface CodaRecord {
  /** Returns the characters between two positions, which are inclusive and start at 1 as in the standard. */
  readonly at: (first: number, last: number) => string
  readonly line: number
}

/** A movement: record 21 and the records that continue it. */
interface Movement {
  readonly head: CodaRecord
  readonly sequence: string
  readonly detail: string
  readonly amount: BigDecimal.BigDecimal
  communication: string
  customer_reference: string
  name: string
  account: string
  information: string
}

interface Open {
  readonly header: CodaRecord
  readonly account: string | null
  /** The kind of the account number in record 1, which is also the kind of the account number in record 8. */
  readonly structure: string
  readonly currency: CurrencyCode
  readonly opening: Balance
  readonly number: string
  readonly movements: Array<Movement>
  records: number
  free: number
  closing?: Balance
}

/** Parses Febelfin CODA 1 and 2. Sums, accounts and counts that a file repeats must agree. */
export const parseCoda = (text: string): Result.Result<StatementFile, InvalidStatement> =>
  Result.gen(function* () {
    const statements: Array<Statement> = []
    let header: CodaRecord | undefined
    let open: Open | undefined
    let lines = 0
    for (const [index, content] of text.replace(end_of_file, "").trimEnd().split(/\r?\n/).entries()) {
      const record = yield* recordOf(content, index + 1)
      const type = record.at(1, 1)
      if (type === "0") {
        if (header !== undefined) return yield* wrong("a statement begins before the last one ended", record)
        const version = record.at(128, 128)
        if (!/[12]/.test(version)) return yield* wrong(`CODA ${version} cannot be read, only CODA 1 and 2`, record)
        header = record
      } else if (header === undefined) {
        return yield* wrong("a record is outside of any statement", record)
      } else if (type === "1") {
        if (open !== undefined) return yield* wrong("a statement has two old balances", record)
        open = yield* opened(header, record)
      } else if (open === undefined) {
        return yield* wrong("a statement has no old balance", record)
      } else if (type === "9") {
        const statement = yield* closed(open, record)
        lines += statement.lines.length
        if (lines > lines_max) return yield* wrong(`it has more than ${lines_max} movements`, record)
        statements.push(statement)
        header = undefined
        open = undefined
      } else {
        yield* taken(open, record, type)
      }
    }
    if (header !== undefined) return yield* Result.fail(InvalidStatement.of("its last statement has no end"))
    return { format: "coda", statements, errors: [] }
  })

const wrong = (reason: string, { line }: Pick<CodaRecord, "line">) => Result.fail(InvalidStatement.of(reason, line))

const recordOf = (content: string, line: number): Result.Result<CodaRecord, InvalidStatement> =>
  content.length === record_characters
    ? Result.succeed({ at: (first, last) => content.slice(first - 1, last), line })
    : wrong(`a record has ${content.length} characters instead of ${record_characters}`, { line })

/**
 * True if the account number is a Belgian one without IBAN: structure 0, for which version 1 writes a blank. Structure
 * 1 is a foreign number, 2 a Belgian IBAN, 3 a foreign IBAN.
 */
const isShort = (structure: string): boolean => structure === "0" || structure === " "

const accountAt = (record: CodaRecord, position: number, structure: string): string | null =>
  asAccount(record.at(position, position + (isShort(structure) ? 11 : structure === "2" ? 15 : 33)))

const opened = (header: CodaRecord, record: CodaRecord): Result.Result<Open, InvalidStatement> =>
  Result.gen(function* () {
    const short = isShort(record.at(2, 2))
    const account = accountAt(record, 6, record.at(2, 2))
    const currency = asCurrency(short ? record.at(19, 21) : record.at(40, 42))
    if (Option.isNone(currency)) return yield* wrong("the currency of the account is unknown", record)
    const amount = yield* signedAmount(record, 43, currency.value)
    const opening = { date: yield* dayAt(record, 59), amount }
    const number = record.at(126, 128).trim()
    return {
      header,
      account,
      structure: record.at(2, 2),
      currency: currency.value,
      opening,
      number,
      movements: [],
      records: 1,
      free: 0
    }
  })

const taken = (open: Open, record: CodaRecord, type: string): Result.Result<void, InvalidStatement> =>
  Result.gen(function* () {
    if (type === "4") {
      open.free++
      return
    }
    open.records++
    if (type === "8") {
      if (open.closing !== undefined) return yield* wrong("a statement has two new balances", record)
      const named = accountAt(record, 5, open.structure)
      if (named !== null && named !== open.account) return yield* wrong("the balances are of two accounts", record)
      const amount = yield* signedAmount(record, 42, open.currency)
      open.closing = { date: yield* dayAt(record, 58), amount }
      return
    }
    const sequence = record.at(3, 6)
    const detail = record.at(7, 10)
    if (!/^\d{8}$/.test(sequence + detail)) return yield* wrong("a movement has no sequence number", record)
    const last = open.movements.at(-1)
    switch (record.at(1, 2)) {
      case "21": {
        if (open.closing !== undefined) return yield* wrong("a movement comes after the new balance", record)
        const amount = yield* signedAmount(record, 32, open.currency)
        const communication = record.at(63, 115)
        open.movements.push({
          head: record,
          sequence,
          detail,
          amount,
          communication,
          customer_reference: "",
          name: "",
          account: "",
          information: ""
        })
        return
      }
      case "22":
      case "23": {
        if (last?.sequence !== sequence || last.detail !== detail) {
          return yield* wrong("a record continues a missing movement", record)
        }
        continued(last, record, open.header.at(128, 128) === "1")
        return
      }
      case "31":
      case "32":
      case "33": {
        // An information record has the same sequence number as its movement, but a different detail number.
        if (last?.sequence !== sequence) return yield* wrong("information belongs to no movement", record)
        informed(last, record)
        return
      }
      default:
        return yield* wrong("a record is of an unknown type", record)
    }
  })

/** Reads a record that continues a movement. In version 1, its name is shorter, and an address follows the name. */
const continued = (movement: Movement, record: CodaRecord, is_first_version: boolean): void => {
  if (record.at(2, 2) === "2") {
    movement.communication += record.at(11, 63)
    movement.customer_reference = record.at(64, is_first_version ? 89 : 98)
  } else {
    movement.account = record.at(11, 47)
    movement.name = record.at(48, is_first_version ? 73 : 82)
    if (!is_first_version) movement.communication += record.at(83, 125)
  }
}

/** True if the payer gave no reference: banks then send a fixed text or zeros. */
const isMissing = (reference: string): boolean =>
  reference.trim() === not_provided || /^(?:NONREF|[\s0]*)\s*$/.test(reference)

/** Structured information begins with a code; 001 is the other party's name. */
const informed = (movement: Movement, record: CodaRecord): void => {
  const part = record.at(2, 2)
  const isStructured = part === "1" && record.at(40, 40) === "1"
  if (isStructured && record.at(41, 43) === "001" && movement.name.trim() === "") movement.name = record.at(44, 113)
  else if (part === "1") movement.information += record.at(isStructured ? 44 : 41, 113)
  else movement.information += part === "2" ? record.at(11, 115) : record.at(11, 100)
}

/** Reads a sign (0 is credit, 1 is debit) and 15 digits, the last three of which are decimals. */
const signedAmount = (record: CodaRecord, position: number, currency: CurrencyCode) => {
  const sign = record.at(position, position)
  const digits = record.at(position + 1, position + 15)
  const amount = asAmount(`${digits.slice(0, 12)}.${digits.slice(12)}`, currency)
  if (!/^[01]$/.test(sign) || Option.isNone(amount)) return wrong("an amount is malformed", record)
  return Result.succeed(sign === "1" ? BigDecimal.negate(amount.value) : amount.value)
}

/** Reads a date DDMMYY; all statements are of this century. */
const dayIn = (digits: string): Option.Option<Day> =>
  asDay(`20${digits.slice(4, 6)}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`)

const dayAt = (record: CodaRecord, position: number) => {
  const day = dayIn(record.at(position, position + 5))
  return Option.isSome(day) ? Result.succeed(day.value) : wrong("a date is malformed", record)
}

/** Checks the statement against the counts and sums that its end record repeats. */
const closed = (open: Open, record: CodaRecord): Result.Result<Statement, InvalidStatement> =>
  Result.gen(function* () {
    const { account, closing, currency, opening } = open
    if (closing === undefined) return yield* wrong("a statement has no new balance", record)
    const counted = Number(record.at(17, 22))
    // Some banks count the free communications (the records of type 4), others do not.
    if (counted !== open.records && counted !== open.records + open.free) {
      return yield* wrong(`a statement counts ${counted} records and has ${open.records}`, record)
    }
    const totals = open.movements.filter(({ detail }) => detail === "0000").map(({ amount }) => amount)
    const debits = BigDecimal.sumAll(totals.filter(BigDecimal.isNegative))
    const credits = BigDecimal.sumAll(totals.filter((amount) => !BigDecimal.isNegative(amount)))
    const stated = [record.at(23, 37), record.at(38, 52)].map((digits) =>
      asAmount(`${digits.slice(0, 12)}.${digits.slice(12)}`, currency)
    )
    for (const [index, sum] of [BigDecimal.negate(debits), credits].entries()) {
      const total = stated[index] ?? Option.none()
      if (Option.isNone(total) || !BigDecimal.equals(total.value, sum)) {
        return yield* wrong(`the movements do not add up to the ${index === 0 ? "debits" : "credits"} stated`, record)
      }
    }
    const lines = yield* booked(open)
    return { account, currency, opening, closing, lines, skipped_pending: 0 }
  })

/** Makes the lines of each sequence number: the movement, or its details when the movement is a total. */
const booked = (open: Open): Result.Result<ReadonlyArray<StatementLine>, InvalidStatement> =>
  Result.gen(function* () {
    const lines: Array<StatementLine> = []
    for (const [first, ...details] of Map.groupBy(open.movements, ({ sequence }) => sequence).values()) {
      if (first === undefined) continue
      if (first.detail !== "0000") return yield* wrong("a detail has no movement", first.head)
      const isTotal = /^[12]$/.test(first.head.at(54, 54))
      const sum = BigDecimal.sumAll(details.map(({ amount }) => amount))
      // A total is replaced by its details only if they add up to it, so no amount counts twice.
      const parts = isTotal && details.length > 0 && BigDecimal.equals(sum, first.amount) ? details : [first]
      for (const part of parts) lines.push(yield* lineOf(open, part))
    }
    return lines
  })

const lineOf = (open: Open, movement: Movement): Result.Result<StatementLine, InvalidStatement> =>
  Result.gen(function* () {
    const { amount, communication, detail, head, information, sequence } = movement
    const entry = head.at(116, 121)
    const value = dayIn(head.at(48, 53))
    const booking_date = /^0*$/.test(entry.trim())
      ? Option.getOrElse(value, () => (open.closing ?? open.opening).date)
      : yield* dayAt(head, 116)
    const isStructured = head.at(62, 62) === "1"
    const code = communication.slice(0, 3)
    // Codes 100 (ISO 11649), 101 and 102 (Belgian) hold references, of which the bank has checked only those of 101.
    const structured = communication.slice(3, code === "100" ? 28 : 15)
    const isValid = code === "101" || (/^10[02]$/.test(code) && referenceOf(structured) !== undefined)
    const isReference = isStructured && isValid
    const quoted = isReference ? structured : movement.customer_reference
    const reference = isMissing(quoted) ? null : cleaned(quoted)
    const text = isReference ? "" : isStructured ? communication.slice(3) : communication
    const year = (open.closing?.date ?? open.opening.date).slice(0, 4)
    const account = movement.account.slice(0, 34)
    return {
      booking_date,
      value_date: Option.getOrNull(value),
      amount,
      currency: open.currency,
      counterparty_name: cleaned(movement.name),
      counterparty_iban: asIban(account) ?? null,
      remittance_text: cleanedText([text, information].map((part) => part.trim()).join(" ")),
      reference,
      bank_id: `${open.number}/${year}/${sequence}/${detail}`
    }
  })
