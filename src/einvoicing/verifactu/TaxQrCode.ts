import type { TaxQr, VerifiableDocument } from "../../billing/printing/ClearanceStamps.ts"
import type { Environment } from "../../kernel/Environment.ts"
import { dateText, numberOf } from "./InvoiceRecord.ts"
import { amountText, isMarginScheme, totalOf } from "./RecordAmounts.ts"
import { isNif, nifOf } from "./RecordParties.ts"

const hosts: Readonly<Record<Environment, string>> = {
  production: "https://www2.agenciatributaria.gob.es",
  sandbox: "https://prewww2.aeat.es"
}

interface Mode {
  readonly environment: Environment
  /** True for an organization whose records are sent to the AEAT (VERI*FACTU). */
  readonly isSent: boolean
}

/**
 * Builds the QR code of the AEAT. Returns null for a draft, for a document that gets no record, if its total in euros is
 * unknown, or if the seller has no valid tax number (NIF).
 */
export const taxQrOf = (
  document: VerifiableDocument,
  tax_number: string | null,
  { environment, isSent }: Mode
): TaxQr | null => {
  const { currency, exchange_rate, issue_date, number, tax_breakdown } = document
  const nif = nifOf(tax_number ?? "")
  if (number === null || issue_date === null || !isNif(nif) || tax_breakdown.some(isMarginScheme)) return null
  if (currency !== "EUR" && exchange_rate === null) return null
  const query = new URLSearchParams({
    nif,
    numserie: numberOf(number),
    fecha: dateText(issue_date),
    importe: amountText(totalOf(document))
  })
  return {
    url: `${hosts[environment]}/wlpl/TIKE-CONT/ValidarQR${isSent ? "" : "NoVerifactu"}?${query.toString()}`,
    title: "QR tributario:",
    sentence: isSent ? "Factura verificable en la sede electrónica de la AEAT (VERI*FACTU)" : null
  }
}
