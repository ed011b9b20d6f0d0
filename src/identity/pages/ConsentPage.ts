import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import type { AuthorizationRequest } from "../oauth/AuthorizationRequest.ts"
import { everyScope } from "../Scope.ts"
import type { Visit } from "../session/Browser.ts"
import { pageTexts } from "./PageTexts.ts"
import { scopeLines } from "./ScopeTexts.ts"

interface Consent {
  readonly visit: Visit
  readonly request: AuthorizationRequest
  /** The authorization request as a query, which the form sends back. */
  readonly query: string
  readonly email: string
}

export const consentPage = ({ email, query, request, visit }: Consent): HtmlPage => {
  const texts = pageTexts[visit.language]
  const lines = request.scopes.includes(everyScope) ? [texts.everything] : scopeLines(request.scopes, visit.language)
  const title = fill(texts.wants_access, { client: request.client.name })
  return {
    language: visit.language,
    title,
    narrow: true,
    body: html`<form class="card" method="post" action="/oauth/consent">
      <h1>${title}</h1>
      <p class="muted">${fill(texts.logged_in_as, { email })}</p>
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
