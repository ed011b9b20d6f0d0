/** A decimal number: `units` divided by ten to the power of `scale`. */
interface Exact {
  readonly units: bigint
  readonly scale: number
}

const exact = (text: string): Exact => {
  const [, sign = "", whole = "0", decimals = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(text) ?? []
  return { units: BigInt(`${sign}${whole}${decimals}`), scale: decimals.length }
}

/** Returns the number in units of ten to the power of -`scale`, rounded half away from zero. */
const rounded = ({ scale: from, units }: Exact, scale: number): bigint => {
  if (from <= scale) return units * 10n ** BigInt(scale - from)
  const divisor = 10n ** BigInt(from - scale)
  const half = units < 0n ? -divisor / 2n : divisor / 2n
  return (units + half) / divisor
}

const times = (left: Exact, right: Exact): Exact => ({
  units: left.units * right.units,
  scale: left.scale + right.scale
})

const plus = (left: Exact, right: Exact): Exact => {
  const scale = Math.max(left.scale, right.scale)
  return { units: rounded(left, scale) + rounded(right, scale), scale }
}

const forms = {
  ubl: {
    line: /<cac:(?:Invoice|CreditNote)Line>[^]*?<\/cac:(?:Invoice|CreditNote)Line>/g,
    quantity: /<cbc:(?:Invoiced|Credited)Quantity [^>]*>([^<]*)</,
    price: /<cbc:PriceAmount [^>]*>([^<]*)</,
    net: /<cbc:LineExtensionAmount [^>]*>([^<]*)</,
    discount: /<cbc:ChargeIndicator>(true|false)<[^]*?<cbc:Amount [^>]*>([^<]*)</,
    adjustment: /<cac:AllowanceCharge>[^]*?<\/cac:AllowanceCharge>/g,
    group: /<cac:TaxSubtotal>[^]*?<\/cac:TaxSubtotal>/g,
    basis: /<cbc:TaxableAmount [^>]*>([^<]*)</,
    tax: /<cbc:TaxAmount [^>]*>([^<]*)</,
    rate: /<cbc:Percent>([^<]*)</,
    totals: /<cac:LegalMonetaryTotal>[^]*?<\/cac:LegalMonetaryTotal>/,
    tax_total: /<cac:TaxTotal><cbc:TaxAmount [^>]*>([^<]*)</,
    lines: /<cbc:LineExtensionAmount [^>]*>([^<]*)</,
    exclusive: /<cbc:TaxExclusiveAmount [^>]*>([^<]*)</,
    inclusive: /<cbc:TaxInclusiveAmount [^>]*>([^<]*)</,
    prepaid: /<cbc:PrepaidAmount [^>]*>([^<]*)</,
    rounding: /<cbc:PayableRoundingAmount [^>]*>([^<]*)</,
    payable: /<cbc:PayableAmount [^>]*>([^<]*)</
  },
  cii: {
    line: /<ram:IncludedSupplyChainTradeLineItem>[^]*?<\/ram:IncludedSupplyChainTradeLineItem>/g,
    quantity: /<ram:BilledQuantity [^>]*>([^<]*)</,
    price: /<ram:ChargeAmount>([^<]*)</,
    net: /<ram:LineTotalAmount>([^<]*)</,
    discount: /<udt:Indicator>(true|false)<[^]*?<ram:ActualAmount>([^<]*)</,
    adjustment: /<ram:SpecifiedTradeAllowanceCharge>[^]*?<\/ram:SpecifiedTradeAllowanceCharge>/g,
    group: /<ram:ApplicableTradeTax><ram:CalculatedAmount>[^]*?<\/ram:ApplicableTradeTax>/g,
    basis: /<ram:BasisAmount>([^<]*)</,
    tax: /<ram:CalculatedAmount>([^<]*)</,
    rate: /<ram:RateApplicablePercent>([^<]*)</,
    totals: /<ram:SpecifiedTradeSettlementHeaderMonetarySummation>[^]*?<\/ram:SpecifiedTradeSettlementHeaderMon/,
    tax_total: /<ram:TaxTotalAmount [^>]*>([^<]*)</,
    lines: /<ram:LineTotalAmount>([^<]*)</,
    exclusive: /<ram:TaxBasisTotalAmount>([^<]*)</,
    inclusive: /<ram:GrandTotalAmount>([^<]*)</,
    prepaid: /<ram:TotalPrepaidAmount>([^<]*)</,
    rounding: /<ram:RoundingAmount>([^<]*)</,
    payable: /<ram:DuePayableAmount>([^<]*)</
  }
} as const

export type Form = keyof typeof forms

const isRounding = (allowance: string) => allowance.includes(">Rounding<")

const found = (text: string, pattern: RegExp) => exact(pattern.exec(text)?.[1] ?? "0")

/** Returns the names of the amounts in the XML that do not exactly follow from its other amounts. */
export const mistakesIn = (form: Form, xml: string, decimals: number): ReadonlyArray<string> => {
  const names = forms[form]
  const money = (text: string, pattern: RegExp) => rounded(found(text, pattern), decimals)
  const discountOf = (line: string) => {
    const [, isCharge = "false", amount = "0"] = names.discount.exec(line) ?? []
    return rounded(exact(amount), decimals) * (isCharge === "true" ? -1n : 1n)
  }
  /**
   * Returns quantity times price. A line in a currency without cents may also state an adjustment for rounding, which
   * is added.
   */
  const productOf = (line: string, roundings: ReadonlyArray<string>) =>
    roundings.reduce(
      (product, rounding) => {
        const [, isCharge, amount = "0"] = names.discount.exec(rounding) ?? []
        const { scale, units } = exact(amount)
        return plus(product, { units: isCharge === "true" ? units : -units, scale })
      },
      times(found(line, names.quantity), found(line, names.price))
    )
  const lines = xml.match(names.line) ?? []
  const adjustments = xml.replace(names.line, "").match(names.adjustment) ?? []
  const adjusted = adjustments.reduce((total, adjustment) => total - discountOf(adjustment), 0n)
  const groups = xml.match(names.group) ?? []
  const totals = names.totals.exec(xml)?.[0] ?? ""
  const sum = (texts: ReadonlyArray<string>, pattern: RegExp) =>
    texts.reduce((total, text) => total + money(text, pattern), 0n)
  const checks: ReadonlyArray<readonly [name: string, stated: bigint, computed: bigint]> = [
    ...lines.map((line, index) => {
      const allowances = line.match(names.adjustment) ?? []
      const product = rounded(productOf(line, allowances.filter(isRounding)), decimals)
      const discount = allowances.find((allowance) => !isRounding(allowance)) ?? ""
      return [`line ${index + 1}`, money(line, names.net), product - discountOf(discount)] as const
    }),
    ...groups.map((group, index) => {
      const { scale, units } = times(found(group, names.basis), found(group, names.rate))
      return [`tax ${index + 1}`, money(group, names.tax), rounded({ units, scale: scale + 2 }, decimals)] as const
    }),
    ["lines", money(totals, names.lines), sum(lines, names.net)],
    ["bases", sum(groups, names.basis), sum(lines, names.net) + adjusted],
    ["tax", money(xml, names.tax_total), sum(groups, names.tax)],
    ["without tax", money(totals, names.exclusive), money(totals, names.lines) + adjusted],
    ["with tax", money(totals, names.inclusive), money(totals, names.exclusive) + money(xml, names.tax_total)],
    [
      "due",
      money(totals, names.payable),
      money(totals, names.inclusive) - money(totals, names.prepaid) + money(totals, names.rounding)
    ]
  ]
  return checks.flatMap(([name, stated, computed]) =>
    stated === computed ? [] : [`${name}: ${stated}, not ${computed}`]
  )
}
