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

/** Content of a panel page within the common frame. */
export interface PanelContent {
  readonly title: string
  readonly section: (typeof sections)[number]["path"]
  /** The page above this one. */
  readonly back?: { readonly path: string; readonly label: string }
  readonly body: Html
}

/** Notices about the change that led to a page, keyed by the value of `done` in its address. */
const notices = new Map([
  ["opened", "The organization is open."],
  ["plan", "The plan is set."],
  ["saved", "The organization is saved."],
  ["disabled", "The user is logged out everywhere and cannot log in."],
  ["enabled", "The user can log in again."],
  ["factor_off", "The second step is off."],
  ["client_removed", "The client is removed, and its tokens are revoked."],
  ["archived", "The organization is archived."],
  ["invited", "The invitation is on its way."],
  ["role", "The role is changed."],
  ["removed", "The member is removed."],
  ["revoked", "The token is revoked."],
  ["rate", "The tax rate is saved."],
  ["defaults", "The default tax rates are set."],
  ["account", "The bank account is added."],
  ["balance", "The balance is set."],
  ["account_archived", "The bank account is archived."],
  ["approved", "The registration is approved."],
  ["rejected", "The registration is rejected."],
  ["suspended", "The registration is suspended."],
  ["deregistered", "The organization is off its network."],
  ["client", "The client is registered. It is public, so it has no secret."],
  ["retried", "The job is going to be done again."],
  ["discarded", "The job is discarded."]
])

interface Framed {
  readonly user: User
  readonly csrf: Html
  readonly content: PanelContent
  /** Key of one of the notices. */
  readonly done: string | null
  readonly problem: string | undefined
  readonly failed: boolean
}

export const panelFrame = ({ content, csrf, done, failed, problem, user }: Framed): HtmlPage => {
  const { back, body, section, title } = content
  const notice = notices.get(done ?? "")
  return {
    language: "en",
    title: `${failed ? "Error: " : ""}${title} · Administration`,
    aside: html`<form method="post" action="/logout">${csrf}<button class="quiet">Log out</button></form>`,
    body: html`<nav aria-label="Administration">
        <ul>
          ${sections.map(
            ({ label, path }) =>
              html`<li><a href="${path}" ${path === section ? html` aria-current="true"` : null}>${label}</a></li>`
          )}
        </ul>
      </nav>
      ${back === undefined ? null : html`<p><a href="${back.path}">Back to ${back.label}</a></p>`}
      ${notice === undefined ? null : html`<p class="notice good" role="status">${notice}</p>`}
      ${problem === undefined ? null : html`<p class="notice bad" role="alert">${problem}</p>`}
      <h1>${title}</h1>
      ${body}
      <footer><p>Logged in as ${user.email}. The administration is in English only.</p></footer>`
  }
}
