import { type Concept, folded } from "../scan/Keywords.ts"
import type { Scan } from "../scan/Scan.ts"

const transfer = new RegExp(
  "\\b(?:virement|uberweisung|overschrijving|transferencia|bonifico|bank transfer|zahlbar|echeance|vervaldatum|" +
    "scadenza|due date)\\b"
)

export const paymentMethodOf = (scan: Scan): string | undefined => {
  const said = (concept: Concept) => scan.rows.some((row) => row.labels.some((label) => label.concept === concept))
  const text = scan.rows.map((row) => folded(row.text)).join("\n")
  if (/\bpaypal\b/.test(text)) return "paypal"
  if (
    /\b(?:lastschrift|sepa direct debit|prelevement sepa|domiciliering|domiciliation|addebito diretto|incasso)\b/.test(
      text
    )
  )
    return "direct_debit"
  const paid = (concept: Concept) => scan.amounts.filter(({ concepts }) => concepts.has(concept))
  const isPaid = (concept: Concept) => paid(concept).some(({ units }) => units > 0)
  if (isPaid("cash") && (isPaid("change") || !isPaid("card"))) return "cash"
  // A till that prints "card" with zero amounts lists all methods, and nothing was paid by card.
  if (said("card") && (isPaid("card") || paid("card").length === 0)) return "card"
  if (said("cash")) return "cash"
  if (/\biban\b/.test(text) && transfer.test(text)) return "bank_transfer"
  return undefined
}
