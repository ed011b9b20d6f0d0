import { Effect, Layer, Result } from "effect"
import { HttpRouter } from "effect/http"
import { fill } from "../../platform/pages/Fill.ts"
import type { Html } from "../../platform/pages/Html.ts"
import { pageAnswer } from "../../platform/pages/PageFrame.ts"
import { EmailChanges } from "../accounts/EmailChanges.ts"
import { confirmPage, endPage } from "../accounts/EmailPages.ts"
import { provePassword } from "../factors/Reauthentication.ts"
import { Browser, tokenOfLink, type Visit } from "../session/Browser.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import { change_minutes, type LinkGone } from "../users/MailedLink.ts"
import { Users } from "../users/Users.ts"
import { posted } from "./AccountForm.ts"

const ask = posted(
  "/account/email",
  Effect.fnUntraced(function* (fields, session, visit) {
    const user = yield* provePassword(visit, session, fields)
    const email = fields.get("email")?.trim() ?? ""
    const texts = accountTexts[visit.language].email
    const told = fill(texts.sent, { email, minutes: String(change_minutes) })
    const ask = (yield* EmailChanges).ask(user, email, visit.language)
    return yield* (yield* Users).whileChecked(user, ask).pipe(
      Effect.as({ told }),
      Effect.catchTag("ChangeRefused", ({ reason }) =>
        Effect.succeed({ status: 422, mistake: { field: "new_email", text: texts[reason] } })
      )
    )
  }),
  "email_password"
)

const answer = Effect.fnUntraced(function* (visit: Visit, body: Html, status = 200) {
  const { language } = visit
  const title = accountTexts[language].email.title
  return (yield* Browser).keep(visit)(pageAnswer({ language, title, body, narrow: true, status }))
})

const gone = (visit: Visit, { reason }: LinkGone) =>
  answer(
    visit,
    endPage(visit.language, accountTexts[visit.language].password.gone[reason], false),
    reason === "unknown" ? 404 : 410
  )

const show = HttpRouter.add(
  "GET",
  "/email/:token",
  Effect.gen(function* () {
    const visit = yield* (yield* Browser).visit
    return yield* (yield* EmailChanges).open(yield* tokenOfLink).pipe(
      Effect.flatMap(({ email }) => answer(visit, confirmPage(visit.language, { csrf: visit.csrf, email }))),
      Effect.catchTag("LinkGone", (end) => gone(visit, end))
    )
  })
)

const confirm = HttpRouter.add(
  "POST",
  "/email/:token",
  Effect.gen(function* () {
    const browser = yield* Browser
    const { form: fields, visit } = yield* browser.submission
    const { language } = visit
    const texts = accountTexts[language].email
    const changes = yield* EmailChanges
    const token = yield* tokenOfLink
    const answered = Effect.gen(function* () {
      // This check comes first, so that an invalid link is reported as such even if the form is refused, too.
      yield* changes.open(token)
      if (Result.isFailure(fields)) {
        return yield* answer(visit, endPage(language, accountTexts[language].page.form_expired, false), 403)
      }
      const { email } = yield* changes.use(token, language)
      return yield* answer(visit, endPage(language, fill(texts.done, { email }), true))
    }).pipe(
      Effect.catchTags({
        LinkGone: (end) => gone(visit, end),
        EmailTaken: () => answer(visit, endPage(language, texts.taken, false), 422)
      })
    )
    return yield* Result.isFailure(fields) ? answered : browser.once(fields.success, answered)
  })
)

export const EmailRoutes = Layer.mergeAll(ask, show, confirm)
