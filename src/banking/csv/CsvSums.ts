import { BigDecimal, Option } from "effect"
import { folded } from "../texts/Words.ts"
import type { Columns } from "./CsvColumns.ts"
import type { Figures } from "./CsvSigns.ts"
import { cellIn, type Row } from "./cells/CsvTable.ts"

interface Movement extends Figures {
  readonly row: Row
}

const wordsIn = (text: string) => new Set(text.split(" "))

const balance_words = wordsIn(
  "balance saldo saldi solde kontostand kontosaldo anfangssaldo endsaldo beginsaldo eindsaldo openingssaldo slotsaldo"
)
const sum_words = wordsIn("total totals totaal totale totali summe gesamtsumme umsatztotal somme suma")
const other_words = wordsIn(
  "opening closing initial inicial final iniziale finale anterior ancien nouveau vorig nieuw alter neuer begin " +
    "beginning start starting end ending previous new brought carried forward contabile contable comptable " +
    "disponibile disponible account rekening compte konto cuenta conto au am per op at on of the de du del al a"
)

/** True for the first or last row of a table if it states a balance or a sum instead of a movement. */
export const isFigure = (row: Movement, rows: ReadonlyArray<Movement>, columns: Columns): boolean => {
  if ([row.amount, row.debit, row.credit].every(Option.isNone)) return false
  const { counterparty_iban, counterparty_name, payee_name, payer_name, reference, remittance, texts = [] } = columns
  const named = [counterparty_iban, counterparty_name, payee_name, payer_name, reference, remittance]
  const text = [...texts, ...named].map((column) => cellIn(row.row, column)).join(" ")
  const words = folded(text).match(/[\p{L}\p{M}]+/gu) ?? []
  if (!words.every((word) => balance_words.has(word) || sum_words.has(word) || other_words.has(word))) return false
  return (
    words.some((word) => balance_words.has(word)) || (words.some((word) => sum_words.has(word)) && isSum(row, rows))
  )
}

/** True if each amount of the row is the sum of the amounts of the other rows. */
const isSum = (row: Movement, rows: ReadonlyArray<Movement>): boolean =>
  (["amount", "debit", "credit"] as const).every((column) => {
    const others = rows.flatMap((other) => (other === row ? [] : Option.toArray(other[column])))
    return Option.match(row[column], {
      onNone: () => true,
      onSome: (stated) => BigDecimal.equals(stated, BigDecimal.sumAll(others))
    })
  })

/**
 * True if the last row has only two filled cells and all other rows have more. Some banks end a table without a header
 * with such a row, which states a balance.
 */
export const isBareBalance = (last: Row, rows: ReadonlyArray<Row>): boolean =>
  filledIn(last) === 2 && rows.length > 2 && rows.every((row) => row === last || filledIn(row) > 2)

const filledIn = ({ cells }: Row): number => cells.filter((cell) => cell !== "").length
