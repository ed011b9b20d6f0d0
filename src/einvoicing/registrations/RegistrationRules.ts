import { Effect, Option } from "effect"
import { checkIdentifier, easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import type { Day } from "../../kernel/Calendar.ts"
import { type FieldErrors, ValidationFailed } from "../../kernel/Refusal.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { EinvoicingCountry } from "../countries/EinvoicingCountry.ts"
import { annuaireEarliest } from "../countries/France.ts"
import { isSchemeOf } from "./Requirements.ts"
import { DocumentType, type NetworkDefinition, networks } from "../providers/Network.ts"
import type { ParticipantIdentifier } from "../providers/Provider.ts"
import type { RegistrationDraft, StoredRegistration } from "../records/Registration.ts"
import { ProviderMismatch, RoleRequired } from "./RegistrationErrors.ts"

type Facts = Omit<StoredRegistration, "id" | "status" | "environment" | "submitted_at" | "approved_at" | "updated_at">

interface Drafted {
  readonly network: NetworkDefinition
  readonly facts: Facts
}

export const drafted = Effect.fnUntraced(function* (draft: RegistrationDraft) {
  const country = Option.getOrUndefined(einvoicingCountry(draft.country_code))
  if (country === undefined) {
    return yield* ValidationFailed.of({
      country_code: ["The country_code field must be a country in which e-invoicing is supported."]
    })
  }
  const network = networks[country.network]
  if ((draft.provider ?? network.code) !== network.code) return yield* ProviderMismatch.of(network.code)
  const roles = {
    acts_as_sender: draft.acts_as_sender ?? true,
    acts_as_receiver: draft.acts_as_receiver ?? true
  }
  if (!roles.acts_as_sender && !roles.acts_as_receiver) return yield* RoleRequired.of()
  const earliest = yield* annuaireEarliest
  const errors = {
    ...identifierErrors(country, draft),
    ...vatErrors(country, draft),
    ...country.registration.errors(draft, earliest)
  }
  if (Object.keys(errors).length > 0) return yield* ValidationFailed.of(errors)
  const drafted: Drafted = { network, facts: { ...factsOf(country, draft, earliest), ...roles } }
  return drafted
})

const identifierErrors = (country: EinvoicingCountry, draft: RegistrationDraft): FieldErrors => {
  const { country_code, identifier_scheme, identifier_value } = draft
  if (!isSchemeOf(country, identifier_scheme)) {
    const problem = `The identifier_scheme field must be a scheme of ${country_code}; see identifiers/requirements.`
    return { identifier_scheme: [problem] }
  }
  return refused("identifier_value", { scheme: identifier_scheme, value: identifier_value })
}

const vatErrors = (country: EinvoicingCountry, draft: RegistrationDraft): FieldErrors =>
  Option.match(vatIdentifier(country, draft), {
    onNone: () => ({}),
    onSome: (identifier) => refused("vat_number", identifier)
  })

const refused = (field: string, { scheme, value }: ParticipantIdentifier): FieldErrors =>
  Option.match(checkIdentifier(scheme, value), {
    onNone: () => ({}),
    onSome: (problem) => ({ [field]: [`The ${field} field ${problem}`] })
  })

/** Turns the VAT number into an address without separators; none in countries whose networks have no VAT scheme. */
const vatIdentifier = (
  { vat_scheme }: EinvoicingCountry,
  { vat_number }: RegistrationDraft
): Option.Option<ParticipantIdentifier> => {
  const value = (vat_number ?? "").replace(/[\s.-]/g, "").toUpperCase()
  return value === "" || vat_scheme === null ? Option.none() : Option.some({ scheme: vat_scheme, value })
}

/** Value of `networks_specification` in countries for which this service writes no format. */
const unsupported = "unsupported"

const factsOf = (
  country: EinvoicingCountry,
  draft: RegistrationDraft,
  earliest: Day
): Omit<Facts, "acts_as_sender" | "acts_as_receiver"> => {
  const main = { scheme: draft.identifier_scheme, value: draft.identifier_value }
  const vat = Option.toArray(vatIdentifier(country, draft)).filter(({ scheme }) => scheme !== main.scheme)
  const { domestic } = country.form
  return {
    organization_id: draft.organization_id,
    provider: country.network,
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
      networks_specification: domestic.isWritten ? domestic.form.code : unsupported
    })),
    ...country.registration.facts(draft, earliest),
    rejection_reason: null
  }
}

/** Returns the address under which trading partners look up the entity; null if it has none. */
export const mainAddress = ({ identifiers: [main] }: Pick<StoredRegistration, "identifiers">) =>
  main === undefined ? null : { scheme: easCode(main.scheme), value: main.identifier }
