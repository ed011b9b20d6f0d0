import { Schema } from "effect"
import type { SchemeName } from "../../customers/identifiers/NetworkIdentifier.ts"
import type { Day } from "../../kernel/Calendar.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { FieldErrors } from "../../kernel/Refusal.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import type { ProviderCode } from "../providers/Network.ts"
import type { ParticipantIdentifier } from "../providers/Provider.ts"
import type { RegistrationDraft, StoredRegistration } from "../records/Registration.ts"
import type { Finding } from "../records/Finding.ts"
import { type FormOffer, peppolBis } from "./Form.ts"

export const Nature = Schema.Literals(["company", "individual", "government"]).annotate({
  identifier: "CounterpartyNature",
  description: "Nature of a legal entity, which decides its identifier schemes."
})
export type Nature = typeof Nature.Type

type Schemes = readonly [SchemeName, ...ReadonlyArray<SchemeName>]

/** The fields of a registration that only some countries require. */
type NationalFacts = Pick<
  StoredRegistration,
  "annuaire_start_date" | "routing_code_label" | "routing_code_address" | "es_sii_registered" | "es_foral_territory"
>

interface NationalRegistration {
  readonly required: ReadonlyArray<keyof RegistrationDraft>
  readonly optional: ReadonlyArray<keyof RegistrationDraft>
  /** `earliest` is the first day on which a new entry of the French directory can be active. */
  readonly errors: (draft: RegistrationDraft, earliest: Day) => FieldErrors
  readonly facts: (draft: RegistrationDraft, earliest: Day) => NationalFacts
}

/** The rules that Peppol BIS Billing 3 has for sellers of the country. */
interface NationalRules {
  /** The sellers that the rules bind: those who reside in the country, or all who have its VAT identifier. */
  readonly of: "resident" | "taxpayer"
  readonly findings: (invoice: EInvoice, customer_id: CustomerId, isDomestic: boolean) => ReadonlyArray<Finding>
}

/** Everything that e-invoicing needs to know about a country. The compiler reports a country that lacks a field. */
export interface EinvoicingCountry {
  /** The ISO 3166 code. */
  readonly code: string
  /** ISO 3166 codes of the overseas territories in which the law of the country applies, too. */
  readonly territories: ReadonlyArray<string>
  readonly law: string
  readonly network: ProviderCode
  /**
   * The identifier schemes of companies, individuals and public bodies. Trading partners look up a legal entity by the
   * first scheme.
   */
  readonly schemes: Readonly<Record<Nature, Schemes>>
  /** The scheme of the VAT number, which a registration may add as a second address. */
  readonly vat_scheme: SchemeName | null
  /** ISO 6523 codes of the business registers (BT-30). */
  readonly registers: ReadonlyArray<SchemeName>
  /** False if BT-32 of this country's sellers is not their tax number, but a text such as that of the Swedish F-tax. */
  readonly states_tax_number: boolean
  readonly form: { readonly domestic: FormOffer; readonly abroad: FormOffer }
  /** Returns the address by which the network of the country routes domestic documents; see `routingBetween`. */
  readonly routed: (address: ParticipantIdentifier) => ParticipantIdentifier
  readonly registration: NationalRegistration
  /** Returns why the law exempts an entity from transmitting documents; absent in countries without exemptions. */
  readonly exempt?: (facts: Pick<NationalFacts, "es_sii_registered" | "es_foral_territory">) => string | null
  readonly rules: NationalRules
}

export const isDomestic = ({ code, territories }: EinvoicingCountry, other: string): boolean =>
  other === code || territories.includes(other)

/** Returns how the network of the seller's country addresses a document to a customer in another or the same country. */
export const routingBetween = (own: EinvoicingCountry, other: string): EinvoicingCountry["routed"] =>
  isDomestic(own, other) ? own.routed : usual.routed

export const companies = (...schemes: Schemes): EinvoicingCountry["schemes"] => ({
  company: schemes,
  individual: schemes,
  government: schemes
})

export const no_national_facts: NationalFacts = {
  annuaire_start_date: null,
  routing_code_label: null,
  routing_code_address: null,
  es_sii_registered: null,
  es_foral_territory: null
}

/** Defaults for most countries: no territories, no national fields of a registration, and no national rules. */
export const usual = {
  territories: [],
  registers: [],
  states_tax_number: true,
  /** Uses the registered address unchanged, as all networks but the French one do. */
  routed: (address: ParticipantIdentifier) => address,
  registration: { required: [], optional: [], errors: () => ({}), facts: () => no_national_facts },
  rules: { of: "resident", findings: () => [] }
} satisfies Partial<EinvoicingCountry>

/** Defaults for most countries whose businesses exchange Peppol BIS Billing 3. */
export const usual_peppol = {
  ...usual,
  network: "peppol",
  form: { domestic: peppolBis, abroad: peppolBis }
} satisfies Partial<EinvoicingCountry>
