import { BigDecimal, Result } from "effect"
import type { TaxGroup } from "../../../billing/lines/Tax.ts"
import { convertedTax, vatGroups } from "../../../billing/lines/VatGroups.ts"
import { exemptionReason } from "../../../billing/printing/ExemptionReasons.ts"
import type { DatedReceipt, DatedSale } from "../../../billing/sales/DatedSale.ts"
import { CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { allocate, roundHalfAwayFromZero, zero } from "../../../kernel/Money.ts"
import { isDueOnInvoice, type ReportingTerms } from "../../invoice/ReportingTerms.ts"
import { default_type_code } from "../../../billing/credit-notes/CreditNote.ts"
import { french_processes } from "../../sources/FrenchMentions.ts"
import { taxBreakdown } from "../../sources/FromTaxes.ts"
import { commercial_invoice } from "../../sources/Sources.ts"
import { buyerOf } from "./Buyers.ts"
import type {
  DailyPayments,
  InvoicePayment,
  ReportedInvoice,
  ReportedParty,
  ReportContent,
  ReportProblem,
  SaleCategory
} from "./ReportContent.ts"
import { DailySums } from "./DailySums.ts"
import { isOutside, isTaxed, obstacleOf } from "./TaxTreatment.ts"

export interface Reporter extends Pick<ReportingTerms, "vat_on_debits" | "usual_nature" | "purchases"> {
  readonly seller: ReportedParty
  /** The currency of the books, to which exchange rates convert. */
  readonly currency: CurrencyCode
}

export interface Reported {
  readonly content: ReportContent
  readonly problems: ReadonlyArray<ReportProblem>
}

const euro = CurrencyCode.make("EUR")
const cents = exponentOf(euro)

/** Puts the sales to businesses abroad into a report one by one, and those to consumers by day, category and rate. */
export const transactionsOf = (sales: ReadonlyArray<DatedSale>, reporter: Reporter): Reported => {
  const invoices: Array<ReportedInvoice> = []
  const problems: Array<ReportProblem> = []
  const daily = new DailySums<SaleCategory>()
  for (const sale of sales) {
    const { issue_date, number, tax_breakdown } = sale
    if (tax_breakdown.every(isOutside)) continue
    const onFailure = (reason: string) => void problems.push({ number, reason })
    const buyer = buyerOf(sale)
    switch (buyer.role) {
      case "french_business":
        break
      case "unidentified":
        onFailure(buyer.reason)
        break
      case "consumer":
        Result.match(dailyRows(sale, reporter), { onFailure, onSuccess: (rows) => daily.add(issue_date, rows) })
        break
      case "foreign_business": {
        const onSuccess = (invoice: ReportedInvoice) => void invoices.push(invoice)
        Result.match(invoiceTo(buyer.party, sale, reporter), { onFailure, onSuccess })
      }
    }
  }
  return { content: { kind: "transactions", invoices, daily: daily.rows() }, problems }
}

/** Reports payments for services, unless their tax was due when they were invoiced. */
export const paymentsOf = (receipts: ReadonlyArray<DatedReceipt>, reporter: Reporter): Reported => {
  const invoices: Array<InvoicePayment> = []
  const problems: Array<ReportProblem> = []
  const daily = new DailySums<"payment">()
  for (const { received, received_on: date, sale } of receipts) {
    if (isDueOnInvoice(reporter.vat_on_debits, sale.issue_date)) continue
    const buyer = buyerOf(sale)
    if (buyer.role === "french_business" || !sale.tax_breakdown.some(isTaxed)) continue
    const shares = buyer.role === "unidentified" ? Result.fail(buyer.reason) : receivedByRate(sale, received, reporter)
    if (Result.isFailure(shares)) problems.push({ number: sale.number, reason: shares.failure })
    else if (shares.success.length === 0) continue
    else if (buyer.role === "consumer") daily.add(date, shares.success)
    else {
      const amounts = shares.success.map(({ rate, taxable_amount: amount }) => ({ rate, amount }))
      invoices.push({ number: sale.number, issue_date: sale.issue_date, date, amounts })
    }
  }
  const sums = daily.rows().map(({ date, taxes }): DailyPayments => ({
    date,
    amounts: taxes.map(({ rate, taxable_amount: amount }) => ({ rate, amount }))
  }))
  return { content: { kind: "payments", invoices, daily: sums }, problems }
}

type Stated<A> = Result.Result<A, string>

const eurosOf = ({ currency, exchange_rate }: DatedSale, reporter: Reporter): Stated<BigDecimal.BigDecimal> => {
  if (currency === euro) return Result.succeed(BigDecimal.fromBigInt(1n))
  if (reporter.currency !== euro) return Result.fail("The books are not in euros, so there is no rate to euros.")
  return exchange_rate === null ? Result.fail("The document has no exchange rate.") : Result.succeed(exchange_rate)
}

const natureOf = ({ operation_nature }: DatedSale, { usual_nature }: Reporter) =>
  Result.fromNullishOr(operation_nature ?? usual_nature, () => "The document does not say whether it is for services.")

const obstacleIn = ({ tax_breakdown }: DatedSale): Stated<void> => {
  const obstacle = tax_breakdown.map(obstacleOf).find((reason) => reason !== null) ?? null
  return obstacle === null ? Result.succeed(undefined) : Result.fail(obstacle)
}

const inEuros = (amount: BigDecimal.BigDecimal, rate: BigDecimal.BigDecimal) =>
  roundHalfAwayFromZero(BigDecimal.multiply(amount, rate), cents)

const sumOf = (groups: ReadonlyArray<TaxGroup>, field: "taxable_amount" | "tax_amount") =>
  BigDecimal.sumAll(groups.map((group) => group[field]))

/** A credit note follows the option that applied to its invoice. */
const isDueOf = ({ issue_date, original }: DatedSale, { vat_on_debits }: Reporter) =>
  isDueOnInvoice(vat_on_debits, original?.issue_date ?? issue_date)

const untaxed = { category: "TNT1", isDueOnInvoice: false, rate: zero } as const

/** Divides a sale to a consumer by category and rate; a credit note counts as negative. */
const dailyRows = (sale: DatedSale, reporter: Reporter) =>
  Result.gen(function* () {
    yield* obstacleIn(sale)
    const factor = yield* eurosOf(sale, reporter)
    const signed = sale.kind === "invoice" ? factor : BigDecimal.negate(factor)
    const rows = []
    for (const group of vatGroups(sale.tax_breakdown.filter((row) => !isOutside(row)))) {
      const taxable_amount = inEuros(sumOf(group, "taxable_amount"), signed)
      if (isTaxed(group[0])) {
        const nature = yield* natureOf(sale, reporter)
        const category = nature === "goods" ? ("TLB1" as const) : ("TPS1" as const)
        const tax_amount = inEuros(sumOf(group, "tax_amount"), signed)
        const isDue = category === "TPS1" && isDueOf(sale, reporter)
        rows.push({ category, isDueOnInvoice: isDue, rate: group[0].rate, taxable_amount, tax_amount })
      } else rows.push({ ...untaxed, taxable_amount, tax_amount: zero })
    }
    return rows
  })

/** Matches a document number that a report may state (rule G1.05). */
export const number_pattern = /^(?! )(?!.* {2})[A-Za-z0-9 +\-_/]{1,35}(?<! )$/
/** Types of invoices and credit notes that a report may state (rule G1.01). */
const type_codes = new Set("261 380 381 384 386 389 393 396 471 472 473 500 501 502 503".split(" "))
const credit_note = default_type_code

const invoiceTo = (buyer: ReportedParty, sale: DatedSale, reporter: Reporter) =>
  Result.gen(function* () {
    yield* obstacleIn(sale)
    const factor = yield* eurosOf(sale, reporter)
    const nature = yield* natureOf(sale, reporter)
    if (reporter.seller.vat_identifier === null) return yield* Result.fail("The organization has no VAT identifier.")
    yield* requireNumbers(sale.number, ...(sale.original === null ? [] : [sale.original.number]))
    const taxes = taxBreakdown(sale.tax_breakdown, (tax) => exemptionReason(tax, "fr", "FR"), true)
    const type_code = sale.kind === "invoice" ? commercial_invoice : (sale.type_code ?? credit_note)
    const invoice: ReportedInvoice = {
      number: sale.number,
      issue_date: sale.issue_date,
      due_date: sale.due_date,
      type_code: type_codes.has(type_code) ? type_code : credit_note,
      currency: sale.currency,
      isDueOnInvoice: nature !== "goods" && isDueOf(sale, reporter),
      process: french_processes[nature],
      original: sale.original,
      seller: reporter.seller,
      buyer,
      tax_in_euros: convertedTax(sale.tax_breakdown, factor, euro),
      taxes
    }
    return invoice
  })

const requireNumbers = (...numbers: ReadonlyArray<string>): Stated<void> => {
  const wrong = numbers.find((number) => !number_pattern.test(number))
  return wrong === undefined ? Result.succeed(undefined) : Result.fail(`A report may not state the number ${wrong}.`)
}

/** Divides a payment in proportion to the gross amount of each tax rate. Omits what is not taxed in France. */
const receivedByRate = (sale: DatedSale, received: BigDecimal.BigDecimal, reporter: Reporter) =>
  Result.gen(function* () {
    yield* obstacleIn(sale)
    if ((yield* natureOf(sale, reporter)) === "goods") return []
    yield* requireNumbers(sale.number)
    const groups = vatGroups(sale.tax_breakdown)
    const weights = groups.map((group) => BigDecimal.sum(sumOf(group, "taxable_amount"), sumOf(group, "tax_amount")))
    const parts = allocate(inEuros(received, yield* eurosOf(sale, reporter)), weights, cents)
    return groups.flatMap((group, index) => {
      const part = parts[index] ?? zero
      if (!isTaxed(group[0]) || BigDecimal.isZero(part)) return []
      const { rate } = group[0]
      return [{ category: "payment" as const, isDueOnInvoice: false, rate, taxable_amount: part, tax_amount: zero }]
    })
  })
