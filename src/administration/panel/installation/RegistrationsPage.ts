import { RegistrationStatus, type StoredRegistration } from "../../../einvoicing/registrations/Registration.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { moment, panelList, terms } from "../PanelList.ts"

const section = "/admin/registrations"

const title = "E-invoicing registrations"

const toRegistrations = { path: section, label: "e-invoicing registrations" }

type Status = StoredRegistration["status"]

/** `status` restricts the list; undefined lists all. */
export const registrationsPage = (
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

export const approvePage = (registration: StoredRegistration, typed: Typed): PanelContent => ({
  title: `Approve ${registration.legal_name}?`,
  section,
  back: toRegistrations,
  body: panelForm({
    typed,
    submit: "Approve the registration",
    cancel: section,
    before: html`<p>The network is told, and others can find the organization there from then on.</p>
      ${facts(registration)}`
  })
})

export const rejectPage = (registration: StoredRegistration, typed: Typed): PanelContent => ({
  title: `Reject ${registration.legal_name}?`,
  section,
  back: toRegistrations,
  body: panelForm({
    typed,
    submit: "Reject the registration",
    danger: true,
    cancel: section,
    before: facts(registration),
    fields: [
      { name: "reason", label: "Reason", hint: "The organization reads it", required: true, characters_max: 255 }
    ]
  })
})

export const suspendPage = (registration: StoredRegistration, typed: Typed): PanelContent => ({
  title: `Suspend ${registration.legal_name}?`,
  section,
  back: toRegistrations,
  body: panelForm({
    typed,
    submit: "Suspend the registration",
    danger: true,
    cancel: section,
    before: html`<p>The organization sends and receives nothing over the network until it is approved again.</p>
      ${facts(registration)}`
  })
})

export const deregisterPage = (registration: StoredRegistration, typed: Typed): PanelContent => ({
  title: `Deregister ${registration.legal_name}?`,
  section,
  back: toRegistrations,
  body: panelForm({
    typed,
    submit: "Take it off the network",
    danger: true,
    cancel: section,
    before: html`<p>Nothing reaches the organization over the network from then on. It may register anew.</p>
      ${facts(registration)}`
  })
})
