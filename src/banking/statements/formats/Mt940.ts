import { BigDecimal, Option, Result } from "effect"
import { addDays } from "../../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../../kernel/Currency.ts"
import { type Balance, lines_max, type Statement, type StatementLine } from "../../records/Statement.ts"
import { asAccount, asAmount, asCurrency, asDay, asIban, cleaned, cleanedText } from "../../records/Statement.ts"
import { InvalidStatement } from "../../records/StatementErrors.ts"
import { type Field, fieldsOf, missingEnd } from "./Mt940Fields.ts"
import type { StatementFile } from "./StatementFile.ts"
import { not_provided, referenceOf } from "../../texts/References.ts"

/** A SWIFT MT940 message has a line that begins with :20:, and lines that begin with a balance or movement tag. */
export const isMt940 = (text: string): boolean =>
  /^:20:/m.test(text.slice(0, head_characters)) && /^:(?:60[FM]|34F|61):/m.test(text)
const head_characters = 10_000

interface Open {
  readonly account: string | null
  readonly line: number
  opening: (Balance & { readonly currency: CurrencyCode }) | undefined
  closing: Balance | undefined
  readonly lines: Array<StatementLine>
  /** True if a tag 86 at this point describes the last movement, not the whole statement. */
  isMoving: boolean
}

type Read<A> = Result.Result<A, InvalidStatement>
const wrong = (reason: string, field?: Pick<Field, "line">) =>
  Result.fail(InvalidStatement.of(reason, field?.line ?? null))

/** Parses SWIFT MT940 (Customer Statement): any number of statements, each of which may have several pages. */
export const parseMt940 = (text: string): Read<StatementFile> =>
  Result.gen(function* () {
    const statements: Array<Statement> = []
    let open: Open | undefined
    let count = 0
    const read = fieldsOf(text)
    const { fields } = read
    if (!fields.some(({ tag }) => tag.startsWith("60")) && fields.some(({ tag }) => tag === "34F")) {
      return yield* Result.fail(
        InvalidStatement.of("it is an interim report (MT942), whose entries may still change; an MT940 is needed")
      )
    }
    for (const field of fields) {
      if (field.tag === "25" || field.tag === "25P") {
        if (open !== undefined) statements.push(yield* closed(open))
        const [account = ""] = field.text.split("\n")
        open = opened(accountOf(account), field)
      } else if (open === undefined || (open.closing !== undefined && /^6[01]/.test(field.tag))) {
        if (field.tag.startsWith("6")) return yield* wrong("a statement has no account (tag 25)", field)
      } else if (field.tag === "86") {
        if (open.isMoving) describe(open, field)
      } else {
        open.isMoving = field.tag === "61"
        if (field.tag === "60F" || field.tag === "60M") open.opening = yield* balanceIn(field)
        else if (field.tag === "62F" || field.tag === "62M") open.closing = yield* balanceIn(field)
        else if (open.isMoving) open.lines.push(yield* lineIn(field, open))
        if (open.isMoving && ++count > lines_max) return yield* wrong(`it has more than ${lines_max} lines`, field)
      }
    }
    if (open === undefined) return yield* Result.fail(InvalidStatement.of("it has no account (tag 25)"))
    // If the file was cut off inside a header, its last message has no account.
    const last = fields.findLast(({ tag }) => tag === "20" || tag.startsWith("25"))
    if (last?.tag === "20") return yield* wrong("a statement has no account (tag 25)", last)
    if (read.hasBlocks && !read.isEnded) return yield* wrong('its last message has no end ("-}")', fields.at(-1))
    statements.push(yield* closed(open))
    const ends_early = missingEnd(read)
    return { format: "mt940", statements, errors: [], ...(ends_early === undefined ? {} : { ends_early }) }
  })

const opened = (account: string | null, { line }: Field): Open => ({
  account,
  line,
  opening: undefined,
  closing: undefined,
  lines: [],
  isMoving: false
})

const closed = ({ account, closing, line, lines, opening }: Open): Read<Statement> => {
  if (opening === undefined) return wrong("a statement has no opening balance (tag 60)", { line })
  if (closing === undefined) return wrong("a statement has no closing balance (tag 62)", { line })
  return Result.succeed({ account, currency: opening.currency, opening, closing, lines, skipped_pending: 0 })
}

/** Reads an account: an IBAN, a bank code and a number with a slash between them, or a number with a currency. */
const accountOf = (text: string): string | null => {
  const plain = text.trim()
  // The currency is removed first, because an IBAN with a currency after it may have valid check digits by chance.
  const bare = Option.isSome(asCurrency(plain.slice(-3))) ? plain.slice(0, -3) : plain
  const candidates = [bare, plain, plain.split("/").at(-1), plain.split(" ")[0]]
  return candidates.map(asIban).find((iban) => iban !== undefined) ?? asAccount(plain.replace(/(?<=\d)[A-Z]{3}$/, ""))
}

const dayOf = (digits: string): Option.Option<Balance["date"]> =>
  asDay(`20${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4, 6)}`)

/** Interest is calculated with months of 30 days, so a value date may be 30 February. */
const valueDayOf = (digits: string): Option.Option<Balance["date"]> =>
  Option.orElse(dayOf(digits), () =>
    /^\d\d02(?:29|30)$/.test(digits)
      ? Option.map(dayOf(`${digits.slice(0, 2)}0301`), (march) => addDays(march, -1))
      : Option.none()
  )

/** The amount has a comma, which may be its last character: 1234, */
const amountOf = (text: string, currency: CurrencyCode) =>
  asAmount(
    text
      .replace(/^0+(?=\d)/, "")
      .replace(/,$/, "")
      .replace(",", "."),
    currency
  )

/** Reads D or C, the day, the currency and the amount: C260131EUR1171,36 */
const balanceIn = (field: Field): Read<Balance & { readonly currency: CurrencyCode }> => {
  const [, mark, digits = "", code, figure = ""] = /^([DC])(\d{6})([A-Z]{3})([\d,]+)\s*$/.exec(field.text) ?? []
  const currency = asCurrency(code)
  const date = dayOf(digits)
  if (Option.isNone(currency) || Option.isNone(date)) return wrong("a balance is malformed", field)
  const amount = amountOf(figure, currency.value)
  if (Option.isNone(amount)) return wrong("a balance is malformed", field)
  const signed = mark === "D" ? BigDecimal.negate(amount.value) : amount.value
  return Result.succeed({ date: date.value, amount: signed, currency: currency.value })
}

/**
 * Matches a movement: value day, entry day, direction (R reverses), amount, type, reference of the owner and of the
 * bank.
 */
const movement =
  /^(\d{6})(\d{4}| {4})?(R?[DC]|E[DC])([A-Z])?([\d,]+)(?:[NSF][A-Z0-9 ]{3}([^\n]*?))?(?:\/\/([^\n]*))?(?:\n([^]*))?$/

const lineIn = (field: Field, { opening }: Open): Read<StatementLine> => {
  const [, value = "", entry, mark = "", , figure = "", owner = "", bank = "", more = ""] =
    movement.exec(field.text) ?? []
  if (opening === undefined) return wrong("a movement comes before the opening balance", field)
  const value_day = valueDayOf(value)
  const amount = amountOf(figure, opening.currency)
  if (Option.isNone(value_day) || Option.isNone(amount)) return wrong("a movement is malformed", field)
  const booking_date = entry === undefined || entry.trim() === "" ? value_day : entryDay(value_day.value, entry)
  if (Option.isNone(booking_date)) return wrong("a movement has no date", field)
  // Dutch banks write the other party's account on the line after the movement.
  const account = asIban(more)
  // A reversal of a credit is a debit.
  const isDebit = mark === "D" || mark === "RC" || mark === "ED"
  return Result.succeed({
    booking_date: booking_date.value,
    value_date: value_day.value,
    amount: isDebit ? BigDecimal.negate(amount.value) : amount.value,
    currency: opening.currency,
    counterparty_name: null,
    counterparty_iban: account ?? null,
    remittance_text: cleanedText(
      [owner, account === undefined ? more : ""].filter((part) => !no_reference.test(part)).join(" ")
    ),
    reference: referenceOf(owner) === undefined ? null : cleaned(owner),
    bank_id: /^\W*$|^NONREF$/.test(bank.trim()) ? null : cleaned(`${bank} ${owner}`)
  })
}

/**
 * Matches what banks write in place of a missing reference: German banks KREF+ or EREF+, Dutch banks the same without
 * the plus.
 */
const no_reference = /^(?:NONREF|[A-Z]{4}\+|EREF|KREF|MARF|PREF)?\s*$/

/** The entry day has no year: the year that brings it closest to the value day is used. */
const entryDay = (value: Balance["date"], entry: string): Option.Option<Balance["date"]> => {
  const year = Number(value.slice(0, 4))
  const month = Number(entry.slice(0, 2)) - Number(value.slice(5, 7))
  const shift = month > half_year ? -1 : month < -half_year ? 1 : 0
  return asDay(`${year + shift}-${entry.slice(0, 2)}-${entry.slice(2, 4)}`)
}
const half_year = 6

const describe = ({ lines }: Open, { text }: Field) => {
  const line = lines.pop()
  if (line === undefined) return
  const isGerman = /^\d{3}[^\w\s]\d{2}/.test(text)
  const ultimate = BigDecimal.isNegative(line.amount) ? "ABWE" : "ABWA"
  const described = ({ iban, name, reference, remittance }: Information) => ({
    remittance_text: cleanedText([line.remittance_text, remittance].filter((part) => part !== "").join(" ")),
    counterparty_name: cleaned(name) ?? line.counterparty_name,
    counterparty_iban: asIban(iban) ?? line.counterparty_iban,
    reference: line.reference ?? cleaned(reference)
  })
  if (isGerman) {
    const earlier_texts = described(german(text, ultimate, ""))
    lines.push({ ...line, ...described(german(text, ultimate, " ")), earlier_texts })
  } else lines.push({ ...line, ...described(otherInformation(text)) })
}

const otherInformation = (text: string): Information =>
  /\/(?:REMI|NAME|IBAN|EREF|TRTP|CNTP|ORDP|BENM)\//.test(text)
    ? dutch(text)
    : { name: undefined, iban: undefined, remittance: text }

interface Information {
  readonly name: string | undefined
  readonly iban: string | undefined
  readonly reference?: string | undefined
  readonly remittance: string
}

/**
 * Reads tag 86 as German banks write it: a business code and numbered parts. The parts 20 to 29 and 60 to 63 are text,
 * 32 and 33 the name. Text and name are wrapped after 27 characters, without a blank at the end of a part, so that a
 * shorter part ends with a word, and `blank` follows it.
 */
const german = (text: string, ultimate: "ABWA" | "ABWE", blank: "" | " "): Information => {
  const plain = text.replaceAll("\n", "")
  const parts = plain.slice(3).split(plain.charAt(3)).slice(1)
  const of = (test: (code: number) => boolean) =>
    parts.filter((part) => test(Number(part.slice(0, 2)))).map((part) => part.slice(2))
  const booking = of((code) => code === 0)
  const wrapped = (test: (code: number) => boolean) =>
    of(test).map((part) => (part.length < part_characters_max ? part + blank : part))
  const texts = wrapped((code) => (code >= 20 && code <= 29) || (code >= 60 && code <= 63))
  const [account, polish] = [31, 38].map((wanted) => of((code) => code === wanted).join(""))
  const party = {
    name: wrapped((code) => code === 32 || code === 33)
      .join("")
      .trim(),
    iban: polish || account
  }
  const tags = sepaTags(texts)
  if (tags.size === 0) return { ...party, remittance: [...booking, texts.join("")].join(" ") }
  const said = (tags.get("") ?? "") + (tags.get("SVWZ") ?? "")
  const reference = tags.get("EREF")?.trim()
  const references = [reference === not_provided ? undefined : reference, said]
  return {
    name: party.name || tags.get(ultimate),
    iban: party.iban || tags.get("IBAN"),
    reference: references.find((each) => referenceOf(each) !== undefined) ?? references[0],
    remittance: said.trim() === "" ? booking.join(" ") : said
  }
}

const part_characters_max = 27

const sepa_tag = /^(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+/

/** A SEPA tag starts a part, and parts without a tag continue it. Text before the first tag has the empty tag. */
const sepaTags = (texts: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const tags = new Map<string, string>()
  if (!texts.some((text) => sepa_tag.test(text))) return tags
  let tag = ""
  for (const text of texts) {
    const [start = "", named = tag] = sepa_tag.exec(text) ?? []
    tag = named
    tags.set(tag, (tags.get(tag) ?? "") + text.slice(start.length))
  }
  return tags
}

/** Words that begin a part if they are between slashes; any other word belongs to a text, as in /INV/17. */
const dutch_keys =
  "ADDR BENM BIC BUSP CHGS CNTP CSID EREF EXCH IBAN ID INIT ISDT MARF NAME OCMT ORDP PREF PURP REMI RTRN SVCL TRCD TRTP ULTC ULTD"
const dutch_part = new RegExp(
  `/(${dutch_keys.replaceAll(" ", "|")})/((?:(?!/(?:${dutch_keys.replaceAll(" ", "|")})/)[^])*)`,
  "g"
)

/** The lookbehind starts the search once per row of slashes; otherwise, its time grows with the square of their number. */
const trailing_slashes = /(?<!\/)\/+$/

/** Reads the information as Dutch banks write it, with words between slashes: /IBAN/NL…/NAME/Beta/REMI/INV-1/EREF/E1 */
const dutch = (text: string): Information => {
  const values = new Map<string, string>()
  for (const [, key = "", value = ""] of text.replaceAll("\n", "").matchAll(dutch_part)) {
    if (!values.has(key)) values.set(key, value.replace(trailing_slashes, ""))
  }
  // CNTP contains the other party's account, bank, name and town.
  const [account, , name] = values.get("CNTP")?.split("/") ?? []
  const said = (values.get("REMI") ?? "").replace(/^(?:USTD)?\/+/, "")
  const [, issued, typed] = /^STRD\/(?:CUR|ISO|BBA)\/([^/]+)|\/CDTRREF\/([^/]+)/.exec(said) ?? []
  const reference = issued ?? typed
  const end_to_end = values.get("EREF") ?? ""
  return {
    name: name ?? values.get("NAME"),
    iban: account ?? values.get("IBAN"),
    reference,
    remittance: [reference ?? said, end_to_end].filter((part) => part !== "" && part !== not_provided).join(" ")
  }
}
