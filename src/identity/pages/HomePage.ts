import { html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { accountTexts } from "../texts/AccountTexts.ts"

export const homePage = (language: PageLanguage): HtmlPage => {
  const texts = accountTexts[language].page
  return {
    language,
    title: "Invoicing",
    aside: html`<a href="/account">${texts.account}</a>`,
    body: html`<div class="card">
      <h1>Invoicing</h1>
      <p class="lead">${texts.home_lead}</p>
      <p><a class="button" href="/docs">${texts.api_reference}</a></p>
      <ul class="plain">
        <li><a href="/openapi.json">${texts.api_description}</a> <code>/openapi.json</code></li>
        <li>
          <a href="/.well-known/oauth-authorization-server">OAuth 2.0</a>
          <code>/.well-known/oauth-authorization-server</code>
        </li>
      </ul>
    </div>`
  }
}
