import type { User } from "../../identity/users/User.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"

/** Sections that are linked from every page of the panel. */
const sections = [
  { path: "/admin/organizations", label: "Organizations" },
  { path: "/admin/users", label: "Users" },
  { path: "/admin/clients", label: "OAuth clients" },
  { path: "/admin/incidents", label: "Integrity" },
  { path: "/admin/registrations", label: "E-invoicing" },
  { path: "/admin/jobs", label: "Jobs" },
  { path: "/admin/mail", label: "Outgoing mail" }
] as const

/** Content of a page, without the header and the navigation that all pages of the panel share. */
export interface PanelContent {
  readonly title: string
  readonly body: Html
}

/** Message after a form succeeded, by the name of the form. The redirect contains the name in the parameter `done`. */
const notices = {
  ArchiveBankAccount: "The bank account is archived.",
  ArchiveOrganization: "The organization is archived.",
  ApproveRegistration: "The registration is approved.",
  ConnectProvider: "The provider is connected.",
  CreateBankAccount: "The bank account is added.",
  CreateOAuthClient: "The client is registered. It is public, so it has no secret; its Details name the client_id.",
  CreateOrganization: "The organization is open.",
  CreatePasswordLink: "The link is made.",
  CreateTaxRate: "The tax rate is saved.",
  DeregisterRegistration: "The organization is off its network.",
  DisableUser: "The user is logged out everywhere and cannot log in.",
  DiscardJob: "The job is discarded.",
  DisconnectProvider: "The provider is disconnected.",
  EnableUser: "The user can log in again.",
  InviteMember: "The invitation is on its way.",
  IssueOrganizationToken: "The token is issued.",
  RejectRegistration: "The registration is rejected.",
  RemoveMember: "The member is removed.",
  RemoveOAuthClient: "The client is removed, and its tokens are revoked.",
  RemoveSecondFactor: "The second step is off.",
  RetryJob: "The job will run again.",
  ReopenBankAccount: "The bank account is open again.",
  ReopenOrganization: "The organization is open again.",
  RevokeOrganizationToken: "The token is revoked.",
  RotateClientSecret: "The client has a new secret.",
  SetDefaultTaxRates: "The default tax rates are set.",
  SetOpeningBalance: "The opening balance is set.",
  SetPlan: "The plan is set.",
  SetProviderBalance: "The balance is set.",
  SetRole: "The role is changed.",
  SuspendRegistration: "The registration is suspended.",
  UpdateOAuthClient: "The client is changed.",
  UpdateOrganization: "The organization is saved.",
  UpdateTaxRate: "The tax rate is saved."
} as const

/** The name of a form equals the name of the procedure that the form calls. */
export type FormName = keyof typeof notices

const noticeOf = new Map<string | null, string>(Object.entries(notices))

interface Framed {
  readonly user: User
  readonly csrf: Html
  readonly content: PanelContent
  readonly path: string
  readonly back: { readonly path: string; readonly label: string } | undefined
  readonly done: string | null
  readonly problem: string | undefined
  readonly failed: boolean
}

export const panelFrame = ({ back, content, csrf, done, failed, path: here, problem, user }: Framed): HtmlPage => {
  const { body, title } = content
  const notice = noticeOf.get(done)
  return {
    language: "en",
    title: `${failed ? "Error: " : ""}${title} · Administration`,
    aside: html`<form method="post" action="/logout">${csrf}<button class="quiet">Log out</button></form>`,
    body: html`<nav aria-label="Administration">
        <ul>
          ${sections.map(
            ({ label, path }) =>
              html`<li>
                <a href="${path}" ${here === path || here.startsWith(`${path}/`) ? html` aria-current="true"` : null}
                  >${label}</a
                >
              </li>`
          )}
        </ul>
      </nav>
      ${back === undefined ? null : html`<p><a href="${back.path}">Back to ${back.label}</a></p>`}
      ${notice === undefined ? null : html`<p class="notice good" role="status">${notice}</p>`}
      ${problem === undefined ? null : html`<p class="notice bad" role="alert">${problem}</p>`}
      <h1>${title}</h1>
      ${body}
      <footer>
        <p>Logged in as <a href="/account">${user.email}</a>. The administration is in English only.</p>
      </footer>`
  }
}
