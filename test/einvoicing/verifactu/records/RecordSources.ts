import { sandbox_system as system } from "../../../../src/einvoicing/verifactu/AeatSettings.ts"
import { registrationRecord } from "../../../../src/einvoicing/verifactu/InvoiceRecord.ts"
import { recordRules } from "../../../../src/einvoicing/verifactu/RecordRules.ts"
import type { SourceDocument } from "../../../../src/einvoicing/sources/FromDocument.ts"
import { verifactu } from "../../../../src/einvoicing/invoice/Profiles.ts"
import { customer_id, day, einvoice, parties } from "../../ubl/Documents.ts"

const madrid = {
  name: "Talleres Pérez S.L.",
  country: "ES",
  tax_number: "ESB58378431",
  registration_number: null,
  address_line1: "Calle Mayor 1",
  city: "Madrid",
  postal_code: "28013",
  iban: "ES9121000418450200051332"
}
export const sevilla = { ...madrid, name: "Hermanos Gil", tax_number: "54362315-K", city: "Sevilla" }
export const berlin = { ...madrid, name: "Beta GmbH", country: "DE", tax_number: "DE136695976", city: "Berlin" }

const recorded = (source: SourceDocument, customer: object, organization: object) =>
  einvoice(source, parties({ customer: { ...madrid, ...customer }, organization: { ...madrid, ...organization } }), {
    profile: verifactu,
    sender: null,
    recipient: null
  })

const first = { previous: null, generated_at: "2026-03-01T09:30:00+01:00" }

/** Returns the record of a document of a seller in Madrid, to a customer in Seville. */
export const xmlOf = (source: SourceDocument, customer: object = sevilla, organization: object = {}) =>
  registrationRecord(recorded(source, customer, organization), { system, link: first, isCorrection: false }).xml

/** Returns the numbers of the rules that the document breaks. */
export const rulesOf = (source: SourceDocument, customer: object = sevilla, organization: object = {}) =>
  recordRules(recorded(source, customer, organization), customer_id, day("2026-03-01")).map(({ rule }) => rule)
