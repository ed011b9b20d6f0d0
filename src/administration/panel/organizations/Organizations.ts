import { Effect, Layer } from "effect"
import { countryCodes } from "../../../kernel/Country.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { password_characters_min } from "../../../platform/crypto/Passwords.ts"
import { html } from "../../../platform/pages/Html.ts"
import { type PanelRequest, type Place, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { idOf } from "../PanelInput.ts"
import { listPage, moment, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { passwordLinkPage } from "../SecretPage.ts"

const organizations: Place = { path: "/admin/organizations", label: "organizations" }

/** The page of one organization, to which the pages about its records lead back. */
export const organizationPlace: Place = {
  path: "/admin/organizations/:organization_id",
  label: "the organization",
  up: organizations
}

export const partOf = (path: string, label: string): Place => ({
  path: `/admin/organizations/:organization_id/${path}`,
  label,
  up: organizationPlace
})

export const organizationOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const id = yield* idOf(OrganizationId, params["organization_id"])
  return yield* (yield* Organizations).get(id)
})

const list = listPage(organizations, {
  load: () => Effect.void,
  title: "Organizations",
  filter: { name: "search", label: "Name or number" },
  buttons: { new: "Open an organization" },
  rows: (request, _, search) =>
    Effect.flatMap(Organizations, ({ listAll }) => listAll(search === undefined ? request : { ...request, search })),
  row: ({ archived_at, country, currency, id, name, plan }) => ({
    name,
    href: `${organizations.path}/${id}`,
    tags: archived_at === null ? [] : ["archived"],
    small: `${id} · ${country} · ${currency} · plan ${plan}`
  }),
  none: "No organization matches."
})

const parts = {
  members: "Members",
  tokens: "API tokens",
  "tax-rates": "Tax rates",
  "bank-accounts": "Bank accounts",
  receipts: "Receipts",
  connections: "E-invoicing providers",
  "french-reports": "French e-reporting",
  profile: "Name and address",
  settings: "Settings",
  logo: "Logo",
  plan: "Plan"
}

const organizationPage = (organization: Organization): PanelContent => {
  const { address_line1, address_line2, archived_at, city, id, name, postal_code, settings } = organization
  const links = Object.entries({ ...parts, ...(archived_at === null ? { archive: "Archive this organization" } : {}) })
  return {
    title: name,
    body: html`<section class="card">
        ${terms([
          ["Number", id],
          ["Plan", organization.plan],
          ["Country", organization.country],
          ["Currency", organization.currency],
          ["Time zone", organization.timezone],
          ["Language", organization.language],
          ["Address", [address_line1, address_line2, postal_code, city].filter((part) => part !== null).join(", ")],
          ["IBAN", settings.payment_iban ?? ""],
          ["Open since", moment(organization.created_at)],
          ...(archived_at === null ? [] : ([["Archived", moment(archived_at)]] as const))
        ])}
      </section>
      <section class="card">
        <ul class="plain">
          ${links.map(([to, label]) => html`<li><a href="${organizations.path}/${id}/${to}">${label}</a></li>`)}
        </ul>
      </section>`
  }
}

const show = showPage(organizationPlace, (asked) => Effect.map(organizationOf(asked), organizationPage))

const names = new Intl.DisplayNames("en", { type: "region" })

const countries = countryCodes
  .map((code) => ({ value: code, label: names.of(code) ?? code }))
  .toSorted((a, b) => a.label.localeCompare(b.label, "en"))

const open = procedureForm("CreateOrganization", organizations, {
  path: "new",
  load: () => Effect.void,
  title: "Open an organization",
  submit: "Open the organization",
  questions: {
    name: {},
    country: {
      hint: "It determines the usual tax rates and cannot be changed later.",
      choices: [{ value: "", label: "Choose a country" }, ...countries]
    },
    currency: { hint: "Three letters, e.g. EUR", characters_max: 3, spelled: (text) => text.toUpperCase() },
    timezone: { label: "Time zone", hint: "E.g. Europe/Brussels" },
    language: { hint: "Two letters, e.g. nl", characters_max: 2, spelled: (text) => text.toLowerCase() },
    owner_email: { label: "Email address of the owner" },
    owner_name: { label: "Name of the owner", hint: "Only for somebody who has no account yet" },
    owner_password: {
      label: "Password of the owner",
      kind: "password",
      hint: `At least ${password_characters_min} characters; without one, you get a link that sets it`,
      autocomplete: "new-password"
    }
  },
  at: {
    EmailTaken: ["owner_password", "This person has a password already: leave it empty."],
    PasswordUnacceptable: "owner_password"
  },
  done: ({ organization: { id }, owner, password_link }) => {
    const home = `${organizations.path}/${id}`
    return password_link === null ? `${home}?done=CreateOrganization` : passwordLinkPage(owner, password_link, home)
  }
})

const setPlan = procedureForm("SetPlan", organizationPlace, {
  path: "plan",
  load: organizationOf,
  title: "Plan",
  submit: "Set the plan",
  questions: { plan: { value: ({ plan }) => plan } }
})

const archive = procedureForm("ArchiveOrganization", organizationPlace, {
  path: "archive",
  load: organizationOf,
  title: ({ name }) => `Archive ${name}?`,
  submit: "Archive the organization",
  danger: true,
  before: () =>
    html`<p>From then on its members can read everything and change nothing. This cannot be undone in this panel.</p>`
})

export const OrganizationsRoutes = Layer.mergeAll(list, show, open, setPlan, archive)
