import { TimeZone } from "../../kernel/Calendar.ts"
import { companies, no_national_facts, type EinvoicingCountry, usual } from "./EinvoicingCountry.ts"
import { verifactuForm } from "./Form.ts"

/** The tax agency compares dates with the day in Madrid. */
export const madrid = TimeZone.make("Europe/Madrid")

export const spain: EinvoicingCountry = {
  ...usual,
  code: "ES",
  law: "Companies record their invoices under VERI*FACTU from 2027, unless they are registered for SII.",
  network: "es_verifactu",
  schemes: companies("9920"),
  vat_scheme: "9920",
  // The tax agency requires a record of every document, wherever the customer is.
  form: { domestic: verifactuForm, abroad: verifactuForm },
  registration: {
    required: ["es_sii_registered"],
    optional: ["es_foral_territory"],
    errors: ({ es_sii_registered }) =>
      (es_sii_registered ?? null) === null
        ? { es_sii_registered: ["The es_sii_registered field is required in Spain."] }
        : {},
    facts: ({ es_foral_territory, es_sii_registered }) => ({
      ...no_national_facts,
      es_sii_registered: es_sii_registered ?? null,
      es_foral_territory: es_foral_territory ?? null
    })
  },
  exempt: ({ es_foral_territory, es_sii_registered }) => {
    if (es_sii_registered === true) return "Businesses that are registered for SII do not make VERI*FACTU records."
    return (es_foral_territory ?? "none") === "none"
      ? null
      : "Businesses of the foral territories follow the rules of their own tax agencies, not VERI*FACTU."
  }
}
