import { Effect } from "effect"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { addDays, today, TimeZone } from "../../kernel/Calendar.ts"
import { CountryCode, french_territories } from "../../kernel/Country.ts"
import { isBlank } from "../../kernel/Text.ts"
import { companies, type EinvoicingCountry, no_national_facts, usual } from "./EinvoicingCountry.ts"
import { frenchCtc, peppolBis } from "./Form.ts"
import { directory_scheme, siren_scheme, siret_scheme } from "./FrenchCodes.ts"

/** The French directory needs two days to activate an entry. */
const annuaire_days = 2
const paris = TimeZone.make("Europe/Paris")

export const annuaireEarliest = Effect.map(today(paris), (day) => addDays(day, annuaire_days))

const siren_length = 9

const isDirectoryAddress = (scheme: string): boolean => easCode(scheme) === directory_scheme

/** Turns a SIREN or a SIRET into an address of the French directory. Other identifiers stay as they are. */
const routed: EinvoicingCountry["routed"] = ({ scheme, value }) => {
  const code = easCode(scheme)
  if (code === siren_scheme) return { scheme: directory_scheme, value }
  if (code === siret_scheme) return { scheme: directory_scheme, value: `${value.slice(0, siren_length)}_${value}` }
  return { scheme, value }
}

/** Checks the French fields of a registration, but only if its identifier is an address of the French directory. */
const errors: EinvoicingCountry["registration"]["errors"] = (draft, earliest) => {
  if (!isDirectoryAddress(draft.identifier_scheme)) return {}
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

/** A routing code has the form SIREN_SIRET_code. */
const isRoutingCode = (value: string): boolean => /^\d{9}_\d{14}_./.test(value)

const facts: EinvoicingCountry["registration"]["facts"] = (draft, earliest) => {
  if (!isDirectoryAddress(draft.identifier_scheme)) return no_national_facts
  const address = draft.routing_code_address ?? null
  return {
    ...no_national_facts,
    annuaire_start_date: draft.annuaire_start_date ?? earliest,
    routing_code_label: draft.routing_code_label ?? null,
    routing_code_address:
      address === null ? null : { ...address, country: address.country ?? CountryCode.make(france.code) }
  }
}

export const france: EinvoicingCountry = {
  ...usual,
  code: "FR",
  territories: french_territories,
  law: "Businesses receive structured invoices since September 2026 and send them then or from September 2027.",
  network: "fr_ctc",
  schemes: companies("FR:SIREN", "FR:SIRET", "FR:CTC"),
  vat_scheme: "9957",
  registers: [siren_scheme, siret_scheme],
  form: { domestic: frenchCtc, abroad: peppolBis },
  routed,
  registration: {
    required: [],
    optional: ["annuaire_start_date", "routing_code_label", "routing_code_address"],
    errors,
    facts
  }
}
