import { BigDecimal } from "effect"
import type { ResolvedItem } from "../../src/billing/lines/Totals.ts"
import type { SourceDocument } from "../../src/einvoicing/sources/FromDocument.ts"

const decimal = BigDecimal.fromStringUnsafe

/** A change of a document. It makes the document break a rule, or looks as if it did. */
export interface Flaw {
  readonly customer?: object
  readonly organization?: object
  readonly recipient?: { readonly scheme?: string; readonly value?: string }
  readonly item?: Partial<ResolvedItem>
  readonly exemption_code?: string
  readonly document?: Partial<SourceDocument>
}

export const nowhere = {
  name: null,
  address_line1: null,
  address_line2: null,
  city: null,
  state: null,
  postal_code: null
}

export const payee = (identifier_scheme: string | null): SourceDocument["payee"] => ({
  name: "Factor & Söhne",
  identifier: "5412345000013",
  identifier_scheme,
  registration_number: "HRB 77"
})

const no_means = {
  mandate_reference: null,
  creditor_identifier: null,
  debited_iban: null,
  card_last_digits: null,
  card_holder: null
}
export type Means = NonNullable<SourceDocument["payment_means"]>
export const means = (method: Means["method"], given: Partial<Means> = {}): Means => ({ method, ...no_means, ...given })

export const file = { name: "hours.csv", description: "Hours", mime_type: "text/csv", base64: "YTtiCjE7Mgo=" }

/** Changes that only break rules of the Sistema di Interscambio. */
export const italian_flaws: ReadonlyArray<Flaw> = [
  { exemption_code: "VATEX-IT-N6-1" },
  { exemption_code: "VATEX-IT-N9" },
  { exemption_code: "VATEX-EU-79-C" },
  { exemption_code: "VATEX-EU-148" },
  { exemption_code: "VATEX-EU-151" },
  { customer: { tax_number: "RCCMNL83S18D969H" } },
  { customer: { tax_number: "IT00743110158" } },
  { customer: { postal_code: "1234" } },
  { customer: { state: "RM" } },
  { customer: { address_line1: "Via di una citta con un nome che non finisce mai, numero centoventitre" } },
  { customer: { name: "Società Łódź – “Ünïcode” S.r.l." } },
  { organization: { national_tax_number: "RCCMNL83S18D969H" } },
  { organization: { tax_number: "IT00743110158" } },
  { recipient: { scheme: "IT:SDI", value: "M5UXCR" } },
  { recipient: { scheme: "IT:PEC", value: "no address" } },
  { document: { number: "INV/2026/0000000000042" } },
  { document: { number: "ABC" } },
  { document: { purchase_order: "An order number that exceeds twenty characters" } },
  { document: { notes: "x".repeat(450) } }
]

export const flaws: ReadonlyArray<Flaw> = [
  { organization: { tax_number: null } },
  { organization: { tax_number: null, registration_number: null } },
  { organization: { iban: null } },
  { organization: { iban: null }, document: { payment_reference: null } },
  { organization: { contact_phone: null } },
  { organization: { contact_email: null, contact_phone: null } },
  { organization: { city: null } },
  { organization: { address_line1: null } },
  { organization: { postal_code: null } },
  { organization: { registration_number: "X 1" } },
  { organization: { legal_form: null, registration_number: null } },
  { customer: { tax_number: null } },
  { customer: { tax_number: "12345" } },
  { customer: { city: null, postal_code: null } },
  { customer: { address_line1: null } },
  { customer: { country: null } },
  { recipient: { scheme: "0212", value: "2077474-0" } },
  { recipient: { scheme: "0193", value: "BE1234" } },
  { recipient: { scheme: "0088", value: "5412345000014" } },
  { recipient: { scheme: "0246", value: "DE136695976" } },
  { item: { unit: "ZZ9" } },
  { item: { unit: "XPK" } },
  { item: { unit_price: decimal("0") } },
  { item: { unit_price: decimal("0.004"), quantity: decimal("3") } },
  { document: { notes: "  " } },
  { document: { terms: "#SKONTO" } },
  { document: { terms: "#SKONTO#TAGE=14#PROZENT=2.25#" } },
  { document: { terms: "Pay #1 now" } },
  { document: { delivery: null } },
  { document: { number: "" } },
  { document: { payment_reference: null } },
  { document: { number: "R 1" } },
  { document: { operation_nature: null } },
  { document: { payee: payee("0092") } },
  { document: { payee: payee("0088") } },
  { document: { payment_means: means("direct_debit", { mandate_reference: "M-1" }) } },
  { document: { payment_means: means("cash") } },
  { document: { delivery_address: { ...nowhere, country: "DE" } } },
  { document: { attachments: [file, file] } },
  { exemption_code: "VATEX-EU-999" },
  { exemption_code: "VATEX-EU-F" },
  { exemption_code: "VATEX-EU-O" }
]
