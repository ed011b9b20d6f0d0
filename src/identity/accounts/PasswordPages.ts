import { password_characters_max, password_characters_min } from "../../platform/crypto/Passwords.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { type FieldMistake, labelOf, stateOf } from "../../platform/pages/FieldMistake.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import { passwordField } from "../factors/PasswordField.ts"
import type { LinkGone } from "../users/MailedLink.ts"
import { reset_minutes } from "../users/PasswordResetsRepo.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { type AccountTexts, accountTexts } from "../texts/AccountTexts.ts"

interface Form {
  readonly texts: AccountTexts["password"]
  readonly csrf: string
  readonly problem: string | undefined
}

const notice = (problem: string | undefined): Html | null =>
  problem === undefined ? null : html`<p class="notice bad" role="alert" id="problem">${problem}</p>`

interface ForgotForm extends Form {
  readonly emailLabel: string
  readonly typed: string
}

export const forgotPage = ({ csrf, emailLabel, problem, texts, typed }: ForgotForm): Html =>
  html`<form class="card" method="post" action="/forgot">
    <h1>${texts.forgot}</h1>
    ${notice(problem)}
    <p>${texts.forgot_lead}</p>
    <input type="hidden" name="csrf" value="${csrf}" />
    <label for="email">${emailLabel}</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="username"
      required
      maxlength="254"
      value="${typed}"
      autofocus
    />
    <button class="wide">${texts.send_link}</button>
    <p><a href="/login">${texts.back_to_login}</a></p>
  </form>`

/** Confirms the request for a link. The text is the same whether the address is known or not. */
export const sentPage = (texts: AccountTexts["password"]): Html =>
  html`<div class="card">
    <h1>${texts.forgot}</h1>
    <p class="notice good" role="status">${fill(texts.sent, { minutes: String(reset_minutes) })}</p>
    <p><a href="/login">${texts.back_to_login}</a></p>
  </div>`

/** Asks for the new password. The form posts to its own URL, which contains the token. */
export const resetPage = ({ csrf, email, problem, texts }: Form & { readonly email: string }): Html =>
  html`<form class="card" method="post">
    <h1>${texts.set_title}</h1>
    ${notice(problem)}
    <input type="hidden" name="csrf" value="${csrf}" />
    <label for="account">${texts.account_of}</label>
    <input id="account" name="username" type="email" autocomplete="username" readonly value="${email}" />
    <label for="password">${texts.new_password}</label>
    ${newPassword(texts, "password", html`aria-describedby="${problem === undefined ? "" : "problem "}password_rule" autofocus`)}
    <button class="wide">${texts.set}</button>
  </form>`

export const gonePage = (texts: AccountTexts["password"], reason: LinkGone["reason"]): Html =>
  html`<div class="card">
    <h1>${texts.gone[reason]}</h1>
    <p><a class="button" href="/forgot">${texts.ask_again}</a></p>
  </div>`

export const changeForm = (language: PageLanguage, email: string, csrf: Html, mistake?: FieldMistake): Html => {
  const texts = accountTexts[language].password
  return html`<form method="post" action="/account/password">
    ${csrf}
    <p class="muted">${texts.change_lead}</p>
    <input type="hidden" name="username" autocomplete="username" value="${email}" />
    ${passwordField(language, "current_password", mistake)} ${labelOf("new_password", texts.new_password, mistake)}
    ${newPassword(texts, "new_password", stateOf("new_password", mistake, "new_password_rule"))}
    <button>${texts.change}</button>
  </form>`
}

const newPassword = (texts: AccountTexts["password"], name: string, state: Html): Html =>
  html`<input
      id="${name}"
      name="${name}"
      type="password"
      autocomplete="new-password"
      required
      minlength="${password_characters_min}"
      maxlength="${password_characters_max}"
      ${state}
    />
    <p><small id="${name}_rule">${texts.rule}</small></p>`
