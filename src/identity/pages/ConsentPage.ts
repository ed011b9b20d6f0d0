import { fill } from "../../platform/pages/Fill.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import { localeOf } from "../../platform/pages/PageLanguage.ts"
import type { AuthorizationRequest } from "../oauth/AuthorizationRequest.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import { everyScope } from "../Scope.ts"
import type { Visit } from "../session/Browser.ts"
import { scopeLines } from "../texts/ScopeLines.ts"

interface Consent {
  readonly visit: Visit
  readonly request: AuthorizationRequest
  /** The authorization request as a query, which the form sends back. */
  readonly query: string
  readonly email: string
  /** Names of the user's organizations, one of which the client may act on. */
  readonly organizations: ReadonlyArray<string>
}

/** A third-party client acts for one organization, so a user without any can only leave the page. */
export const consentPage = (consent: Consent): HtmlPage => {
  const { email, organizations, query, request, visit } = consent
  const texts = accountTexts[visit.language].page
  const title = fill(texts.wants_access, { client: request.client.name })
  return {
    language: visit.language,
    title,
    narrow: true,
    body: html`<form class="card" method="post" action="/oauth/consent">
      <h1>${title}</h1>
      <p class="muted">${fill(texts.logged_in_as, { email })}</p>
      <input type="hidden" name="csrf" value="${visit.csrf}" />
      <input type="hidden" name="query" value="${query}" />
      ${organizations.length === 0 ? waysOut(consent) : question(consent)}
    </form>`
  }
}

const question = ({ organizations, request, visit }: Consent): Html => {
  const texts = accountTexts[visit.language].page
  const security = accountTexts[visit.language].security
  const lines = request.scopes.includes(everyScope) ? [texts.everything] : scopeLines(request.scopes, visit.language)
  const tellsOfChanges = request.scopes.some((scope) => scope.startsWith("webhooks:"))
  return html`<p>
      ${actsFor(organizations, visit)} ${fill(security.returns_to, { host: hostOf(request.redirect_uri) })}
    </p>
    <h2>${texts.would_be_able}</h2>
    <ul class="plain">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
    ${tellsOfChanges ? html`<p>${security.all_changes}</p>` : null}
    <div class="actions">
      <button name="decision" value="deny" class="quiet">${texts.deny}</button>
      <button name="decision" value="approve">${texts.allow}</button>
    </div>
    <p><small>${texts.withdraw}</small></p>`
}

const waysOut = ({ request, visit }: Consent): Html => {
  const texts = accountTexts[visit.language].security
  const client = request.client.name
  return html`<p class="notice bad" role="alert">${fill(texts.no_organization, { client })}</p>
    <div class="actions">
      <button name="decision" value="deny" class="quiet">${fill(texts.back_to, { client })}</button>
      <button name="decision" value="other_account">${texts.other_account}</button>
    </div>`
}

/** Lists the organizations that the client may act on. The client chooses one of them when it redeems its code. */
const actsFor = (organizations: ReadonlyArray<string>, { language }: Visit): string => {
  const { organization, organizations: several } = accountTexts[language].security
  const names = new Intl.ListFormat(localeOf(language), { type: "disjunction" }).format(organizations)
  return fill(organizations.length === 1 ? organization : several, { names })
}

/** Returns the host that gets the code, or the scheme of an app on the user's device. */
const hostOf = (redirect_uri: string): string => {
  const { host, protocol } = new URL(redirect_uri)
  return protocol === "https:" || protocol === "http:" ? host : protocol
}
