import type { SchemeName } from "../../customers/identifiers/NetworkIdentifier.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

interface PeppolCountry extends Pick<EinvoicingCountry, "code" | "law" | "vat_scheme"> {
  /** The identifier scheme of businesses: that of a business register or that of the VAT number. */
  readonly scheme: SchemeName
}

const peppol = ({ code, law, scheme, vat_scheme }: PeppolCountry): EinvoicingCountry => ({
  ...usual_peppol,
  code,
  law,
  schemes: companies(scheme),
  vat_scheme,
  registers: scheme === vat_scheme ? [] : [scheme]
})

/** Countries whose businesses exchange Peppol BIS Billing 3 and have no rules of their own. */
const plain: ReadonlyArray<PeppolCountry> = [
  {
    code: "AT",
    law: "Suppliers of the federal government send structured invoices.",
    scheme: "9914",
    vat_scheme: "9914"
  },
  {
    code: "BE",
    law: "Businesses send each other structured invoices since 1 January 2026.",
    scheme: "0208",
    vat_scheme: "9925"
  },
  {
    code: "CH",
    law: "Suppliers of the federal administration send structured invoices.",
    scheme: "0183",
    vat_scheme: "9927"
  },
  {
    code: "EE",
    law: "A registered recipient may demand structured invoices since July 2025.",
    scheme: "0191",
    vat_scheme: "9931"
  },
  {
    code: "FI",
    law: "A business may demand structured invoices from its suppliers.",
    scheme: "0216",
    vat_scheme: null
  },
  { code: "IE", law: "Public bodies accept structured invoices.", scheme: "9935", vat_scheme: "9935" },
  { code: "LU", law: "Suppliers of public bodies send structured invoices.", scheme: "9938", vat_scheme: "9938" }
]

export const peppol_countries = plain.map(peppol)
