import { Effect, Layer } from "effect"
import { Approvals } from "../../../einvoicing/registrations/Approvals.ts"
import { RegistrationStatus, type StoredRegistration } from "../../../einvoicing/records/Registration.ts"
import { OrganizationId, RegistrationId } from "../../../kernel/Ids.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import type { PanelRequest, Place } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage, moment, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"

const place: Place = { path: "/admin/registrations", label: "e-invoicing registrations" }

const decisions: Readonly<Partial<Record<StoredRegistration["status"], Readonly<Record<string, string>>>>> = {
  pending: { approve: "Approve", reject: "Reject" },
  active: { suspend: "Suspend", deregister: "Deregister" },
  suspended: { approve: "Approve", deregister: "Deregister" }
}

const list = listPage(place, {
  load: () => Effect.void,
  title: "E-invoicing registrations",
  filter: { name: "status", label: "Status", choices: RegistrationStatus.literals },
  rows: (request, _, chosen) => {
    const status = RegistrationStatus.literals.find((status) => status === chosen)
    return Effect.flatMap(Approvals, (approvals) =>
      approvals.list(status === undefined ? request : { ...request, status })
    )
  },
  row: ({ country_code, id, legal_name, organization_id, provider, status, submitted_at }) => ({
    name: legal_name,
    tags: [status],
    small: html`Organization ${organization_id} · ${provider} · ${country_code} · since ${moment(submitted_at)}`,
    actions: Object.fromEntries(
      Object.entries(decisions[status] ?? {}).map(([to, label]) => [`${organization_id}/${id}/${to}`, label])
    )
  }),
  none: "There is no registration."
})

/** Shows everything that the organization submitted, for the superadmin who decides about the registration. */
const facts = (registration: StoredRegistration): Html =>
  terms([
    [
      "Organization",
      html`<a href="/admin/organizations/${registration.organization_id}">${registration.organization_id}</a>`
    ],
    ["Status", registration.status],
    ["Network", registration.provider],
    ["Legal name", registration.legal_name],
    ["Address", addressOf(registration)],
    ["Country", registration.country_code],
    ["VAT number", registration.vat_number ?? "none"],
    ...registration.identifiers.map(({ identifier, scheme }) => [`Identifier ${scheme}`, identifier] as const),
    ["Sends", registration.acts_as_sender ? "yes" : "no"],
    ["Receives", registration.acts_as_receiver ? "yes" : "no"],
    ["Documents", registration.document_types.join(", ")],
    ["Handed in", moment(registration.submitted_at)]
  ])

const addressOf = ({ address_line1, address_line2, city, postal_code, state }: StoredRegistration) =>
  [address_line1, address_line2, `${postal_code} ${city}`, state].flatMap((line) => line ?? []).join(", ")

const registrationOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const organization_id = yield* idOf(OrganizationId, params["organization_id"])
  const id = yield* idOf(RegistrationId, params["registration_id"])
  return yield* (yield* Approvals).find({ organization_id, id })
})

interface Decision {
  readonly verb: string
  readonly submit: string
  readonly consequence: string
}

const about = (path: string, { consequence, submit, verb }: Decision) => ({
  path: `:organization_id/:registration_id/${path}`,
  load: registrationOf,
  title: ({ legal_name }: StoredRegistration) => `${verb} ${legal_name}?`,
  submit,
  before: (registration: StoredRegistration) =>
    html`<p>${consequence}</p>
      ${facts(registration)}`
})

const approve = procedureForm(
  "ApproveRegistration",
  place,
  about("approve", {
    verb: "Approve",
    submit: "Approve the registration",
    consequence: "The organization is registered with the network, and others can find it there from then on."
  })
)

const reject = procedureForm("RejectRegistration", place, {
  ...about("reject", {
    verb: "Reject",
    submit: "Reject the registration",
    consequence: "The organization may correct it and register again."
  }),
  danger: true,
  questions: { reason: { hint: "The organization reads it" } }
})

const suspend = procedureForm("SuspendRegistration", place, {
  ...about("suspend", {
    verb: "Suspend",
    submit: "Suspend the registration",
    consequence: "The organization sends and receives nothing over the network until it is approved again."
  }),
  danger: true
})

const deregister = procedureForm("DeregisterRegistration", place, {
  ...about("deregister", {
    verb: "Deregister",
    submit: "Take it off the network",
    consequence: "The organization receives nothing over the network from then on. It may register again."
  }),
  danger: true
})

export const RegistrationsRoutes = Layer.mergeAll(list, approve, reject, suspend, deregister)
