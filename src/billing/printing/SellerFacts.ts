import type { Correspondents, PrintedOrganization } from "../correspondence/Correspondents.ts"
import { isText } from "./DocumentFormat.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { labelsIn } from "./labels/Labels.ts"

/**
 * Returns a tax number with its label. In Germany and Austria, a number without a country prefix comes from the tax
 * office; every other number is a VAT identifier.
 */
export const taxNumberOf = (
  { country, tax_number }: { readonly country: string | null; readonly tax_number: string | null },
  labels: { readonly vat: string; readonly national: string }
): readonly [label: string, value: string | null] => {
  const national = german_speaking.has(country ?? "") && !/^[A-Z]{2}/.test(tax_number ?? "")
  return [national ? labels.national : labels.vat, tax_number]
}

/** Countries whose tax offices assign numbers without letters, beside the VAT identifier. */
const german_speaking = new Set(["AT", "DE"])

/** Returns the columns of the page footer, which contain the seller's legal particulars. */
export const sellerFacts = (
  organization: PrintedOrganization,
  language: PageLanguage
): ReadonlyArray<ReadonlyArray<string>> => {
  const own = labelsIn[language].seller
  const { tax_number } = labelsIn[language].document
  const { contact_email, legal_form, name, website } = organization
  const business = [
    ...[name, legal_form].filter(isText),
    ...labeled([
      [own.share_capital, organization.share_capital],
      [own.managing_directors, organization.managing_directors]
    ])
  ]
  // The register has no label, because its name explains itself: "RCS Paris", "Amtsgericht München".
  const register = [organization.register_court].filter(isText)
  const numbers = labeled([
    [registrationLabel(organization, language), organization.registration_number],
    taxNumberOf(organization, { vat: tax_number, national: own.national_tax_number }),
    [own.national_tax_number, organization.national_tax_number]
  ])
  return [business, [...register, ...numbers], [website, contact_email].filter(isText)].filter(
    (column) => column.length > 0
  )
}

/** Names a French number by its digits, and elsewhere uses the country's own name of the number where one is known. */
const registrationLabel = (
  { country, registration_number }: Pick<PrintedOrganization, "country" | "registration_number">,
  language: PageLanguage
): string => {
  const digits = registration_number?.replaceAll(/\s/g, "") ?? ""
  if (country === "FR" && /^(?:\d{9}|\d{14})$/.test(digits)) return digits.length === 9 ? "SIREN" : "SIRET"
  return registrations[country ?? ""]?.[language] ?? labelsIn[language].document.registration_number
}

const registrations: { readonly [country: string]: { readonly [language in PageLanguage]?: string } } = {
  BE: { nl: "Ondernemingsnummer", fr: "N° d’entreprise", de: "Unternehmensnummer" },
  NL: { nl: "KVK-nummer" }
}

const labeled = (rows: ReadonlyArray<readonly [label: string, value: string | null]>) =>
  rows.flatMap(([label, value]) => (isText(value) ? [`${label} ${value}`] : []))

/**
 * Returns the terms for late and early payment in the organization's own words. A French invoice to a business uses the
 * words of the law where the organization has none, and always states the compensation for recovery costs. A customer
 * with a tax number is a business.
 */
export const paymentWording = (
  { customer, organization }: Correspondents,
  language: PageLanguage
): ReadonlyArray<string> => {
  const { early_payment_discount, late_payment_penalty } = organization
  const labels = labelsIn[language].seller
  const french = organization.country === "FR" && isText(customer.tax_number)
  return [
    late_payment_penalty ?? (french ? labels.french_penalty : null),
    french ? labels.french_recovery : null,
    early_payment_discount ?? (french ? labels.french_discount : null)
  ].filter(isText)
}
