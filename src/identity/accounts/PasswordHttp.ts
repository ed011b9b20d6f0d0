import { Effect, Layer, Redacted, Result } from "effect"
import { HttpRouter } from "effect/http"
import type { Html } from "../../platform/pages/Html.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { accountTexts, reasonOf } from "../texts/AccountTexts.ts"
import { Browser, tokenOfLink, type Visit } from "../session/Browser.ts"
import type { User } from "../users/User.ts"
import { Users } from "../users/Users.ts"
import type { LinkGone } from "../users/MailedLink.ts"
import { type FormProblem, passingProblem } from "../texts/FormProblem.ts"
import { forgotPage, gonePage, resetPage, sentPage } from "./PasswordPages.ts"
import { PasswordResets } from "./PasswordResets.ts"

const answer = Effect.fnUntraced(function* (
  visit: Visit,
  title: string,
  body: Html,
  problem?: Omit<FormProblem, "text">
) {
  const page = pageAnswer({ ...problem, language: visit.language, title, body, narrow: true })
  return (yield* Browser).keep(visit)(page)
})

/** `typed` is the address that the user typed before, when the form is shown again. */
const forgot = (visit: Visit, typed = "", problem?: FormProblem) => {
  const { csrf, language } = visit
  const texts = accountTexts[language].password
  const emailLabel = accountTexts[language].page.email
  const body = forgotPage({ texts, csrf, emailLabel, typed, problem: problem?.text })
  return answer(visit, texts.forgot, body, problem)
}

const showForgot = HttpRouter.add(
  "GET",
  "/forgot",
  Effect.gen(function* () {
    return yield* forgot(yield* (yield* Browser).visit)
  })
)

const ask = HttpRouter.add(
  "POST",
  "/forgot",
  Effect.gen(function* () {
    const browser = yield* Browser
    const resets = yield* PasswordResets
    const { form: fields, visit } = yield* browser.submission
    const texts = accountTexts[visit.language].password
    if (Result.isFailure(fields)) {
      const expired = { status: 403, text: accountTexts[visit.language].page.form_expired }
      return yield* forgot(visit, fields.failure.typed?.get("email") ?? "", expired)
    }
    const email = fields.success.get("email") ?? ""
    return yield* resets.ask(email, visit.language).pipe(
      Effect.andThen(answer(visit, texts.forgot, sentPage(texts))),
      Effect.catchTag("PasswordsBusy", (refused) => forgot(visit, email, passingProblem(visit.language, refused)))
    )
  })
)

const gone = (visit: Visit, { reason }: LinkGone) => {
  const texts = accountTexts[visit.language].password
  return answer(visit, texts.gone[reason], gonePage(texts, reason), { status: reason === "unknown" ? 404 : 410 })
}

const reset = (visit: Visit, { email }: User, problem?: FormProblem) => {
  const texts = accountTexts[visit.language].password
  const body = resetPage({ texts, csrf: visit.csrf, email, problem: problem?.text })
  return answer(visit, texts.set_title, body, problem)
}

const showReset = HttpRouter.add(
  "GET",
  "/reset/:token",
  Effect.gen(function* () {
    const visit = yield* (yield* Browser).visit
    const resets = yield* PasswordResets
    return yield* resets.open(yield* tokenOfLink).pipe(
      Effect.flatMap((user) => reset(visit, user)),
      Effect.catchTag("LinkGone", (end) => gone(visit, end))
    )
  })
)

const set = HttpRouter.add(
  "POST",
  "/reset/:token",
  Effect.gen(function* () {
    const browser = yield* Browser
    const resets = yield* PasswordResets
    const users = yield* Users
    const { form: fields, visit } = yield* browser.submission
    const texts = accountTexts[visit.language].password
    const token = yield* tokenOfLink
    const answered = Effect.gen(function* () {
      const user = yield* resets.open(token)
      const again = (problem: FormProblem) => reset(visit, user, problem)
      if (Result.isFailure(fields))
        return yield* again({ status: 403, text: accountTexts[visit.language].page.form_expired })
      const password = Redacted.make(fields.success.get("password") ?? "")
      return yield* resets.use(token, password, visit.language).pipe(
        Effect.flatMap((user) =>
          users.whileChecked(
            user,
            browser.login(visit, user.id, seeOther("/account?password=changed"), { isNotified: true })
          )
        ),
        Effect.catchTags({
          // The user was disabled or got yet another password meanwhile.
          CredentialsWrong: () => Effect.succeed(seeOther("/login")),
          PasswordUnacceptable: (error) => again({ status: 422, text: reasonOf(texts, error) }),
          PasswordsBusy: (refused) => again(passingProblem(visit.language, refused))
        })
      )
    }).pipe(Effect.catchTag("LinkGone", (end) => gone(visit, end)))
    return yield* Result.isFailure(fields) ? answered : browser.once(fields.success, answered)
  })
)

export const PasswordRoutes = Layer.mergeAll(showForgot, ask, showReset, set)
