import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
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
  /** Names of the user's organizations, one of which the client may act on. Empty for our own clients. */
  readonly organizations: ReadonlyArray<string>
}

export const consentPage = ({ email, organizations, query, request, visit }: Consent): HtmlPage => {
  const texts = accountTexts[visit.language].page
  const security = accountTexts[visit.language].security
  const lines = request.scopes.includes(everyScope) ? [texts.everything] : scopeLines(request.scopes, visit.language)
  const title = fill(texts.wants_access, { client: request.client.name })
  return {
    language: visit.language,
    title,
    narrow: true,
    body: html`<form class="card" method="post" action="/oauth/consent">
      <h1>${title}</h1>
      <p class="muted">${fill(texts.logged_in_as, { email })}</p>
      <p>${actsFor(organizations, visit)} ${fill(security.returns_to, { host: hostOf(request.redirect_uri) })}</p>
      <h2>${texts.would_be_able}</h2>
      <ul class="plain">
        ${lines.map((line) => html`<li>${line}</li>`)}
      </ul>
      <input type="hidden" name="csrf" value="${visit.csrf}" />
      <input type="hidden" name="query" value="${query}" />
      <div class="actions">
        <button name="decision" value="deny" class="quiet">${texts.deny}</button>
        <button name="decision" value="approve">${texts.allow}</button>
      </div>
      <p><small>${texts.withdraw}</small></p>
    </form>`
  }
}

/** Lists the organizations that the client may act on. The client chooses one of them when it redeems its code. */
const actsFor = (organizations: ReadonlyArray<string>, { language }: Visit): string => {
  const { organization, organizations: several } = accountTexts[language].security
  const names = new Intl.ListFormat(localeOf(language), { type: "disjunction" }).format(organizations)
  return organizations.length === 0 ? "" : fill(organizations.length === 1 ? organization : several, { names })
}

/** Returns the host that gets the code, or the scheme of an app on the user's device. */
const hostOf = (redirect_uri: string): string => {
  const { host, protocol } = new URL(redirect_uri)
  return protocol === "https:" || protocol === "http:" ? host : protocol
}
