import { DateTime } from "effect"
import { fill } from "../../platform/pages/Fill.ts"
import { type FieldMistake, labelOf, stateOf } from "../../platform/pages/FieldMistake.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import { localeOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { factorSection } from "../factors/FactorPages.ts"
import type { FactorState } from "../factors/SecondFactors.ts"
import { type AccountTexts, accountTexts } from "../texts/AccountTexts.ts"
import { emailForm } from "../accounts/EmailPages.ts"
import { changeForm } from "../accounts/PasswordPages.ts"
import { browserName, type Session } from "../session/Session.ts"
import type { Visit } from "../session/Browser.ts"
import type { ApiToken } from "../tokens/ApiToken.ts"
import type { ConnectedApp } from "../tokens/ConnectedApp.ts"
import { validity_days } from "../tokens/TokenValidity.ts"
import type { User } from "../users/User.ts"

export interface Account {
  readonly visit: Visit
  readonly user: User
  readonly current: Session
  readonly sessions: ReadonlyArray<Session>
  readonly apps: ReadonlyArray<ConnectedApp>
  readonly tokens: ReadonlyArray<ApiToken>
  readonly factor: FactorState
  readonly created?: string
  /** True right after the password was changed. */
  readonly changed?: boolean
  /** A sentence that confirms the last action. */
  readonly told?: string
  /** A problem that is not about a single field. */
  readonly problem?: string
  readonly mistake?: FieldMistake
  /** The fields of a refused form, which the form shows again. Passwords are not shown again. */
  readonly typed?: URLSearchParams | undefined
}

export const accountPage = (account: Account): HtmlPage => {
  const { changed, created, factor, mistake, problem, told, typed, user, visit } = account
  const texts = accountTexts[visit.language].page
  const csrf = html`<input type="hidden" name="csrf" value="${visit.csrf}" />`
  const aside = html`<form method="post" action="/logout">${csrf}<button class="quiet">${texts.log_out}</button></form>`
  return {
    language: visit.language,
    title: texts.account,
    aside,
    body: html`<h1>${texts.account}</h1>
      <p class="muted">
        ${user.name} · ${user.email}${user.superadmin ? html` · <a href="/admin">${texts.administration}</a>` : null}
      </p>
      ${problem === undefined ? null : html`<p class="notice bad" role="alert">${problem}</p>`}
      ${told === undefined ? null : html`<p class="notice good" role="status">${told}</p>`}
      ${created === undefined ? null : html`<div class="notice good" role="status">${texts.token_created}<br /><code>${created}</code></div>`}
      ${changed === true ? html`<p class="notice good" role="status">${accountTexts[visit.language].password.done}</p>` : null}
      <section class="card">
        <h2>${texts.password}</h2>
        ${changeForm(visit.language, user.email, csrf, mistake)}
      </section>
      <section class="card">
        <h2>${texts.email}</h2>
        ${emailForm(visit.language, csrf, typed?.get("email") ?? "", mistake)}
      </section>
      <section class="card">
        <h2>${accountTexts[visit.language].security.title}</h2>
        ${factorSection(visit, factor, mistake)}
      </section>
      <section class="card">
        <h2>${texts.sessions}</h2>
        ${sessionList(account, texts, csrf)}
      </section>
      <section class="card">
        <h2>${texts.apps}</h2>
        ${appList(account, texts, csrf)}
      </section>
      <section class="card">
        <h2>${texts.tokens}</h2>
        <p class="muted">${texts.tokens_for}</p>
        ${tokenList(account, texts, csrf)}${tokenForm(account, texts, csrf)}
      </section>`
  }
}

const time = (text: string, language: PageLanguage): string =>
  `${new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(
    DateTime.toEpochMillis(DateTime.makeUnsafe(text))
  )} UTC`

const sessionList = (
  { current, sessions, visit: { language } }: Account,
  texts: AccountTexts["page"],
  csrf: Html
): Html => {
  const nameOf = ({ user_agent }: Session) => (user_agent === null ? texts.unknown_browser : browserName(user_agent))
  return html`<ul class="plain">
      ${sessions.map(
        (session) =>
          html`<li class="row">
            <div>
              ${nameOf(session)}
              ${session.id === current.id ? html`<span class="tag">${texts.this_browser}</span>` : null}<br />
              <small
                >${[
                  ...(session.network === null ? [] : [session.network]),
                  fill(texts.since, { time: time(session.created_at, language) }),
                  fill(accountTexts[language].security.last_used, { time: time(session.last_used_at, language) })
                ].join(", ")}</small
              >
            </div>
            <form method="post" action="/account/sessions/end">
              ${csrf}<input type="hidden" name="id" value="${session.id}" />
              <button class="danger" aria-label="${texts.end}: ${nameOf(session)}">${texts.end}</button>
            </form>
          </li>`
      )}
    </ul>
    ${
      sessions.length < 2
        ? null
        : html`<form method="post" action="/account/sessions/end-others">
            ${csrf}<button class="danger">${accountTexts[language].security.end_others}</button>
          </form>`
    }`
}

const appList = ({ apps, visit: { language } }: Account, texts: AccountTexts["page"], csrf: Html): Html =>
  apps.length === 0
    ? html`<p>${texts.no_apps}</p>`
    : html`<ul class="plain">
        ${apps.map(
          (app) =>
            html`<li class="row">
              <div>
                ${app.name}<br />
                <small>${fill(texts.since, { time: time(app.connected_at, language) })}</small>
              </div>
              <form method="post" action="/account/apps/disconnect">
                ${csrf}<input type="hidden" name="id" value="${app.client_id}" />
                <button class="danger" aria-label="${texts.disconnect}: ${app.name}">${texts.disconnect}</button>
              </form>
            </li>`
        )}
      </ul>`

const tokenList = ({ tokens, visit: { language } }: Account, texts: AccountTexts["page"], csrf: Html): Html =>
  tokens.length === 0
    ? html`<p>${texts.no_tokens}</p>`
    : html`<ul class="plain">
        ${tokens.map(
          (token) =>
            html`<li class="row">
              <div>
                ${token.name}<br /><small>
                  ${fill(texts.since, { time: time(token.created_at, language) })},
                  ${token.expires_at === null ? texts.no_end : fill(texts.until, { time: time(token.expires_at, language) })}</small
                >
              </div>
              <form method="post" action="/account/tokens/revoke">
                ${csrf}<input type="hidden" name="id" value="${token.id}" />
                <button class="danger" aria-label="${texts.revoke}: ${token.name}">${texts.revoke}</button>
              </form>
            </li>`
        )}
      </ul>`

const tokenForm = ({ mistake, typed }: Account, texts: AccountTexts["page"], csrf: Html): Html => {
  const isChosen = (days: string) => (typed?.get("days") === days ? html`selected` : null)
  return html`<form method="post" action="/account/tokens">
    ${csrf}
    <div class="fields">
      <div>
        ${labelOf("name", texts.token_name, mistake)}
        <input
          id="name"
          name="name"
          required
          maxlength="255"
          value="${typed?.get("name")}"
          ${stateOf("name", mistake)}
        />
      </div>
      <div>
        <label for="access">${texts.token_scope}</label
        ><select id="access" name="access">
          <option value="read">${texts.read_only}</option>
          <option value="full" ${typed?.get("access") === "full" ? html`selected` : null}>${texts.full_access}</option>
        </select>
      </div>
      <div>
        <label for="days">${texts.valid_for}</label
        ><select id="days" name="days">
          ${validity_days.map((days) => html`<option value="${days}" ${isChosen(String(days))}>${fill(texts.days, { days })}</option>`)}
          <option value="" ${isChosen("")}>${texts.unlimited}</option>
        </select>
      </div>
    </div>
    <button>${texts.create_token}</button>
  </form>`
}
