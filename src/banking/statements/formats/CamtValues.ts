import { type BigDecimal, Option } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../../kernel/Currency.ts"
import { textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { asAmount, asCurrency, asDay } from "../../records/Statement.ts"

export interface Money {
  readonly amount: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
}

/** Reads the ISO 20022 type ActiveOrHistoricCurrencyAndAmount; undefined when it is malformed. */
export const amountIn = (node: XmlTree | undefined): Money | undefined => {
  const currency = asCurrency(node?.attributes["Ccy"])
  if (node === undefined || Option.isNone(currency)) return undefined
  const amount = asAmount(node.text.trim(), currency.value)
  return Option.isNone(amount) ? undefined : { amount: amount.value, currency: currency.value }
}

/** Reads the ISO 20022 type DateAndDateTimeChoice. A date with a time gives the day in the bank's time zone. */
export const dayIn = (node: XmlTree | undefined): Day | undefined =>
  Option.getOrUndefined(asDay((textAt(node, "Dt") ?? textAt(node, "DtTm"))?.slice(0, 10)))
