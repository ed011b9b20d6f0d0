import { BigDecimal, Result } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { amountIn, dayIn, type Money } from "./CamtValues.ts"
import { isPlaceholder, not_provided, referenceOf } from "../../texts/References.ts"
import {
  asAccount,
  asIban,
  cleaned,
  cleanedText,
  type StatedTexts,
  type StatementLine
} from "../../records/Statement.ts"

/** Statuses of entries that the bank has announced but not booked. */
const announced: ReadonlyArray<string> = ["PDNG", "INFO", "FUTR"]

/** Up to version 6 of camt.053 the status is plain text; later versions wrap it in an element. */
export const isBooked = (entry: XmlTree): Result.Result<boolean, string> => {
  const written = textAt(entry, "Sts", "Cd") ?? textAt(entry, "Sts", "Prtry") ?? textAt(entry, "Sts")
  const status = (written ?? "BOOK").toUpperCase()
  return status === "BOOK" || announced.includes(status)
    ? Result.succeed(status === "BOOK")
    : Result.fail("the status of an entry is unknown")
}

const isDated = (entry: XmlTree, name: string): boolean =>
  (textAt(entry, name, "Dt") ?? textAt(entry, name, "DtTm")) !== undefined

/**
 * Makes one line for each detail of an entry, if the amounts of the details are in the currency of the account and add
 * up to that of the entry; otherwise one line for the entry. Fails with the reason why the entry cannot be read.
 */
export const entryLines = (
  entry: XmlTree,
  { account, day }: { readonly account: string | null; readonly day: Day | undefined }
): Result.Result<ReadonlyArray<StatementLine>, string> => {
  const money = amountIn(at(entry, "Amt"))
  const value_date = dayIn(at(entry, "ValDt")) ?? null
  const booked = dayIn(at(entry, "BookgDt"))
  const booking_date = booked ?? value_date ?? day
  const credit = isCredit(entry)
  if (money === undefined) return Result.fail("an entry has no amount in its currency")
  // If the booking date is missing, another date is used. An invalid date is an error.
  if (booked === undefined && isDated(entry, "BookgDt")) {
    return Result.fail("the booking date of an entry is not a date")
  }
  if (value_date === null && isDated(entry, "ValDt")) {
    return Result.fail("the value date of an entry is not a date")
  }
  if (booking_date === undefined) return Result.fail("an entry has no date")
  if (credit === undefined) return Result.fail("an entry is neither credit nor debit")
  const total = signed(money.amount, credit)
  const details = all(entry, "NtryDtls").flatMap((part) => all(part, "TxDtls"))
  const amounts = details.map((detail) => detailAmount(detail, money, credit))
  const isSplit =
    details.length > 1 &&
    amounts.every((amount) => amount !== undefined) &&
    BigDecimal.equals(BigDecimal.sumAll(amounts), total)
  const parts = isSplit ? details.map((detail) => [detail]) : [details.length === 0 ? [undefined] : details]
  const lines = parts.map((part, index) => ({
    booking_date,
    value_date,
    currency: money.currency,
    ...described(
      part.map((detail) => {
        const side = { account, credit: isCredit(detail, credit) ?? credit, reverses: isReversal(entry) }
        return { ...partyOf(detail, side), ...quotedIn(detail) }
      }),
      remittanceOf(entry, part)
    ),
    amount: isSplit ? (amounts[index] ?? total) : total,
    ...bankIds(entry, part[0], isSplit ? index : 0)
  }))
  return Result.succeed(lines)
}

const signed = (amount: BigDecimal.BigDecimal, credit: boolean) => (credit ? amount : BigDecimal.negate(amount))

/** True for a credit. In ISO 20022, an entry that reverses a debit is itself marked as a credit. */
const isCredit = (node: XmlTree | undefined, inherited?: boolean): boolean | undefined => {
  const indicator = textAt(node, "CdtDbtInd")
  if (indicator === undefined) return inherited
  return indicator === "CRDT" || indicator === "DBIT" ? indicator === "CRDT" : undefined
}

const isReversal = (entry: XmlTree): boolean => ["true", "1"].includes(textAt(entry, "RvslInd") ?? "")

/** Returns the amount of a detail in the account's currency, from the first element that has it. */
const detailAmount = (detail: XmlTree, entry: Money, credit: boolean): BigDecimal.BigDecimal | undefined => {
  const direction = isCredit(detail, credit)
  const candidates = [at(detail, "AmtDtls", "TxAmt", "Amt"), at(detail, "Amt")]
  const found = candidates.map(amountIn).find((money) => money?.currency === entry.currency)
  return found === undefined || direction === undefined ? undefined : signed(found.amount, direction)
}

/** Since version 7 of camt.053, the name is one element deeper, and the party may be a bank. */
const nameOf = (party: XmlTree | undefined) =>
  textAt(party, "Nm") ?? textAt(party, "Pty", "Nm") ?? textAt(party, "Agt", "FinInstnId", "Nm")

interface Side {
  /** The account of the statement, which is never the other party's account. */
  readonly account: string | null
  readonly credit: boolean
  /** True if the entry reverses another one, whose parties it repeats. */
  readonly reverses: boolean
}

/** The debtor of a credit, or the creditor of a debit; swapped if the entry reverses another one. */
const partyOf = (
  detail: XmlTree | undefined,
  { account, credit, reverses }: Side
): Pick<StatementLine, "counterparty_name" | "counterparty_iban"> => {
  const parties = at(detail, "RltdPties")
  const side = (role: "Dbtr" | "Cdtr") => {
    const id = at(parties, `${role}Acct`, "Id")
    return {
      isOwn: account !== null && asAccount(textAt(id, "IBAN") ?? textAt(id, "Othr", "Id")) === account,
      counterparty_name: cleaned(nameOf(at(parties, role)) ?? nameOf(at(parties, `Ultmt${role}`))),
      counterparty_iban: asIban(textAt(id, "IBAN")) ?? null
    }
  }
  const [likely, other] = credit === reverses ? [side("Cdtr"), side("Dbtr")] : [side("Dbtr"), side("Cdtr")]
  const { counterparty_iban, counterparty_name } = likely.isOwn ? other : likely
  return { counterparty_iban, counterparty_name }
}

interface Description extends Pick<StatementLine, "counterparty_name" | "counterparty_iban" | "reference"> {
  /** The reference as earlier versions read it. */
  readonly earlier_reference: string | null
}

/** Returns the values that all details of a line have in common; a value that differs becomes null. */
const described = (
  details: ReadonlyArray<Description>,
  remittance_text: string
): Pick<StatementLine, keyof StatedTexts | "earlier_texts"> => {
  const of = (key: keyof Description) => {
    const value = details[0]?.[key] ?? null
    return details.every((detail) => detail[key] === value) ? value : null
  }
  const [reference, earlier_reference] = [of("reference"), of("earlier_reference")]
  const parties = { counterparty_name: of("counterparty_name"), counterparty_iban: of("counterparty_iban") }
  const texts = { ...parties, reference, remittance_text }
  if (reference === earlier_reference) return texts
  return { ...texts, earlier_texts: { ...texts, reference: earlier_reference } }
}

const bestOf = (references: ReadonlyArray<string>): string | null =>
  cleaned(references.find((reference) => referenceOf(reference) !== undefined) ?? references[0])

/** Returns a valid structured reference, else any structured reference, else the end-to-end reference. */
const quotedIn = (detail: XmlTree | undefined): Pick<Description, "reference" | "earlier_reference"> => {
  const structured = all(at(detail, "RmtInf"), "Strd").flatMap((part) => textAt(part, "CdtrRefInf", "Ref") ?? [])
  const end_to_end = textAt(detail, "Refs", "EndToEndId")
  const earlier = end_to_end === undefined || end_to_end === not_provided ? structured : [...structured, end_to_end]
  return {
    reference: bestOf(earlier.filter((reference) => !isPlaceholder(reference))),
    earlier_reference: bestOf(earlier)
  }
}

const texts_max = 50

const remittanceOf = (entry: XmlTree, details: ReadonlyArray<XmlTree | undefined>): string => {
  const texts = details
    .slice(0, texts_max)
    .flatMap((detail) => [
      ...all(at(detail, "RmtInf"), "Ustrd").map(({ text }) => text),
      ...all(at(detail, "RmtInf"), "Strd").flatMap((part) => [
        textAt(part, "CdtrRefInf", "Ref") ?? "",
        ...all(part, "RfrdDocInf").map((document) => textAt(document, "Nb") ?? ""),
        ...all(part, "AddtlRmtInf").map(({ text }) => text)
      ]),
      textAt(detail, "AddtlTxInf") ?? ""
    ])
  const said = texts.some((text) => text.trim() !== "") ? texts : [textAt(entry, "AddtlNtryInf") ?? ""]
  return cleanedText(said.join(" "))
}

/**
 * The reference of an entry, which all its details share, is made unique by the position of the detail. A text that says
 * that there is no reference is only the id of earlier versions.
 */
const bankIds = (
  entry: XmlTree,
  detail: XmlTree | undefined,
  index: number
): Pick<StatementLine, "bank_id" | "earlier_bank_id"> => {
  const refs = at(detail, "Refs")
  const own = textAt(refs, "AcctSvcrRef") ?? textAt(refs, "TxId")
  const reference = textAt(entry, "AcctSvcrRef")
  const ids = [
    ...(own === undefined ? [] : [{ stated: own, id: cleaned(own) }]),
    ...(reference === undefined ? [] : [{ stated: reference, id: cleaned(`${reference}#${index}`) }])
  ].filter(({ stated }) => stated !== not_provided)
  const bank_id = ids.find(({ stated }) => !isPlaceholder(stated))?.id ?? null
  const earlier_bank_id = ids[0]?.id ?? null
  return { bank_id, ...(earlier_bank_id === bank_id || earlier_bank_id === null ? {} : { earlier_bank_id }) }
}
