import { password_characters_max, password_characters_min } from "../../platform/crypto/Passwords.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { type FieldMistake, labelOf, stateOf } from "../../platform/pages/FieldMistake.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { Invitation } from "./Invitation.ts"
import type { InvitationTexts } from "./texts/InvitationTexts.ts"

interface Question {
  readonly texts: InvitationTexts
  readonly invitation: Invitation
  readonly email: string
  /** The proof of identity that the invited user must give. */
  readonly ask: "nothing" | "password" | "new_account"
  readonly csrf: string
  /** The name typed before, when the form is shown again with an error. */
  readonly name: string
  /** A problem of the whole form. */
  readonly problem: string | undefined
  readonly mistake: FieldMistake | undefined
}

/** The form posts to the URL of the page, which contains the token of the invitation. */
export const invitationPage = (question: Question): Html => {
  const { csrf, email, invitation, problem, texts } = question
  const organization = invitation.organization_name
  return html`<div class="card">
    <h1>${fill(texts.subject, { organization })}</h1>
    <p class="lead">${fill(texts.invited, { organization, role: texts.roles[invitation.role] })}</p>
    ${problem === undefined ? undefined : html`<p class="notice bad" role="alert">${problem}</p>`}
    <form method="post">
      <input type="hidden" name="csrf" value="${csrf}" />
      <p>${explanations(texts)[question.ask]}</p>
      <label for="account">${texts.your_account}</label>
      <input id="account" name="username" type="email" autocomplete="username" readonly value="${email}" />
      ${fields(question)}
      <button class="wide" type="submit">${texts.accept}</button>
    </form>
  </div>`
}

export const outcomePage = (texts: InvitationTexts, message: string): Html =>
  html`<div class="card">
    <h1>${message}</h1>
    <p><a class="button" href="/account">${texts.your_account}</a></p>
  </div>`

const explanations = (texts: InvitationTexts) => ({
  nothing: texts.logged_in,
  password: texts.login_as,
  new_account: texts.new_account
})

const fields = (question: Question) => {
  const { ask, mistake, name, texts } = question
  switch (ask) {
    case "nothing":
      return undefined
    case "password":
      return html`${labelOf("password", texts.password, mistake)}
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          ${mistake === undefined ? html` autofocus` : stateOf("password", mistake)}
        />`
    case "new_account":
      return html`${labelOf("name", texts.name, mistake)}
        <input
          id="name"
          name="name"
          autocomplete="name"
          required
          maxlength="255"
          value="${name}"
          ${stateOf("name", mistake)}
        />
        ${labelOf("password", texts.password, mistake)}
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minlength="${password_characters_min}"
          maxlength="${password_characters_max}"
          ${stateOf("password", mistake, "rule")}
        />
        <p><small id="rule">${texts.password_rule}</small></p>`
  }
}
