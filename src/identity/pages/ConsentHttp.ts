import { Effect, Option, Result } from "effect"
import { HttpRouter } from "effect/http"
import { html } from "../../platform/pages/Html.ts"
import { type HtmlPage, pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { parseQuery, queryText } from "../oauth/AuthorizationRequest.ts"
import { Authorizations } from "../oauth/Authorizations.ts"
import { Browser } from "../session/Browser.ts"
import { type AccountTexts, accountTexts } from "../texts/AccountTexts.ts"
import { loginAt } from "./Targets.ts"

/** If anything is wrong with the form, the authorization endpoint asks again or shows the error. */
export const ConsentRoutes = HttpRouter.add(
  "POST",
  "/oauth/consent",
  Effect.gen(function* () {
    const browser = yield* Browser
    const authorizations = yield* Authorizations
    const { form: fields, visit } = yield* browser.submission
    const sent = Result.isSuccess(fields) ? fields.success : fields.failure.typed
    if (sent === undefined) return pageAnswer({ ...noticePage(visit.language, "form_expired"), status: 403 })
    const query = parseQuery(sent.get("query") ?? "")
    const again = seeOther(`/oauth/authorize?${queryText(query)}`)
    // The user has logged out, or logged in as somebody else, since the form was shown.
    if (Result.isFailure(fields) || Option.isNone(visit.session)) return again
    const decision = sent.get("decision")
    if (decision === "other_account") return yield* browser.logout(visit, seeOther(loginAt(queryText(query))))
    const approved = decision === "approve"
    return yield* authorizations.decide(query, visit.session.value, approved).pipe(
      Effect.map((decision) => (decision._tag === "Redirect" ? seeOther(decision.location) : again)),
      Effect.catchTag("InvalidClient", () => Effect.succeed(again))
    )
  })
)

const noticePage = (language: PageLanguage, text: keyof AccountTexts["page"]): HtmlPage => ({
  language,
  title: accountTexts[language].page[text],
  narrow: true,
  body: html`<div class="card">
    <p class="notice bad" role="alert">${accountTexts[language].page[text]}</p>
    <p><a href="/account">${accountTexts[language].page.account}</a></p>
  </div>`
})
