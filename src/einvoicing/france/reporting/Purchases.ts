import { BigDecimal, Result } from "effect"
import { zero } from "../../../kernel/Money.ts"
import { french_processes } from "../../sources/FrenchMentions.ts"
import { commercial_invoice } from "../../sources/Sources.ts"
import { supplierOf } from "./Buyers.ts"
import type { Purchase } from "./PurchasesRepo.ts"
import type { ReportedInvoice, ReportedParty, ReportProblem } from "./ReportContent.ts"
import { number_pattern, type Reported, type Reporter } from "./ReportedSales.ts"

/** The buyer owes the tax. */
const reverse_charge = { reason: "Autoliquidation", code: "VATEX-EU-AE" } as const

/**
 * Reports each purchase abroad separately (flow 10.1, with the organization as the buyer). Goods from outside the EU
 * are omitted, because the customs declaration reports them. `purchases` contains only expenses without tax, because
 * suppliers abroad charge no French tax.
 */
export const purchasesOf = (purchases: ReadonlyArray<Purchase>, reporter: Reporter): Reported => {
  const invoices: Array<ReportedInvoice> = []
  const problems: Array<ReportProblem> = []
  for (const purchase of purchases) {
    const { country, reference, tax_number, vendor: name } = purchase
    const supplier = supplierOf({ country, name, tax_number })
    const isImport = supplier.isEuropean === false && reporter.purchases === "goods"
    if (supplier.role === "french_business" || supplier.role === "consumer" || isImport) continue
    Result.match(
      supplier.role === "unidentified" ? Result.fail(supplier.reason) : invoiceFrom(supplier.party, purchase, reporter),
      {
        onFailure: (reason) => void problems.push({ number: reference ?? `expense ${purchase.id}`, reason }),
        onSuccess: (invoice) => void invoices.push(invoice)
      }
    )
  }
  return { content: { kind: "purchases", invoices, daily: [] }, problems }
}

const invoiceFrom = (
  seller: ReportedParty,
  { amount, currency, expense_date, reference }: Purchase,
  { purchases, seller: buyer }: Reporter
): Result.Result<ReportedInvoice, string> => {
  if (buyer.vat_identifier === null) return Result.fail("The organization has no VAT identifier.")
  if (reference === null || !number_pattern.test(reference)) {
    return Result.fail("The expense has no number of its invoice (reference) that a report may state.")
  }
  if (!BigDecimal.isPositive(amount)) return Result.fail("No expense names the invoice that a credit note corrects.")
  const rate = { category: "AE" as const, rate: zero }
  return Result.succeed({
    number: reference,
    issue_date: expense_date,
    due_date: null,
    type_code: commercial_invoice,
    currency,
    isDueOnInvoice: false,
    process: french_processes[purchases ?? "services"],
    original: null,
    seller,
    buyer,
    tax_in_euros: zero,
    taxes: [
      {
        ...rate,
        taxable_amount: amount,
        tax_amount: zero,
        exemption_code: reverse_charge.code,
        country: null,
        exemption: reverse_charge
      }
    ]
  })
}
