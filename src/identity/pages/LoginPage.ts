import { password_characters_max } from "../../platform/crypto/Passwords.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import type { Visit } from "../session/Browser.ts"

interface LoginForm {
  readonly visit: Visit
  /** Query of the authorization request that the login interrupts; empty without one. */
  readonly query: string
  /** Name of the client that sent the browser here. */
  readonly client: string | undefined
  readonly email: string
  readonly problem: string | undefined
}

export const loginPage = ({ client, email, problem, query, visit }: LoginForm): HtmlPage => {
  const texts = accountTexts[visit.language].page
  const failed = problem !== undefined
  return {
    language: visit.language,
    title: texts.log_in,
    narrow: true,
    body: html`<form class="card" method="post" action="/login">
      <h1>${texts.log_in}</h1>
      ${client === undefined ? null : html`<p class="muted">${fill(texts.to_continue, { client })}</p>`}
      ${failed ? html`<p class="notice bad" role="alert" id="problem">${problem}</p>` : null}
      <input type="hidden" name="csrf" value="${visit.csrf}" />
      <input type="hidden" name="query" value="${query}" />
      <label for="email">${texts.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="username"
        required
        maxlength="254"
        ${failed ? html`aria-describedby="problem"` : html`autofocus`}
      />
      <label for="password">${texts.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxlength="${password_characters_max}"
        ${failed ? html`aria-describedby="problem" autofocus` : null}
      />
      <button class="wide">${texts.log_in}</button>
      <p><a href="/forgot">${accountTexts[visit.language].password.forgot}</a></p>
    </form>`
  }
}
