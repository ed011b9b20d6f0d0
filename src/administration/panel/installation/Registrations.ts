import { Effect, Layer, Option, Schema } from "effect"
import { Approvals } from "../../../einvoicing/registrations/Approvals.ts"
import { RegistrationStatus, type StoredRegistration } from "../../../einvoicing/records/Registration.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { OrganizationId, RegistrationId } from "../../../kernel/Ids.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import {
  ApproveRegistration,
  DeregisterRegistration,
  RejectRegistration,
  SuspendRegistration
} from "../../AdministrationRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { idOf, pageOf } from "../PanelInput.ts"
import { moment, panelList, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"

const section = "/admin/registrations"

const title = "E-invoicing registrations"

const toRegistrations = { path: section, label: "e-invoicing registrations" }

type Status = StoredRegistration["status"]

/** `status` restricts the list; undefined lists all. */
const registrationsPage = (
  slice: PageRows<StoredRegistration>,
  request: PageRequest,
  status: Status | undefined
): PanelContent => ({
  title,
  section,
  body: html`<form class="search" method="get">
      <div>
        <label for="status">Status</label>
        <select id="status" name="status">
          ${["", ...RegistrationStatus.literals].map(
            (one) =>
              html`<option value="${one}" ${one === (status ?? "") ? html` selected` : null}>
                ${one === "" ? "any" : one}
              </option>`
          )}
        </select>
      </div>
      <button>Show</button>
    </form>
    ${panelList({
      slice,
      request,
      path: section,
      query: new URLSearchParams(status === undefined ? {} : { status }),
      none: "There is none.",
      row: (registration) =>
        html`<div>
            ${registration.legal_name} <span class="tag">${registration.status}</span><br />
            <small
              >Organization ${registration.organization_id} · ${registration.provider} · ${registration.country_code} ·
              since ${moment(registration.submitted_at)}</small
            >
          </div>
          ${decisions(registration)}`
    })}`
})

const decisions = (registration: StoredRegistration): Html | null => {
  const { legal_name, status } = registration
  const link = (deed: string, label: string) =>
    html`<a class="button quiet" href="${pathOf(registration)}/${deed}" aria-label="${label} ${legal_name}"
      >${label}</a
    >`
  if (status === "pending") {
    return html`<div class="actions">${link("approve", "Approve")} ${link("reject", "Reject")}</div>`
  }
  if (status === "active") {
    return html`<div class="actions">${link("suspend", "Suspend")} ${link("deregister", "Deregister")}</div>`
  }
  if (status === "suspended") {
    return html`<div class="actions">${link("approve", "Approve")} ${link("deregister", "Deregister")}</div>`
  }
  return null
}

const pathOf = ({ id, organization_id }: StoredRegistration) => `${section}/${organization_id}/${id}`

/** Everything that was submitted, for the person who decides. */
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

const statusOf = Schema.decodeUnknownOption(RegistrationStatus)

const list = showPage(
  section,
  Effect.fnUntraced(function* ({ query }) {
    const request = pageOf(query)
    const status = Option.getOrUndefined(statusOf(query.get("status")))
    const slice = yield* (yield* Approvals).list(status === undefined ? request : { ...request, status })
    return registrationsPage(slice, request, status)
  })
)

const path = "/admin/registrations/:organization_id/:registration_id"

const ofRegistration = {
  load: Effect.fnUntraced(function* ({ params }: PanelRequest) {
    const organization_id = yield* idOf(OrganizationId, params["organization_id"])
    const id = yield* idOf(RegistrationId, params["registration_id"])
    return yield* (yield* Approvals).find({ organization_id, id })
  }),
  section,
  back: () => toRegistrations,
  given: ({ id, organization_id }: StoredRegistration) => Effect.succeed({ organization_id, registration_id: id })
} as const

const approve = procedureForm(ApproveRegistration, {
  ...ofRegistration,
  path: `${path}/approve`,
  title: ({ legal_name }) => `Approve ${legal_name}?`,
  submit: "Approve the registration",

  before: (registration) =>
    html`<p>The network is told, and others can find the organization there from then on.</p>
      ${facts(registration)}`,
  call: (procedures, payload) => procedures.ApproveRegistration(payload),
  done: () => "/admin/registrations?done=approved"
})

const reject = procedureForm(RejectRegistration, {
  ...ofRegistration,
  path: `${path}/reject`,
  title: ({ legal_name }) => `Reject ${legal_name}?`,
  submit: "Reject the registration",
  danger: true,
  before: (registration) => facts(registration),
  questions: { reason: { label: "Reason", hint: "The organization reads it" } },
  call: (procedures, payload) => procedures.RejectRegistration(payload),
  done: () => "/admin/registrations?done=rejected"
})

const suspend = procedureForm(SuspendRegistration, {
  ...ofRegistration,
  path: `${path}/suspend`,
  title: ({ legal_name }) => `Suspend ${legal_name}?`,
  submit: "Suspend the registration",
  danger: true,
  before: (registration) =>
    html`<p>The organization sends and receives nothing over the network until it is approved again.</p>
      ${facts(registration)}`,
  call: (procedures, payload) => procedures.SuspendRegistration(payload),
  done: () => "/admin/registrations?done=suspended"
})

const deregister = procedureForm(DeregisterRegistration, {
  ...ofRegistration,
  path: `${path}/deregister`,
  title: ({ legal_name }) => `Deregister ${legal_name}?`,
  submit: "Take it off the network",
  danger: true,
  before: (registration) =>
    html`<p>Nothing reaches the organization over the network from then on. It may register anew.</p>
      ${facts(registration)}`,
  call: (procedures, payload) => procedures.DeregisterRegistration(payload),
  done: () => "/admin/registrations?done=deregistered"
})

export const RegistrationsRoutes = Layer.mergeAll(list, approve, reject, suspend, deregister)
