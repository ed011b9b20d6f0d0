import { html } from "../../platform/pages/Html.ts"
import type { HtmlPage } from "../../platform/pages/PageFrame.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { type PageTexts, pageTexts } from "../texts/PageTexts.ts"

/** A page with one sentence. */
export const noticePage = (language: PageLanguage, text: keyof PageTexts): HtmlPage => ({
  language,
  title: pageTexts[language][text],
  narrow: true,
  body: html`<div class="card">
    <p class="notice bad" role="alert">${pageTexts[language][text]}</p>
    <p><a href="/account">${pageTexts[language].account}</a></p>
  </div>`
})
