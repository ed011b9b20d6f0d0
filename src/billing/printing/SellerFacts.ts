import { BigDecimal } from "effect"
import type { Correspondents, PrintedOrganization } from "../correspondence/Correspondents.ts"
import { isText, textOr } from "./DocumentFormat.ts"
import { isFrench } from "../../kernel/Country.ts"
import { prefixOf } from "../../kernel/Union.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { labelsIn } from "./labels/Labels.ts"

/**
 * Returns a tax number with the name that its country gives it. In Germany and Austria, a number without a country
 * prefix comes from the tax office.
 */
export const taxNumberOf = (
  { country, tax_number }: { readonly country: string | null; readonly tax_number: string | null },
  whose: "own" | "yours",
  language: PageLanguage
): readonly [label: string, value: string | null] => {
  const { document, seller } = labelsIn[language]
  const [vat, national] =
    whose === "own"
      ? [document.tax_number, seller.national_tax_number]
      : [document.your_tax_number, seller.your_national_tax_number]
  const isNational = german_speaking.has(country ?? "") && !/^[A-Z]{2}/.test(tax_number ?? "")
  // In English, every tax number that begins with the code of its country is called a VAT number.
  const isPrefixed = country !== null && tax_number?.startsWith(prefixOf(country))
  const name = language === "en" && isPrefixed ? vat_number : tax_numbers[country ?? ""]?.[language]
  return [isNational ? national : (name?.[whose] ?? vat), tax_number]
}

/** Countries whose tax offices assign numbers without letters in addition to the VAT identifier. */
const german_speaking = new Set(["AT", "DE"])

const vat_number = { own: "VAT number", yours: "Your VAT number" }
const mwst_number = { own: "MWST-Nr.", yours: "Ihre MWST-Nr." }

/** Names of tax numbers that differ from the usual name in the document's language. */
const tax_numbers: {
  readonly [country: string]: { readonly [language in PageLanguage]?: Record<"own" | "yours", string> }
} = {
  AT: { de: { own: "UID-Nr.", yours: "Ihre UID-Nr." } },
  AU: { en: { own: "ABN", yours: "Your ABN" } },
  BR: { pt: { own: "CNPJ", yours: "O seu CNPJ" } },
  CH: {
    de: mwst_number,
    fr: { own: "N° TVA", yours: "Votre n° TVA" },
    it: { own: "N. IVA", yours: "Vostro n. IVA" }
  },
  GB: { en: vat_number },
  IE: { en: vat_number },
  IN: { en: { own: "GSTIN", yours: "Your GSTIN" } },
  LI: { de: mwst_number },
  MX: { es: { own: "RFC", yours: "Su RFC" } },
  PL: { pl: { own: "NIP", yours: "NIP nabywcy" } }
}

/** Returns the columns of the page footer, which contain the seller's legal particulars. */
export const sellerFacts = (
  organization: PrintedOrganization,
  language: PageLanguage
): ReadonlyArray<ReadonlyArray<string>> => {
  const own = labelsIn[language].seller
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
    taxNumberOf(organization, "own", language),
    [own.national_tax_number, organization.national_tax_number]
  ])
  const site = website?.replace(/^https?:\/\//i, "").replace(/\/$/, "") ?? null
  return [business, [...register, ...numbers], [site, contact_email].filter(isText)].filter(
    (column) => column.length > 0
  )
}

/** In France, the label depends on the number of digits. */
const registrationLabel = (
  { country, registration_number }: Pick<PrintedOrganization, "country" | "registration_number">,
  language: PageLanguage
): string => {
  const digits = registration_number?.replaceAll(/\s/g, "") ?? ""
  if (isFrench(country) && /^(?:\d{9}|\d{14})$/.test(digits)) return digits.length === 9 ? "SIREN" : "SIRET"
  return registrations[country ?? ""]?.[language] ?? labelsIn[language].document.registration_number
}

const registrations: { readonly [country: string]: { readonly [language in PageLanguage]?: string } } = {
  BE: { nl: "Ondernemingsnummer", fr: "N° d’entreprise", de: "Unternehmensnummer" },
  NL: { nl: "KVK-nummer" }
}

const labeled = (rows: ReadonlyArray<readonly [label: string, value: string | null]>) =>
  rows.flatMap(([label, value]) => (isText(value) ? [`${label} ${value}`] : []))

/**
 * Returns the organization's terms for late and early payment. On a French invoice to a business (a customer with a tax
 * number), the law's wording replaces missing terms, and the compensation for recovery costs is always stated.
 */
export const paymentWording = (
  { customer, organization }: Correspondents,
  language: PageLanguage
): ReadonlyArray<string> => {
  const { early_payment_discount, late_payment_penalty } = organization
  const labels = labelsIn[language].seller
  const french = isFrench(organization.country) && isText(customer.tax_number)
  return [
    textOr(late_payment_penalty, french ? labels.french_penalty : null),
    french ? labels.french_recovery : null,
    textOr(early_payment_discount, french ? labels.french_discount : null)
  ].filter(isText)
}

/**
 * Belgian law prescribes this sentence for credit notes with VAT to a business, which may have deducted the VAT (Royal
 * Decree no. 4 of 29 December 1969, art. 4).
 */
export const creditWording = (
  { customer, organization }: Correspondents,
  tax_total: BigDecimal.BigDecimal,
  language: PageLanguage
): string | null =>
  organization.country === "BE" && isText(customer.tax_number) && !BigDecimal.isZero(tax_total)
    ? labelsIn[language].seller.belgian_repayment
    : null
