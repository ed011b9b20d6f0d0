import { Effect, Layer } from "effect"
import { OrganizationId } from "../../../kernel/Ids.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { password_characters_min } from "../../../platform/crypto/Passwords.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import { openingChoices } from "../OpeningChoices.ts"
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

/** Warns about missing data that invoices should contain, because an issued invoice cannot be changed. */
const incomplete = ({ address_line1, id, settings, tax_number }: Organization): Html | null => {
  const missing = [
    ...(address_line1 === null ? ["address"] : []),
    ...(tax_number === null ? ["tax number"] : []),
    ...(settings.payment_iban === undefined ? ["IBAN"] : [])
  ]
  const home = `${organizations.path}/${id}`
  return missing.length === 0
    ? null
    : html`<p class="notice" role="note">
        Its invoices show no ${alternatives.format(missing)} yet. Complete
        <a href="${home}/profile">Name and address</a> and <a href="${home}/settings">Settings</a> before it sends the
        first one: an issued invoice cannot be changed.
      </p>`
}

const alternatives = new Intl.ListFormat("en", { type: "disjunction" })

const organizationPage = (organization: Organization): PanelContent => {
  const { address_line1, address_line2, archived_at, city, id, name, postal_code, settings } = organization
  const end = archived_at === null ? { archive: "Archive this organization" } : { reopen: "Reopen this organization" }
  const links = Object.entries({ ...parts, ...end })
  return {
    title: name,
    body: html`${archived_at === null ? incomplete(organization) : null}
      <section class="card">
        ${terms([
          ["Number", id],
          ["Plan", organization.plan],
          ["Country", organization.country],
          ["Currency", organization.currency],
          ["Time zone", organization.timezone],
          ["Language", organization.language],
          ["Address", [address_line1, address_line2, postal_code, city].filter((part) => part !== null).join(", ")],
          ["Tax number", organization.tax_number ?? ""],
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

const choices = openingChoices("en", "Please choose")

const open = procedureForm("CreateOrganization", organizations, {
  path: "new",
  load: () => Effect.void,
  title: "Open an organization",
  submit: "Open the organization",
  questions: {
    name: { label: "Name of the organization" },
    country: {
      hint: "It determines the usual tax rates and cannot be changed later.",
      required: true,
      choices: choices.country
    },
    currency: { required: true, choices: choices.currency },
    timezone: { label: "Time zone", required: true, choices: choices.timezone },
    language: { required: true, choices: choices.language, value: () => "en" },
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
    EmailTaken: ["owner_password", "This person has an account already: leave it empty."],
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
  before: () => html`<p>From then on its members can read everything and change nothing, until it is reopened here.</p>`
})

const reopen = procedureForm("ReopenOrganization", organizationPlace, {
  path: "reopen",
  load: organizationOf,
  title: ({ name }) => `Reopen ${name}?`,
  submit: "Reopen the organization",
  before: () => html`<p>From then on its members can change its records again.</p>`
})

export const OrganizationsRoutes = Layer.mergeAll(list, show, open, setPlan, archive, reopen)
