import { Redacted } from "effect"
import type { PasswordLink } from "../../identity/accounts/PasswordLink.ts"
import type { User } from "../../identity/users/User.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { PanelContent } from "./PanelFrame.ts"
import { terms } from "./PanelList.ts"

interface Shown {
  readonly title: string
  /** URL of the link with which the user leaves the page. */
  readonly home: string
  /** More information that is shown with the secret, e.g. the id of its client. */
  readonly facts?: Html
  readonly secret: Redacted.Redacted
}

/** The only page that shows a new secret. Like every page of the panel, it is never cached. */
export const secretPage = ({ facts, home, secret, title }: Shown): PanelContent => ({
  title,
  body: html`<section class="card">
    ${facts}
    <div class="notice good" role="status">
      Copy the secret now. It is shown on this page only and never again.<br />
      <code id="secret">${Redacted.value(secret)}</code>
    </div>
    <p><a class="button" href="${home}">Done</a></p>
  </section>`
})

export const passwordLinkPage = ({ email }: User, { link, valid_minutes }: PasswordLink, home: string): PanelContent =>
  secretPage({
    title: "Link that sets a password",
    home,
    facts: terms([
      ["For", email],
      ["Valid", `once, for ${valid_minutes} minutes`]
    ]),
    secret: link
  })
