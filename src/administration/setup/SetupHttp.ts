import { Effect, Layer, Result } from "effect"
import { HttpRouter } from "effect/http"
import { type FormProblem, passingProblem } from "../../identity/texts/FormProblem.ts"
import { Browser, tokenOfLink, type Visit } from "../../identity/session/Browser.ts"
import { accountTexts, reasonOf } from "../../identity/texts/AccountTexts.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import type { Typed } from "../panel/PanelForm.ts"
import { at, decoded } from "../panel/PanelInput.ts"
import { Opening } from "../Opening.ts"
import { setupAnswers, setupForm } from "./SetupPage.ts"
import { SetupLinks } from "../SetupLinks.ts"

/** A form that is shown for the first time, or with errors at its fields, has no text. */
type Outcome = Omit<FormProblem, "text"> & Partial<FormProblem>

const answer = Effect.fnUntraced(function* (visit: Visit, body: Html, { text, ...problem }: Outcome) {
  const { title } = accountTexts[visit.language].setup
  const alert = text === undefined ? null : html`<p class="notice bad" role="alert">${text}</p>`
  const page = pageAnswer({
    language: visit.language,
    title,
    narrow: true,
    ...problem,
    body: html`<h1>${title}</h1>
      ${alert} ${body}`
  })
  return (yield* Browser).keep(visit)(page)
})

const form = (visit: Visit, typed: Omit<Typed, "csrf"> = {}, problem: Outcome = { status: 200 }) =>
  answer(visit, setupForm(visit, typed), problem)

const gone = (visit: Visit) => {
  const { page, setup } = accountTexts[visit.language]
  const body = html`<div class="card">
    <p>${setup.gone_lead}<br /><code dir="ltr">npm run admin -- setup</code></p>
    <p><a class="button" href="/login?to=%2Fadmin">${page.log_in}</a></p>
  </div>`
  return answer(visit, body, { status: 410, text: setup.gone })
}

const show = HttpRouter.add(
  "GET",
  "/setup/:token",
  Effect.gen(function* () {
    const visit = yield* (yield* Browser).visit
    return yield* (yield* SetupLinks).open(yield* tokenOfLink).pipe(
      Effect.andThen(form(visit)),
      Effect.catchTag("SetupGone", () => gone(visit))
    )
  })
)

const badPassword = (sentence: string) => ValidationFailed.of({ owner_password: [sentence] })

const openIn = Effect.fnUntraced(function* (visit: Visit, fields: URLSearchParams) {
  const opening = yield* decoded(Opening, setupAnswers(fields))
  const texts = accountTexts[visit.language].password
  if (opening.owner_password === undefined) return yield* badPassword(texts.rule)
  const { organization, owner } = yield* (yield* SetupLinks).use(yield* tokenOfLink, opening).pipe(
    Effect.catchTags({
      EmailTaken: at("owner_email"),
      PasswordUnacceptable: (error) => badPassword(reasonOf(texts, error))
    })
  )
  const next = seeOther(`/admin/organizations/${organization.id}?done=CreateOrganization`)
  return yield* (yield* Browser).login(visit, owner.id, next)
})

const open = HttpRouter.add(
  "POST",
  "/setup/:token",
  Effect.gen(function* () {
    const browser = yield* Browser
    const { form: sent, visit } = yield* browser.submission
    if (Result.isFailure(sent)) {
      const kept = sent.failure.typed === undefined ? {} : { fields: sent.failure.typed }
      return yield* form(visit, kept, { status: 403, text: accountTexts[visit.language].page.form_expired })
    }
    const typed = { fields: sent.success }
    const answered = openIn(visit, sent.success).pipe(
      Effect.catchTags({
        SetupGone: () => gone(visit),
        ValidationFailed: ({ errors }) => form(visit, { ...typed, errors }, { status: 422 }),
        PasswordsBusy: (refused) => form(visit, typed, passingProblem(visit.language, refused))
      })
    )
    return yield* browser.once(sent.success, answered)
  })
)

export const SetupRoutes = Layer.mergeAll(show, open)
