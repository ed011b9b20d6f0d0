import type { Correspondents, PrintedOrganization } from "../Correspondents.ts"
import { isText } from "../DocumentFormat.ts"
import { documentLabels, type DocumentLanguage } from "../DocumentLabels.ts"
import { sellerLabels } from "./SellerLabels.ts"

/** A tax number with its label: the VAT identifier, or the number of a German or Austrian tax office. */
export const taxNumberOf = (
  { country, tax_number }: { readonly country: string | null; readonly tax_number: string | null },
  labels: { readonly vat: string; readonly national: string }
): readonly [label: string, value: string | null] => {
  const national = german_speaking.has(country ?? "") && !/^[A-Z]{2}/.test(tax_number ?? "")
  return [national ? labels.national : labels.vat, tax_number]
}

/** Countries whose tax offices number taxpayers in digits alone, beside the VAT identifier. */
const german_speaking = new Set(["AT", "DE"])

/** What the foot of a page says of the seller, in columns. */
export const sellerFacts = (
  organization: PrintedOrganization,
  language: DocumentLanguage
): ReadonlyArray<ReadonlyArray<string>> => {
  const own = sellerLabels[language]
  const { registration_number, tax_number } = documentLabels[language]
  const { contact_email, legal_form, name, website } = organization
  const business = [
    ...[name, legal_form].filter(isText),
    ...labeled([
      [own.share_capital, organization.share_capital],
      [own.managing_directors, organization.managing_directors]
    ])
  ]
  const numbers = labeled([
    [own.register_court, organization.register_court],
    [registration_number, organization.registration_number],
    taxNumberOf(organization, { vat: tax_number, national: own.national_tax_number }),
    [own.national_tax_number, organization.national_tax_number]
  ])
  return [business, numbers, [website, contact_email].filter(isText)].filter((column) => column.length > 0)
}

const labeled = (rows: ReadonlyArray<readonly [label: string, value: string | null]>) =>
  rows.flatMap(([label, value]) => (isText(value) ? [`${label} ${value}`] : []))

/**
 * What an invoice says about payments that come late or early: the organization's own words, or in France to a business
 * what the law says without them. A customer with a tax number is a business.
 */
export const paymentWording = (
  { customer, organization }: Correspondents,
  language: DocumentLanguage
): ReadonlyArray<string> => {
  const { early_payment_discount, late_payment_penalty } = organization
  const labels = sellerLabels[language]
  const french = organization.country === "FR" && isText(customer.tax_number)
  return [
    late_payment_penalty ?? (french ? labels.french_penalty : null),
    french ? labels.french_recovery : null,
    early_payment_discount ?? (french ? labels.french_discount : null)
  ].filter(isText)
}
