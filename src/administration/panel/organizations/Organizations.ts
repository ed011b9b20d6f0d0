import { Effect, Layer, Schema } from "effect"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { Line } from "../../../kernel/Text.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { html } from "../../../platform/pages/Html.ts"
import { Administration } from "../../AdministrationHandlers.ts"
import { ArchiveOrganization, SetPlan } from "../../AdministrationRpc.ts"
import { Opening } from "../../Opening.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { panelForm } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { at, decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { moment, panelList, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { passwordLinkPage } from "../SecretPage.ts"
import { openingAnswers, openingFields } from "./OpeningForm.ts"

const section = "/admin/organizations"

/** Link back from every page about one organization. */
export const toOrganization = ({ id, name }: Organization) => ({ path: `${section}/${id}`, label: name })

const organizationsPage = (
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

const organizationPage = (organization: Organization): PanelContent => {
  const { address_line1, address_line2, archived_at, city, country, created_at, currency } = organization
  const { id, language, name, plan, postal_code, timezone } = organization
  const here = `${section}/${id}`
  const parts = [
    { path: "members", label: "Members" },
    { path: "tokens", label: "API tokens" },
    { path: "tax-rates", label: "Tax rates" },
    { path: "bank-accounts", label: "Bank accounts" },
    { path: "profile", label: "Address and settings" },
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
          ["Address", [address_line1, address_line2, postal_code, city].filter((part) => part !== null).join(", ")],
          ["IBAN", organization.settings.payment_iban ?? ""],
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

const isLine = Schema.is(Line)

/** Loads the organization that the address names. */
export const organizationOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const id = yield* idOf(OrganizationId, params["organization_id"])
  return yield* (yield* Organizations).get(id)
})

const list = showPage(
  "/admin/organizations",
  Effect.fnUntraced(function* ({ query }) {
    const asked = textOf(query, "search") ?? ""
    const search = isLine(asked) ? asked : ""
    const request = { ...pageOf(query), search }
    const slice = yield* (yield* Organizations).listAll(search === "" ? pageOf(query) : request)
    return organizationsPage(slice, request)
  })
)

const show = showPage("/admin/organizations/:organization_id", (asked) =>
  Effect.map(organizationOf(asked), organizationPage)
)

const open = formPage("/admin/organizations/new", {
  load: () => Effect.void,
  page: (_, typed) => ({
    title: "Open an organization",
    section,
    back: { path: section, label: "organizations" },
    body: panelForm({ typed, submit: "Open the organization", cancel: section, fields: openingFields })
  }),
  submit: Effect.fnUntraced(function* (_, fields, { actor }) {
    const opening = yield* decoded(Opening, openingAnswers(fields))
    const { organization, owner, password_link } = yield* (yield* Administration)(actor)
      .CreateOrganization(opening)
      .pipe(
        Effect.catchTags({
          EmailTaken: () => at("owner_password")({ message: "This person has a password already: leave it empty." }),
          PasswordUnacceptable: at("owner_password")
        })
      )
    if (password_link === null) return `/admin/organizations/${organization.id}?done=opened`
    return passwordLinkPage(owner, password_link, toOrganization(organization))
  })
})

const ofOrganization = {
  load: organizationOf,
  section,
  back: toOrganization,
  given: ({ id }: Organization) => Effect.succeed({ organization_id: id })
} as const

const setPlan = procedureForm(SetPlan, {
  ...ofOrganization,
  path: "/admin/organizations/:organization_id/plan",
  title: "Plan",
  submit: "Set the plan",
  questions: { plan: { label: "Plan", value: ({ plan }) => plan } },
  call: (procedures, payload) => procedures.SetPlan(payload),
  done: ({ id }) => `${section}/${id}?done=plan`
})

const archive = procedureForm(ArchiveOrganization, {
  ...ofOrganization,
  path: "/admin/organizations/:organization_id/archive",
  title: ({ name }) => `Archive ${name}?`,
  submit: "Archive the organization",
  danger: true,
  before: () =>
    html`<p>From then on its members can read everything and change nothing. There is no way back in this panel.</p>`,
  call: (procedures, payload) => procedures.ArchiveOrganization(payload),
  done: ({ id }) => `${section}/${id}?done=archived`
})

export const OrganizationsRoutes = Layer.mergeAll(list, show, open, setPlan, archive)
