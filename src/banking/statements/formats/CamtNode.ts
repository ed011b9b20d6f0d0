import { type BigDecimal, Option } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../../kernel/Currency.ts"
import { asAmount, asCurrency, asDay } from "../../records/Statement.ts"

/** An XML element without namespace prefixes, because each bank chooses its own. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Node>
  readonly text: string
}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** Follows the path by the first child of each name. */
export const at = (node: Node | undefined, ...path: ReadonlyArray<string>): Node | undefined => {
  let found = node
  for (const name of path) found = found === undefined ? undefined : childOf(found, name)
  return found
}

const childOf = ({ children }: Node, name: string): Node | undefined => {
  for (const child of children) if (child.name === name) return child
}

export const all = (node: Node | undefined, name: string): ReadonlyArray<Node> =>
  node?.children.filter((child) => child.name === name) ?? []

/** The text without surrounding white space; undefined when it is empty. */
export const textAt = (node: Node | undefined, ...path: ReadonlyArray<string>): string | undefined =>
  at(node, ...path)?.text.trim() || undefined

export interface Money {
  readonly amount: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
}

/** Reads the ISO 20022 type ActiveOrHistoricCurrencyAndAmount; undefined when it is malformed. */
export const amountIn = (node: Node | undefined): Money | undefined => {
  const currency = asCurrency(node?.attributes["Ccy"])
  if (node === undefined || Option.isNone(currency)) return undefined
  const amount = asAmount(node.text.trim(), currency.value)
  return Option.isNone(amount) ? undefined : { amount: amount.value, currency: currency.value }
}

/** Reads the ISO 20022 type DateAndDateTimeChoice. A date with a time gives the day in the bank's time zone. */
export const dayIn = (node: Node | undefined): Day | undefined =>
  Option.getOrUndefined(asDay((textAt(node, "Dt") ?? textAt(node, "DtTm"))?.slice(0, 10)))
