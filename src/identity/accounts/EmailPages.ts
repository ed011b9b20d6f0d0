import { fill } from "../../platform/pages/Fill.ts"
import { type FieldMistake, labelOf, stateOf } from "../../platform/pages/FieldMistake.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import { passwordField } from "../factors/PasswordField.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

/** `typed` is the address that the user typed before, when the form is shown again. */
export const emailForm = (language: PageLanguage, csrf: Html, typed: string, mistake?: FieldMistake): Html => {
  const { email, password } = accountTexts[language]
  return html`<form method="post" action="/account/email">
    ${csrf}
    <p class="muted">${email.lead}</p>
    ${labelOf("new_email", email.new_address, mistake)}
    <input
      id="new_email"
      name="email"
      type="email"
      autocomplete="email"
      required
      maxlength="254"
      value="${typed}"
      ${stateOf("new_email", mistake)}
    />
    ${passwordField(language, "email_password", mistake)}
    <button>${password.send_link}</button>
  </form>`
}

interface Confirmation {
  readonly csrf: string
  readonly email: string
}

/** Asks for a click, because some mail programs open every link. */
export const confirmPage = (language: PageLanguage, { csrf, email }: Confirmation): Html => {
  const texts = accountTexts[language].email
  return html`<form class="card" method="post">
    <h1>${texts.title}</h1>
    <p>${fill(texts.confirm_lead, { email })}</p>
    <input type="hidden" name="csrf" value="${csrf}" />
    <button class="wide">${texts.confirm}</button>
  </form>`
}

export const endPage = (language: PageLanguage, text: string, isGood: boolean): Html =>
  html`<div class="card">
    <h1>${accountTexts[language].email.title}</h1>
    <p class="notice ${isGood ? "good" : "bad"}" role="status">${text}</p>
    <p><a class="button" href="/account">${accountTexts[language].page.account}</a></p>
  </div>`
