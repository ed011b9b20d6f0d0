import { BigDecimal, Order } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import { zero } from "../../../kernel/Money.ts"

interface Tax {
  readonly rate: BigDecimal.BigDecimal
  readonly taxable_amount: BigDecimal.BigDecimal
  readonly tax_amount: BigDecimal.BigDecimal
}

interface Part<Category extends string> extends Tax {
  readonly category: Category
  /** Sales whose VAT is due when they are invoiced have sums of their own. */
  readonly isDueOnInvoice: boolean
}

interface Row<Category extends string> extends Pick<Part<Category>, "category" | "isDueOnInvoice"> {
  readonly date: Day
  readonly documents: number
  readonly taxes: ReadonlyArray<Tax>
}

interface Sum<Category extends string> extends Omit<Row<Category>, "documents" | "taxes"> {
  documents: number
  readonly taxes: Map<string, Tax>
}

export class DailySums<Category extends string> {
  readonly #sums = new Map<string, Sum<Category>>()

  add(date: Day, parts: ReadonlyArray<Part<Category>>): void {
    const counted = new Set<string>()
    for (const { category, isDueOnInvoice, rate, tax_amount, taxable_amount } of parts) {
      const key = `${date} ${category} ${isDueOnInvoice}`
      const sum = this.#sums.get(key) ?? { date, category, isDueOnInvoice, documents: 0, taxes: new Map<string, Tax>() }
      this.#sums.set(key, sum)
      if (!counted.has(key)) sum.documents++
      counted.add(key)
      const percent = BigDecimal.format(rate)
      const before = sum.taxes.get(percent) ?? { taxable_amount: zero, tax_amount: zero }
      sum.taxes.set(percent, {
        rate,
        taxable_amount: BigDecimal.sum(before.taxable_amount, taxable_amount),
        tax_amount: BigDecimal.sum(before.tax_amount, tax_amount)
      })
    }
  }

  /** Returns the sums in the order of their days and categories, each with its highest rate first. */
  rows(): ReadonlyArray<Row<Category>> {
    return [...this.#sums]
      .toSorted(([left], [right]) => Order.String(left, right))
      .map(([, { taxes, ...sum }]) => ({
        ...sum,
        taxes: [...taxes.values()].toSorted((left, right) => BigDecimal.Order(right.rate, left.rate))
      }))
  }
}
