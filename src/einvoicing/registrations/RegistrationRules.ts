import { Effect, Option } from "effect"
import { checkIdentifier, easCode } from "../../customers/NetworkIdentifier.ts"
import { addDays, type Day, TimeZone, today } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { type FieldErrors, ValidationFailed } from "../../kernel/Refusal.ts"
import { isSchemeOf, vatScheme } from "../directory/Requirements.ts"
import { DocumentType, type NetworkDefinition, networkOf } from "../providers/Network.ts"
import type { ParticipantIdentifier } from "../providers/Provider.ts"
import type { RegistrationDraft, StoredRegistration } from "./Registration.ts"
import { ProviderMismatch, RoleRequired } from "./RegistrationErrors.ts"

type Facts = Omit<StoredRegistration, "id" | "status" | "environment" | "submitted_at" | "approved_at" | "updated_at">

interface Drafted {
  readonly network: NetworkDefinition
  readonly facts: Facts
}

/** The French directory needs two days to activate an entry. */
const annuaire_days = 2
const paris = TimeZone.make("Europe/Paris")
const france = CountryCode.make("FR")

/** The first day on which a new entry of the French directory can be active. */
export const annuaireEarliest = Effect.map(today(paris), (day) => addDays(day, annuaire_days))

const isFrenchAddress = (scheme: string): boolean => easCode(scheme) === "0225"

/** Builds the registration of a draft, or fails with the reason why it is impossible. */
export const drafted = Effect.fnUntraced(function* (draft: RegistrationDraft) {
  const network = Option.getOrUndefined(networkOf(draft.country_code))
  if (network === undefined) {
    return yield* ValidationFailed.of({
      country_code: ["The country_code field must be a country in which e-invoicing is supported."]
    })
  }
  if ((draft.provider ?? network.code) !== network.code) return yield* ProviderMismatch.of(network.code)
  const roles = {
    acts_as_sender: draft.acts_as_sender ?? true,
    acts_as_receiver: draft.acts_as_receiver ?? true
  }
  if (!roles.acts_as_sender && !roles.acts_as_receiver) return yield* RoleRequired.of()
  const earliest = yield* annuaireEarliest
  const errors = {
    ...identifierErrors(network, draft),
    ...vatErrors(draft),
    ...frenchErrors(draft, earliest),
    ...spanishErrors(draft)
  }
  if (Object.keys(errors).length > 0) return yield* ValidationFailed.of(errors)
  const drafted: Drafted = { network, facts: { ...factsOf(network, draft, earliest), ...roles } }
  return drafted
})

const identifierErrors = (network: NetworkDefinition, draft: RegistrationDraft): FieldErrors => {
  const { country_code, identifier_scheme, identifier_value } = draft
  if (!isSchemeOf(network, country_code, identifier_scheme)) {
    const problem = `The identifier_scheme field must be a scheme of ${country_code}; see identifiers/requirements.`
    return { identifier_scheme: [problem] }
  }
  return refused("identifier_value", { scheme: identifier_scheme, value: identifier_value })
}

const vatErrors = (draft: RegistrationDraft): FieldErrors =>
  Option.match(vatIdentifier(draft), { onNone: () => ({}), onSome: (identifier) => refused("vat_number", identifier) })

const refused = (field: string, { scheme, value }: ParticipantIdentifier): FieldErrors =>
  Option.match(checkIdentifier(scheme, value), {
    onNone: () => ({}),
    onSome: (problem) => ({ [field]: [`The ${field} field ${problem}`] })
  })

/** A start date before today plus two days gives 422; the field is ignored for other schemes (spec). */
const frenchErrors = (draft: RegistrationDraft, earliest: Day): FieldErrors => {
  if (!isFrenchAddress(draft.identifier_scheme)) return {}
  const start = draft.annuaire_start_date ?? earliest
  const isMesh = isRoutingCode(draft.identifier_value)
  return {
    ...(start < earliest
      ? { annuaire_start_date: [`The annuaire_start_date field may not be before ${earliest}.`] }
      : {}),
    ...(isMesh && isBlank(draft.routing_code_label)
      ? { routing_code_label: ["The routing_code_label field is required for a routing code."] }
      : {}),
    ...(isMesh && (draft.routing_code_address ?? null) === null
      ? { routing_code_address: ["The routing_code_address field is required for a routing code."] }
      : {})
  }
}

const isBlank = (text: string | null | undefined): boolean => (text ?? "").trim() === ""

/** A routing code has the form SIREN_SIRET_code. */
const isRoutingCode = (value: string): boolean => /^\d{9}_\d{14}_./.test(value)

const spanishErrors = ({ country_code, es_sii_registered }: RegistrationDraft): FieldErrors =>
  country_code === "ES" && (es_sii_registered ?? null) === null
    ? { es_sii_registered: ["The es_sii_registered field is required in Spain."] }
    : {}

/** Turns the VAT number into an address without separators; none in countries whose networks have no VAT scheme. */
const vatIdentifier = ({ country_code, vat_number }: RegistrationDraft): Option.Option<ParticipantIdentifier> => {
  const value = (vat_number ?? "").replace(/[\s.-]/g, "").toUpperCase()
  return value === "" ? Option.none() : Option.map(vatScheme(country_code), (scheme) => ({ scheme, value }))
}

const factsOf = (
  network: NetworkDefinition,
  draft: RegistrationDraft,
  earliest: Day
): Omit<Facts, "acts_as_sender" | "acts_as_receiver"> => {
  const main = { scheme: draft.identifier_scheme, value: draft.identifier_value }
  const vat = Option.toArray(vatIdentifier(draft)).filter(({ scheme }) => scheme !== main.scheme)
  const isFrench = isFrenchAddress(main.scheme)
  const isSpanish = draft.country_code === "ES"
  const address = draft.routing_code_address ?? null
  return {
    organization_id: draft.organization_id,
    provider: network.code,
    legal_name: draft.legal_name,
    country_code: draft.country_code,
    city: draft.city,
    postal_code: draft.postal_code,
    address_line1: draft.address_line1,
    address_line2: draft.address_line2 ?? null,
    state: draft.state ?? null,
    vat_number: draft.vat_number ?? null,
    tax_reference_id: draft.tax_reference_id ?? null,
    tax_registered: draft.tax_registered ?? null,
    document_types: draft.document_types ?? DocumentType.literals,
    identifiers: [main, ...vat].map(({ scheme, value }) => ({
      scheme,
      identifier: value,
      status: "pending",
      networks_specification: network.specification
    })),
    annuaire_start_date: isFrench ? (draft.annuaire_start_date ?? earliest) : null,
    routing_code_label: isFrench ? (draft.routing_code_label ?? null) : null,
    routing_code_address: isFrench && address !== null ? { ...address, country: address.country ?? france } : null,
    es_sii_registered: isSpanish ? (draft.es_sii_registered ?? null) : null,
    es_foral_territory: isSpanish ? (draft.es_foral_territory ?? null) : null,
    rejection_reason: null
  }
}
