import { type BigDecimal, Option } from "effect"
import type { Xml } from "effect/encoding"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { asAmount, asCurrency, asDay } from "./Statement.ts"

/** An element without the prefixes of its names: which prefix stands for the namespace is free. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Node>
  readonly text: string
}

export const nodeOf = ({ attributes, children, name }: Xml.Element): Node => ({
  name: name.slice(name.indexOf(":") + 1),
  attributes,
  children: children.flatMap((child) => (typeof child === "string" ? [] : nodeOf(child))),
  text: children.filter((child) => typeof child === "string").join("")
})

/** The first element at the end of the path, going through first elements. */
export const at = (node: Node | undefined, ...path: ReadonlyArray<string>): Node | undefined =>
  path.reduce((parent, name) => parent?.children.find((child) => child.name === name), node)

export const all = (node: Node | undefined, name: string): ReadonlyArray<Node> =>
  node?.children.filter((child) => child.name === name) ?? []

/** Its text without surrounding white space; undefined when it has none. */
export const textAt = (node: Node | undefined, ...path: ReadonlyArray<string>): string | undefined =>
  at(node, ...path)?.text.trim() || undefined

export interface Money {
  readonly amount: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
}

/** An ActiveOrHistoricCurrencyAndAmount; undefined when it is malformed. */
export const amountIn = (node: Node | undefined): Money | undefined => {
  const currency = asCurrency(node?.attributes["Ccy"])
  if (node === undefined || Option.isNone(currency)) return undefined
  const amount = asAmount(node.text.trim(), currency.value)
  return Option.isNone(amount) ? undefined : { amount: amount.value, currency: currency.value }
}

/** A DateAndDateTimeChoice. The day of a time is the one the bank writes, in the bank's own zone. */
export const dayIn = (node: Node | undefined): Day | undefined =>
  Option.getOrUndefined(asDay((textAt(node, "Dt") ?? textAt(node, "DtTm"))?.slice(0, 10)))
