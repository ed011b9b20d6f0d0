import { countryCodes } from "../../../kernel/Country.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import type { Organization } from "../../../organizations/Organization.ts"
import { password_characters_min } from "../../../platform/crypto/Passwords.ts"
import { html } from "../../../platform/pages/Html.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { moment, panelList, terms } from "../PanelList.ts"

const section = "/admin/organizations"

/** Link back from every page about one organization. */
export const toOrganization = ({ id, name }: Organization) => ({ path: `${section}/${id}`, label: name })

export const organizationsPage = (
  slice: PageRows<Organization>,
  request: PageRequest & { readonly search: string }
): PanelContent => ({
  title: "Organizations",
  section,
  body: html`<form class="search" method="get" role="search">
      <div>
        <label for="search">Name or number</label>
        <input id="search" name="search" type="search" value="${request.search}" maxlength="255" />
      </div>
      <button>Search</button>
      <a class="button quiet" href="${section}/new">Open an organization</a>
    </form>
    ${panelList({
      slice,
      request,
      path: section,
      query: new URLSearchParams(request.search === "" ? {} : { search: request.search }),
      none: "No organization is found.",
      row: ({ archived_at, country, currency, id, name, plan }) =>
        html`<div>
          <a href="${section}/${id}">${name}</a>
          ${archived_at === null ? null : html`<span class="tag">archived</span>`}<br />
          <small>${id} · ${country} · ${currency} · plan ${plan}</small>
        </div>`
    })}`
})

export const organizationPage = (organization: Organization): PanelContent => {
  const { archived_at, country, created_at, currency, id, language, name, plan, timezone } = organization
  const here = `${section}/${id}`
  const parts = [
    { path: "members", label: "Members" },
    { path: "tokens", label: "API tokens" },
    { path: "tax-rates", label: "Tax rates" },
    { path: "bank-accounts", label: "Bank accounts" },
    { path: "plan", label: "Plan" }
  ]
  return {
    title: name,
    section,
    back: { path: section, label: "organizations" },
    body: html`<section class="card">
        ${terms([
          ["Number", id],
          ["Plan", plan],
          ["Country", country],
          ["Currency", currency],
          ["Time zone", timezone],
          ["Language", language],
          ["Open since", moment(created_at)],
          ...(archived_at === null ? [] : ([["Archived", moment(archived_at)]] as const))
        ])}
      </section>
      <section class="card">
        <ul class="plain">
          ${parts.map(({ label, path }) => html`<li><a href="${here}/${path}">${label}</a></li>`)}
          ${archived_at === null ? html`<li><a href="${here}/archive">Archive this organization</a></li>` : null}
        </ul>
      </section>`
  }
}

const names = new Intl.DisplayNames("en", { type: "region" })

const countries = countryCodes
  .map((code) => ({ value: code, label: names.of(code) ?? code }))
  .toSorted((a, b) => a.label.localeCompare(b.label, "en"))

export const openingPage = (typed: Typed): PanelContent => ({
  title: "Open an organization",
  section,
  back: { path: section, label: "organizations" },
  body: panelForm({
    typed,
    submit: "Open the organization",
    cancel: section,
    fields: [
      { name: "name", label: "Name", required: true, characters_max: 255 },
      {
        name: "country",
        label: "Country",
        hint: "Its usual tax rates come with it. It cannot be changed later.",
        choices: [{ value: "", label: "Choose a country" }, ...countries]
      },
      { name: "currency", label: "Currency", hint: "Three letters, e.g. EUR", required: true, characters_max: 3 },
      { name: "timezone", label: "Time zone", hint: "E.g. Europe/Brussels", required: true, characters_max: 255 },
      { name: "language", label: "Language", hint: "Two letters, e.g. nl", required: true, characters_max: 2 },
      { name: "owner_email", label: "Email address of the owner", kind: "email", required: true, characters_max: 254 },
      {
        name: "owner_name",
        label: "Name of the owner",
        hint: "Only for somebody who has no account yet",
        characters_max: 255
      },
      {
        name: "owner_password",
        label: "Password of the owner",
        kind: "password",
        hint: `Only for somebody who has no account yet; at least ${password_characters_min} characters`,
        autocomplete: "new-password"
      }
    ]
  })
})

export const planPage = (organization: Organization, typed: Typed): PanelContent => ({
  title: "Plan",
  section,
  back: toOrganization(organization),
  body: panelForm({
    typed,
    submit: "Set the plan",
    cancel: toOrganization(organization).path,
    fields: [{ name: "plan", label: "Plan", value: organization.plan, required: true, characters_max: 255 }]
  })
})

export const archivePage = (organization: Organization, typed: Typed): PanelContent => ({
  title: `Archive ${organization.name}?`,
  section,
  back: toOrganization(organization),
  body: panelForm({
    typed,
    submit: "Archive the organization",
    danger: true,
    cancel: toOrganization(organization).path,
    before: html`<p>
      From then on its members can read everything and change nothing. There is no way back in this panel.
    </p>`
  })
})
