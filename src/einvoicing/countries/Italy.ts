import { TimeZone } from "../../kernel/Calendar.ts"
import { errors, sellerAddressed } from "../records/Finding.ts"
import { type EinvoicingCountry, usual } from "./EinvoicingCountry.ts"
import { fatturaForm } from "./Form.ts"

/** The Sistema di Interscambio compares dates with the day in Rome. */
export const rome = TimeZone.make("Europe/Rome")

const findings: EinvoicingCountry["rules"]["findings"] = (invoice) => [
  ...errors([
    invoice.seller.tax_registration !== null && !/^[A-Z0-9]{11,16}$/.test(invoice.seller.tax_registration),
    "IT-R-001",
    "An Italian seller's tax number has 11 to 16 letters and digits.",
    "/organization/tax_number",
    "Set tax_number on the organization to its partita IVA or codice fiscale."
  ]),
  ...sellerAddressed(invoice, { line1: "IT-R-002", city: "IT-R-003", postal_code: "IT-R-004" })
]

export const italy: EinvoicingCountry = {
  ...usual,
  code: "IT",
  law: "Invoices are valid only once the Sistema di Interscambio has accepted them.",
  network: "it_sdi",
  schemes: { company: ["0211"], individual: ["0210"], government: ["0201"] },
  vat_scheme: "0211",
  // Documents to foreign customers also go to the authority, where they count as the declaration of these sales.
  form: { domestic: fatturaForm, abroad: fatturaForm },
  rules: { of: "taxpayer", findings }
}
