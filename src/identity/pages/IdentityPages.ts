import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { html } from "../../platform/pages/Html.ts"
import { type HtmlPage, pageAnswer } from "../../platform/pages/PageFrame.ts"
import { languageOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { FactorRoutes } from "./FactorHttp.ts"
import { PasswordRoutes } from "../accounts/PasswordHttp.ts"
import { AccountRoutes } from "./AccountHttp.ts"
import { ConsentRoutes } from "./ConsentHttp.ts"
import { EmailRoutes } from "./EmailHttp.ts"
import { LoginRoutes } from "./LoginHttp.ts"
import { accountTexts } from "../texts/AccountTexts.ts"

const home = HttpRouter.add("GET", "/", (request) =>
  Effect.succeed(pageAnswer(homePage(languageOf(request.headers["accept-language"]))))
)

export const PageRoutes = Layer.mergeAll(
  home,
  LoginRoutes,
  ConsentRoutes,
  AccountRoutes,
  FactorRoutes,
  PasswordRoutes,
  EmailRoutes
)

const homePage = (language: PageLanguage): HtmlPage => {
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
