import { describe, expect, it } from "vitest"
import { Random } from "../../../../scripts/support/Random.ts"
import type { DatedReceipt, DatedSale } from "../../../../src/billing/sales/DatedSale.ts"
import { paymentsOf, transactionsOf } from "../../../../src/einvoicing/france/reporting/ReportedSales.ts"
import { brokenByReports } from "./OfficialReports.ts"
import { consumer, german, readReceipt, readSale, reporter, saleOf, tax, written } from "./Sales.ts"

const months = 200

/** Rounds halves away from zero, with integers only. */
const rounded = (value: bigint, divisor: bigint) =>
  value < 0n ? -((-value + divisor / 2n) / divisor) : (value + divisor / 2n) / divisor
const centsOf = (amount: number) => BigInt(Math.round(amount * 100))
const millionths = (rate: number) => BigInt(Math.round(rate * 1_000_000))

describe(`${months} random months`, () => {
  it("have valid reports, whose amounts are the sums over the documents", { timeout: 120_000 }, () => {
    const random = new Random(20_261_123)
    const reports: Array<string> = []
    for (let month = 0; month < months; month++) {
      const sums = new Map<string, bigint>()
      const add = (key: string, cents: bigint) => sums.set(key, (sums.get(key) ?? 0n) + cents)
      const sales: Array<DatedSale> = []
      const receipts: Array<DatedReceipt> = []
      const documents = random.whole(0, 40)
      for (let id = 1; id <= documents; id++) {
        const isForeign = random.chance(0.3)
        const isNote = random.chance(0.2)
        const isGerman = isForeign && random.chance(0.5)
        const [currency, exchange_rate] = random.chance(0.7)
          ? (["EUR", null] as const)
          : (["USD", random.whole(500_000, 1_500_000) / 1_000_000] as const)
        const nature = random.pick(["goods", "services", "mixed"])
        const rates = random.pick([[20], [20, 5.5], [10, 2.1, 20], [8.5]])
        const groups = rates.map((rate) => tax(rate, random.whole(1, 5_000_000)))
        const customer = isGerman ? german : isForeign ? { name: "Łódź Ltd", country: "GB", tax_number: "9" } : consumer
        const day = `2026-03-${String(random.whole(1, 31)).padStart(2, "0")}`
        const facts = saleOf({
          tax_breakdown: groups,
          customer,
          id,
          number: `F/${month}-${id}`,
          issue_date: day,
          currency,
          exchange_rate,
          operation_nature: nature,
          ...(isNote
            ? {
                kind: "credit_note",
                due_date: null,
                type_code: random.pick(["381", "396", "81"]),
                original: { number: "F-0", issue_date: "2026-01-01" }
              }
            : {})
        })
        sales.push(readSale(facts))
        const factor = exchange_rate === null ? 1_000_000n : millionths(exchange_rate)
        const euros = (amount: number) => rounded(centsOf(amount) * factor, 1_000_000n)
        if (isForeign)
          add(
            "abroad",
            groups.reduce((sum, { tax_amount }) => sum + euros(tax_amount), 0n)
          )
        else {
          const sign = isNote ? -1n : 1n
          const category = nature === "goods" ? "TLB1" : "TPS1"
          for (const { rate, tax_amount, taxable_amount } of groups) {
            add(`${day} ${category} ${rate} net`, sign * euros(taxable_amount))
            add(`${day} ${category} ${rate} tax`, sign * euros(tax_amount))
          }
        }
        if (isNote) continue
        const received = random.whole(1, 100_000) / 100
        receipts.push(readReceipt({ received, received_on: day, sale: facts }))
        if (nature !== "goods") add(`paid ${isForeign ? "abroad" : day}`, euros(received))
      }
      const sold = transactionsOf(sales, reporter)
      const paid = paymentsOf(receipts, reporter)
      expect([...sold.problems, ...paid.problems]).toEqual([])
      reports.push(written(sold.content), written(paid.content))
      expect(told(reports.slice(-2))).toEqual(new Map([...sums].filter(([, cents]) => cents !== 0n)))
    }
    expect(brokenByReports(reports)).toEqual([])
    expect(reports).toHaveLength(2 * months)
  })
})

const paidIn = (part: string) => Array.from(part.matchAll(/<Amount>([^<]+)</g), ([, amount = "0"]) => amount)

/** Reads the sums from the reports of transactions and of payments. */
const told = ([transactions = "", payments = ""]: ReadonlyArray<string>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  const add = (key: string, amount: string) => {
    const cents = BigInt(amount.replace(".", ""))
    sums.set(key, (sums.get(key) ?? 0n) + cents)
  }
  for (const [, vat = ""] of transactions.matchAll(/<TaxAmount CurrencyCode="EUR">([^<]+)</g)) add("abroad", vat)
  for (const [, date = "", category = "", rest = ""] of transactions.matchAll(
    /<Date>(\d+)<.*?<CategoryCode>(\w+)<(.*?)<\/Transactions>/g
  )) {
    const day = date.replace(/(....)(..)(..)/, "$1-$2-$3")
    for (const [, rate = "", net = "", vat = ""] of rest.matchAll(
      /<TaxPercent>([^<]+)<.*?<TaxableAmount>([^<]+)<.*?<TaxTotal>([^<]+)</g
    )) {
      add(`${day} ${category} ${rate} net`, net)
      add(`${day} ${category} ${rate} tax`, vat)
    }
  }
  for (const [invoice] of payments.matchAll(/<Invoice>.*?<\/Invoice>/g)) {
    for (const amount of paidIn(invoice)) add("paid abroad", amount)
  }
  for (const [day] of payments.matchAll(/<Transactions>.*?<\/Transactions>/g)) {
    const date = /<Date>(....)(..)(..)</.exec(day)?.slice(1).join("-") ?? ""
    for (const amount of paidIn(day)) add(`paid ${date}`, amount)
  }
  return new Map([...sums].filter(([, cents]) => cents !== 0n))
}
