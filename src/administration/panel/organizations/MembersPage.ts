import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { Role } from "../../../kernel/Role.ts"
import type { Member } from "../../../organizations/members/Member.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { panelList } from "../PanelList.ts"
import { toOrganization } from "./Organizations.ts"

const section = "/admin/organizations"

const pathOf = ({ id }: Organization) => `${section}/${id}/members`

const toMembers = (organization: Organization) => ({
  path: pathOf(organization),
  label: `the members of ${organization.name}`
})

/** A member with their organization. */
interface Belonging {
  readonly organization: Organization
  readonly member: Member
}

const roles = Role.literals.map((role) => ({ value: role, label: role }))

export const membersPage = (
  organization: Organization,
  slice: PageRows<Member>,
  request: PageRequest
): PanelContent => ({
  title: `Members of ${organization.name}`,
  section,
  back: toOrganization(organization),
  body: html`<p><a class="button" href="${pathOf(organization)}/invite">Invite somebody</a></p>
    ${panelList({
      slice,
      request,
      path: pathOf(organization),
      none: "Nobody is a member.",
      row: ({ email, id, name, role, status }) =>
        html`<div>
            ${name}
            <span class="tag">${role}</span>
            ${status === "invited" ? html`<span class="tag">invited</span>` : null}<br />
            <small>${email}</small>
          </div>
          <div class="actions">
            <a class="button quiet" href="${pathOf(organization)}/${id}/role" aria-label="Change role: ${name}"
              >Change role</a
            >
            <a class="button quiet" href="${pathOf(organization)}/${id}/remove" aria-label="Remove ${name}">Remove</a>
          </div>`
    })}`
})

export const invitePage = (organization: Organization, typed: Typed): PanelContent => ({
  title: `Invite somebody to ${organization.name}`,
  section,
  back: toMembers(organization),
  body: panelForm({
    typed,
    submit: "Send the invitation",
    cancel: pathOf(organization),
    fields: [
      { name: "email", label: "Email address", kind: "email", required: true, characters_max: 254 },
      { name: "role", label: "Role", choices: roles, value: "member" }
    ]
  })
})

export const rolePage = ({ member, organization }: Belonging, typed: Typed): PanelContent => ({
  title: `Role of ${member.name}`,
  section,
  back: toMembers(organization),
  body: panelForm({
    typed,
    submit: "Change the role",
    cancel: pathOf(organization),
    fields: [{ name: "role", label: "Role", choices: roles, value: member.role }]
  })
})

export const removePage = ({ member, organization }: Belonging, typed: Typed): PanelContent => ({
  title: `Remove ${member.name}?`,
  section,
  back: toMembers(organization),
  body: panelForm({
    typed,
    submit: "Remove the member",
    danger: true,
    cancel: pathOf(organization),
    before: html`<p>
      ${member.email} loses access to ${organization.name} at once. What they did stays under their name.
    </p>`
  })
})
