import { BigDecimal, Result } from "effect"
import { all, amountIn, at, dayIn, type Money, type Node, textAt } from "./CamtNode.ts"
import { referenceOf } from "./References.ts"
import { asIban, cleaned, cleanedText, type StatementLine } from "./Statement.ts"
import { InvalidStatement } from "./StatementErrors.ts"

/** Up to version 7 the status is plain text; later versions wrap it in a code element. */
export const isBooked = (entry: Node): boolean =>
  (textAt(entry, "Sts", "Cd") ?? textAt(entry, "Sts") ?? "BOOK").toUpperCase() === "BOOK"

/**
 * Makes one line per detail if the details' amounts, in the account's currency, add up to the entry's amount; else
 * one line for the entry. So no batch counts its total once per detail, and no bank charge is lost.
 */
export const entryLines = (
  entry: Node,
  reversals_flip: boolean
): Result.Result<ReadonlyArray<StatementLine>, InvalidStatement> =>
  Result.gen(function* () {
    const flipped = reversals_flip && isReversal(entry)
    const money = amountIn(at(entry, "Amt"))
    const booking_date = dayIn(at(entry, "BookgDt")) ?? dayIn(at(entry, "ValDt"))
    const credit = isCredit(entry, flipped)
    if (money === undefined) return yield* Result.fail(InvalidStatement.of("an entry has no amount"))
    if (booking_date === undefined) return yield* Result.fail(InvalidStatement.of("an entry has no date"))
    if (credit === undefined) return yield* Result.fail(InvalidStatement.of("an entry is neither credit nor debit"))
    const total = signed(money.amount, credit)
    const details = all(entry, "NtryDtls").flatMap((part) => all(part, "TxDtls"))
    const amounts = details.map((detail) => detailAmount(detail, money, credit, flipped))
    const isSplit =
      details.length > 1 &&
      amounts.every((amount) => amount !== undefined) &&
      BigDecimal.equals(BigDecimal.sumAll(amounts), total)
    const common = {
      booking_date,
      value_date: dayIn(at(entry, "ValDt")) ?? null,
      currency: money.currency
    }
    const parts = isSplit ? details : [details[0]]
    return parts.map((detail, index) => ({
      ...common,
      ...describe(detail, isCredit(detail, flipped, credit) ?? credit),
      amount: isSplit ? (amounts[index] ?? total) : total,
      remittance_text: remittanceOf(entry, detail === undefined || isSplit ? [detail] : details),
      bank_id: bankId(entry, detail, isSplit ? index : 0)
    }))
  })

const signed = (amount: BigDecimal.BigDecimal, credit: boolean) => (credit ? amount : BigDecimal.negate(amount))

const isCredit = (node: Node | undefined, flipped: boolean, inherited?: boolean): boolean | undefined => {
  const indicator = textAt(node, "CdtDbtInd")
  if (indicator === undefined) return inherited
  return indicator === "CRDT" || indicator === "DBIT" ? (indicator === "CRDT") !== flipped : undefined
}

/**
 * Tells whether the entry reverses another one. In some banks' files the indicator gives the entry's own direction
 * (ISO 20022), in others the direction of the reversed entry; the statement's balances decide between the two.
 */
export const isReversal = (entry: Node): boolean => ["true", "1"].includes(textAt(entry, "RvslInd") ?? "")

/** The amount of a detail in the account's currency, from whichever element has it. */
const detailAmount = (
  detail: Node,
  entry: Money,
  credit: boolean,
  flipped: boolean
): BigDecimal.BigDecimal | undefined => {
  const direction = isCredit(detail, flipped, credit)
  const candidates = [at(detail, "AmtDtls", "TxAmt", "Amt"), at(detail, "Amt")]
  const found = candidates.map(amountIn).find((money) => money?.currency === entry.currency)
  return found === undefined || direction === undefined ? undefined : signed(found.amount, direction)
}

/** Money comes from the debtor and goes to the creditor, so the other party is one of the two. */
const describe = (detail: Node | undefined, credit: boolean) => {
  const parties = at(detail, "RltdPties")
  const party = at(parties, credit ? "Dbtr" : "Cdtr")
  const account = at(parties, credit ? "DbtrAcct" : "CdtrAcct")
  const structured = all(at(detail, "RmtInf"), "Strd").map((part) => textAt(part, "CdtrRefInf", "Ref"))
  const references = structured.filter((reference) => reference !== undefined)
  return {
    // Since version 8 the party is one level deeper.
    counterparty_name: cleaned(textAt(party, "Nm") ?? textAt(party, "Pty", "Nm")),
    counterparty_iban: asIban(textAt(account, "Id", "IBAN")) ?? null,
    reference: cleaned(references.find((reference) => referenceOf(reference) !== undefined) ?? references[0])
  }
}

const texts_max = 50

const remittanceOf = (entry: Node, details: ReadonlyArray<Node | undefined>): string => {
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

/** Identifies a line by the bank's reference. An entry's reference needs the position of the detail as well. */
const bankId = (entry: Node, detail: Node | undefined, index: number): string | null => {
  const refs = at(detail, "Refs")
  const own = textAt(refs, "AcctSvcrRef") ?? textAt(refs, "TxId")
  const reference = textAt(entry, "AcctSvcrRef")
  if (own !== undefined && own !== "NOTPROVIDED") return cleaned(own)
  return reference === undefined || reference === "NOTPROVIDED" ? null : cleaned(`${reference}#${index}`)
}
