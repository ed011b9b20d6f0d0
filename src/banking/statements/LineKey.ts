import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import type { StatementLine } from "../records/Statement.ts"
import { folded } from "../texts/Words.ts"

/**
 * Returns the facts that identify a line: first those of the key that is stored, then those by which the account may
 * have the line already. The bank's id of a line identifies it, unless another row of the CSV file has the same id. The
 * text of a CSV line depends on the other rows of its file, so a line of a CSV file is also recognized by its cells.
 */
const identitiesOf = (line: StatementLine): readonly [string, ...ReadonlyArray<string>] => {
  const { bank_id, csv } = line
  const amount = formatAmount(line.amount, exponentOf(line.currency))
  // A returned payment may have the same id as the original payment; date and amount distinguish them.
  const facts = [line.booking_date, amount, line.currency]
  const texts = line.earlier_texts ?? line
  const content = [
    "content",
    ...facts,
    folded(texts.counterparty_name ?? ""),
    texts.counterparty_iban ?? "",
    textOf(texts)
  ]
  const bank = bank_id === null ? [] : [["bank", ...facts, bank_id].join("|")]
  const [id] = bank
  if (csv === undefined) return [id ?? content.join("|")]
  const row = ["row", ...facts, csv.row_text].join("|")
  // Earlier versions stored lines of CSV files with the key of the content, as other formats still do.
  return id !== undefined && csv.has_unique_id ? [id, row] : [row, ...bank, content.join("|")]
}

const textOf = ({ reference, remittance_text }: Pick<StatementLine, "reference" | "remittance_text">): string =>
  folded(`${reference ?? ""} ${remittance_text}`)

/**
 * Returns a function that makes the keys of the lines of one file. A key contains the line's number among equal lines
 * of the file, because equal lines of a file are several movements and not copies of one. The line is stored with the
 * first key, and is a duplicate if the account has a line with any of the keys.
 */
export const lineKeys = () => {
  const counts = new Map<string, number>()
  const keyOf = (identity: string): string => {
    const occurrence = counts.get(identity) ?? 0
    counts.set(identity, occurrence + 1)
    return `${sha256Hex(identity)}#${occurrence}`
  }
  return (line: StatementLine): readonly [string, ...ReadonlyArray<string>] => {
    const [first, ...others] = identitiesOf(line)
    return [keyOf(first), ...others.map(keyOf)]
  }
}
