import type { Correspondents } from "../../billing/correspondence/Correspondents.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { EInvoice, Payee, PaymentInstructions } from "../invoice/EInvoice.ts"
import type { Profile } from "../invoice/Profiles.ts"

/** The customer's means of payment, as stored with the document. */
interface SourceMeans {
  readonly method: "bank_transfer" | "direct_debit" | "card" | "cash"
  /** Account that receives the transfer; absent or null for that of the organization. */
  readonly iban?: string | null
  readonly bic?: string | null
  readonly mandate_reference: string | null
  readonly creditor_identifier: string | null
  readonly debited_iban: string | null
  readonly card_last_digits: string | null
  readonly card_holder: string | null
}

interface SourcePayee {
  readonly name: string
  readonly identifier: string | null
  readonly identifier_scheme: string | null
  readonly registration_number: string | null
}

export interface SourcePayment {
  readonly kind: EInvoice["kind"]
  readonly currency: CurrencyCode
  readonly payment_reference: string | null
  /** Null means a transfer to the organization's bank account. */
  readonly payment_means: SourceMeans | null
  readonly payee: SourcePayee | null
}

/** The payee must differ from the seller (BR-17). France requires a scheme for its identifier (BR-FR-CO-10). */
export const payeeOf = ({ payee }: SourcePayment, seller: string, { rules }: Profile): Payee | null => {
  if (payee === null || payee.name === seller) return null
  const { identifier, identifier_scheme: scheme, name, registration_number } = payee
  const isLeftOut = identifier === null || (scheme === null && rules === "france")
  return { name, identifier: isLeftOut ? null : { scheme, value: identifier }, registration_number }
}

/** Payment means codes of UNTDID 4461. */
const not_defined = "1"
const cash = "10"
const credit_transfer = "30"
const card = "48"
const direct_debit = "49"
const sepa_credit_transfer = "58"
const sepa_direct_debit = "59"

export const paymentOf = (document: SourcePayment, parties: Correspondents): PaymentInstructions | null => {
  const { payment_means: means, payment_reference: reference } = document
  const none = { reference, account: null, card: null, debit: null }
  if (document.kind === "credit_note") {
    // Germany requires payment instructions on credit notes, too (DE-R-001).
    return isDomestic("DE", parties) ? { ...none, means_code: not_defined } : null
  }
  switch (means?.method) {
    case "cash":
      return { ...none, means_code: cash }
    case "card": {
      const { card_holder: holder, card_last_digits: digits } = means
      return { ...none, means_code: card, card: digits === null ? null : { digits, holder } }
    }
    case "direct_debit": {
      const { creditor_identifier: creditor, debited_iban: iban, mandate_reference: mandate } = means
      const means_code = document.currency === "EUR" ? sepa_direct_debit : direct_debit
      return { ...none, means_code, debit: mandate === null ? null : { mandate, creditor, iban } }
    }
    case "bank_transfer":
    case undefined:
      return transferOf(document, parties)
  }
}

const transferOf = (
  { currency, payee, payment_means: means, payment_reference: reference }: SourcePayment,
  parties: Correspondents
) => {
  const own = parties.organization
  const { bic, iban } = means?.iban ? { iban: means.iban, bic: means.bic ?? null } : own
  const none = { reference, account: null, card: null, debit: null }
  if (iban === null) return reference === null ? null : { ...none, means_code: not_defined }
  // Denmark does not allow code 30 for a domestic transfer (DK-R-005).
  const other_code = isDomestic("DK", parties) ? not_defined : credit_transfer
  return {
    ...none,
    means_code: currency === "EUR" ? sepa_credit_transfer : other_code,
    // The account belongs to the payee, if there is one. Banks compare the name with that of the account's holder.
    account: { iban, bic, name: payee?.name ?? own.name }
  }
}

const isDomestic = (country: string, { customer, organization }: Correspondents): boolean =>
  organization.country === country && customer.country === country
