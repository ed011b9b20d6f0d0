import { BigDecimal } from "effect"
import type { EInvoice, EInvoiceLine } from "../invoice/EInvoice.ts"
import { errors, type Finding, isBlank } from "../records/Finding.ts"
import { computedNet, isWithinSlack } from "../invoice/FromLineItem.ts"
import { unit_codes } from "./UnitCodes.ts"

export const lineRules = ({ kind, lines, profile }: EInvoice): ReadonlyArray<Finding> =>
  lines.flatMap((line, index) => {
    const pointer = `/${kind}/items/${index}`
    // EN 16931 does not define how the net amount of a line follows from its price; Peppol does (R120).
    return [...rulesOf(line, pointer), ...(profile.rules === "peppol" ? productRule(line, pointer) : [])]
  })

const rulesOf = (line: EInvoiceLine, pointer: string): ReadonlyArray<Finding> =>
  errors(
    [isBlank(line.name), "BR-25", "A line needs a name.", `${pointer}/description`, "Describe the line."],
    [
      !unit_codes.has(line.unit),
      "BR-CL-23",
      `${line.unit} is not a unit of UN/ECE Recommendation 20.`,
      `${pointer}/unit`,
      "Use a code of that list, such as HUR, DAY or C62."
    ],
    [
      line.taxes.length !== 1,
      "UBL-SR-48",
      `A line bears exactly one tax on the network; this one bears ${line.taxes.length}.`,
      `${pointer}/tax_rate_ids`,
      "Use a separate line for each tax rate."
    ]
  )

const productRule = (line: EInvoiceLine, pointer: string): ReadonlyArray<Finding> =>
  errors([
    !isWithinSlack(line.net_amount, computed(line)),
    "PEPPOL-EN16931-R120",
    "The net amount differs too much from quantity times price.",
    `${pointer}/unit_price`,
    "Use a quantity and a price whose product fits the decimals of the currency."
  ])

const computed = (line: EInvoiceLine) => {
  const net = computedNet(line)
  if (line.rounding === null) return net
  const { amount, is_charge } = line.rounding
  return is_charge ? BigDecimal.sum(net, amount) : BigDecimal.subtract(net, amount)
}
