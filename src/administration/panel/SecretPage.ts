import { Redacted } from "effect"
import type { PasswordLink } from "../../identity/accounts/PasswordResets.ts"
import type { User } from "../../identity/users/User.ts"
import { html } from "../../platform/pages/Html.ts"
import type { PanelContent } from "./PanelFrame.ts"
import { terms } from "./PanelList.ts"

interface Shown {
  readonly title: string
  readonly section: PanelContent["section"]
  readonly back: NonNullable<PanelContent["back"]>
  /** Further facts, e.g. the id of a client. */
  readonly facts?: PanelContent["body"]
  readonly secret: Redacted.Redacted
}

/** The only page that shows a new secret. Like every page of the panel, it is never cached. */
export const secretPage = ({ back, facts, secret, section, title }: Shown): PanelContent => ({
  title,
  section,
  back,
  body: html`<section class="card">
    ${facts}
    <div class="notice good" role="status">
      Copy the secret now. It is shown on this page only and never again.<br />
      <code id="secret">${Redacted.value(secret)}</code>
    </div>
    <p><a class="button" href="${back.path}">Done</a></p>
  </section>`
})

/** Shows a link with which a user sets a password, for the operator to hand over. */
export const passwordLinkPage = (
  { email }: User,
  { link, valid_minutes }: PasswordLink,
  back: Shown["back"]
): PanelContent =>
  secretPage({
    title: "Link that sets a password",
    section: "/admin/users",
    back,
    facts: terms([
      ["For", email],
      ["Valid", `once, for ${valid_minutes} minutes`]
    ]),
    secret: link
  })
