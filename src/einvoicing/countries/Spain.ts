import { as_registered, companies, no_national_facts, no_rules, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { unwritten } from "./Form.ts"

const offer = unwritten("verifactu-1.0", "VERI*FACTU takes chained records of invoices, which are not written.")

export const spain: EinvoicingCountry = {
  code: "ES",
  law: "Companies record their invoices under VERI*FACTU from 2027, unless they are registered for SII.",
  network: "es_verifactu",
  schemes: companies("9920"),
  vat_scheme: "9920",
  registers: [],
  states_tax_number: true,
  form: { domestic: offer, abroad: offer },
  routed: as_registered,
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
  rules: no_rules
}
