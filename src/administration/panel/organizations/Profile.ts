import { Effect } from "effect"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { UpdateOrganization } from "../../AdministrationRpc.ts"
import { textOf } from "../PanelInput.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, toOrganization } from "./Organizations.ts"

const labels = {
  address_line1: "Address",
  address_line2: "Address, second line",
  postal_code: "Postal code",
  city: "City",
  contact_name: "Contact person",
  contact_email: "Email address for replies",
  contact_phone: "Telephone",
  website: "Website",
  tax_number: "VAT number",
  registration_number: "Registration number",
  legal_form: "Legal form"
} as const

const profileQuestions = Object.fromEntries(
  Object.entries(labels).map(([name, label]) => [
    name,
    // Boundary: `entries` widens the names, which are fields of an organization.
    { label, value: (organization: Organization) => organization[name as keyof typeof labels], characters_max: 255 }
  ])
)

const compact = (text: string | undefined) => text?.replaceAll(" ", "").toUpperCase() ?? null

/** The settings that the form asks for; the others keep their values. */
const settingsIn = (fields: URLSearchParams) => {
  const days = textOf(fields, "default_payment_terms_days")
  return [
    { key: "payment_iban", value: compact(textOf(fields, "payment_iban")) },
    { key: "payment_bic", value: compact(textOf(fields, "payment_bic")) },
    { key: "default_payment_terms_days", value: days === undefined ? null : Number(days) }
  ]
}

/** The page that edits the address and the settings of an organization. */
export const ProfileRoutes = procedureForm(UpdateOrganization, {
  path: "/admin/organizations/:organization_id/profile",
  load: organizationOf,
  title: "Address and settings",
  section: "/admin/organizations",
  back: toOrganization,
  submit: "Save",
  questions: {
    name: { label: "Name", required: true, value: ({ name }) => name },
    ...profileQuestions,
    language: { label: "Language", hint: "Two letters, e.g. nl", characters_max: 2, value: ({ language }) => language },
    timezone: { label: "Time zone", hint: "E.g. Europe/Brussels", value: ({ timezone }) => timezone },
    payment_iban: {
      label: "IBAN on invoices",
      characters_max: 42,
      value: ({ settings }) => settings.payment_iban ?? ""
    },
    payment_bic: { label: "BIC", characters_max: 11, value: ({ settings }) => settings.payment_bic ?? "" },
    default_payment_terms_days: {
      label: "Days to pay",
      characters_max: 4,
      value: ({ settings }) => String(settings.default_payment_terms_days ?? "")
    }
  },
  given: ({ id }, fields) => Effect.succeed({ organization_id: id, settings: settingsIn(fields) }),
  call: (procedures, payload) => procedures.UpdateOrganization(payload),
  done: ({ id }) => `/admin/organizations/${id}?done=saved`
})
