import type { Books } from "../support/Billing.ts"

/** A number in millionths, so that every sum is exact. */
type Exact = bigint

const one = 1_000_000n
const cent = one / 100n

export const exact = (text: string | number): Exact => {
  const [whole = "0", decimals = ""] = String(text).replace("-", "").split(".")
  const value = BigInt(whole) * one + BigInt(decimals.padEnd(6, "0"))
  return String(text).startsWith("-") ? -value : value
}

/** Rounds the product of two numbers in millionths to the cent, halves away from zero. */
const cents = (product: bigint): Exact => {
  const unit = one * cent
  const size = product < 0n ? -product : product
  const rounded = ((size + unit / 2n) / unit) * cent
  return product < 0n ? -rounded : rounded
}

export const shown = (value: Exact): string => {
  const size = value < 0n ? -value : value
  return `${value < 0n ? "-" : ""}${size / one}.${String((size % one) / cent).padStart(2, "0")}`
}

export const sum = (values: ReadonlyArray<Exact>): Exact => values.reduce((left, right) => left + right, 0n)

/** The revenue and tax of a document in euro; negative for a credit note. */
export interface Sale {
  readonly date: string
  readonly customer_id: number
  readonly isInvoice: boolean
  readonly net: Exact
  readonly gross: Exact
  readonly taxes: ReadonlyArray<{ readonly rate: string; readonly taxable: Exact; readonly tax: Exact }>
}

interface Document {
  readonly issue_date: string
  readonly customer_id: number
  readonly currency: string
  readonly exchange_rate: string | number | null
  readonly subtotal: string
  readonly total: string
  readonly tax_breakdown: ReadonlyArray<{ rate: number; taxable_amount: string; tax_amount: string }>
}

export const inEuro = (amount: Exact, { currency, exchange_rate }: Pick<Document, "currency" | "exchange_rate">) =>
  currency === "EUR" ? amount : cents(amount * exact(exchange_rate ?? 0))

const saleOf = (document: Document, sign: 1n | -1n): Sale => {
  // Two tax rates with the same percentage are added up.
  const rates = Map.groupBy(document.tax_breakdown, ({ rate }) => String(rate))
  return {
    date: document.issue_date,
    customer_id: document.customer_id,
    isInvoice: sign === 1n,
    net: sign * inEuro(exact(document.subtotal), document),
    gross: sign * inEuro(exact(document.total), document),
    taxes: [...rates].map(([rate, groups]) => ({
      rate,
      taxable: sign * inEuro(sum(groups.map((group) => exact(group.taxable_amount))), document),
      tax: sign * inEuro(sum(groups.map((group) => exact(group.tax_amount))), document)
    }))
  }
}

/** Returns every record of a list as its own endpoint returns it, with amounts as text. */
export const everyOne = async ({ call }: Books, collection: string) => {
  const exactly = { headers: { prefer: "amounts=string" } }
  const { body } = await call("GET", `/${collection}?per_page=100`, undefined, exactly)
  const records = []
  for (const { id } of body.data) {
    records.push((await call("GET", `/${collection}/${id}`, undefined, exactly)).body.data)
  }
  return records
}

/** Computes sales from the documents themselves, without any report. */
export const salesOf = async (books: Books): Promise<ReadonlyArray<Sale>> => {
  const invoices = await everyOne(books, "invoices")
  const notes = await everyOne(books, "credit-notes")
  return [
    ...invoices.filter(({ issued_at }) => issued_at !== null).map((invoice) => saleOf(invoice, 1n)),
    ...notes.filter(({ sent_at }) => sent_at !== null).map((note) => saleOf(note, -1n))
  ]
}
