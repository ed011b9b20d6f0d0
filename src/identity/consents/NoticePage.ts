import { html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { type AccountTexts, accountTexts } from "../texts/AccountTexts.ts"

export const noticePage = (language: PageLanguage, text: keyof AccountTexts["page"]): HtmlPage => ({
  language,
  title: accountTexts[language].page[text],
  narrow: true,
  body: html`<div class="card">
    <p class="notice bad" role="alert">${accountTexts[language].page[text]}</p>
    <p><a href="/account">${accountTexts[language].page.account}</a></p>
  </div>`
})
