import { Effect, Layer, Option, Redacted, Result } from "effect"
import { HttpRouter } from "effect/http"
import { busy_seconds } from "../../platform/crypto/Passwords.ts"
import type { Html } from "../../platform/pages/Html.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { accountTexts, reasonOf } from "../texts/AccountTexts.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import type { User } from "../users/User.ts"
import type { LinkGone } from "../users/MailedLink.ts"
import { forgotPage, gonePage, resetPage, sentPage } from "./PasswordPages.ts"
import { PasswordResets } from "./PasswordResets.ts"

interface Problem {
  readonly status: number
  readonly text: string
  readonly retry_after_seconds?: number
}

const answer = Effect.fnUntraced(function* (visit: Visit, title: string, body: Html, problem?: Omit<Problem, "text">) {
  const page = pageAnswer({ ...problem, language: visit.language, title, body, narrow: true })
  return (yield* Browser).keep(visit)(page)
})

/** `typed` is the address that the user typed before, when the form is shown again. */
const forgot = (visit: Visit, typed = "", problem?: Problem) => {
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
    const visit = yield* browser.visit
    const texts = accountTexts[visit.language].password
    const fields = yield* Effect.result(browser.form(visit))
    if (Result.isFailure(fields)) {
      const expired = { status: 403, text: accountTexts[visit.language].page.form_expired }
      return yield* forgot(visit, fields.failure.typed?.get("email") ?? "", expired)
    }
    const email = fields.success.get("email") ?? ""
    return yield* resets.ask(email, visit.language).pipe(
      Effect.andThen(answer(visit, texts.forgot, sentPage(texts))),
      Effect.catchTag("PasswordsBusy", () => forgot(visit, email, busyIn(visit)))
    )
  })
)

const busyIn = ({ language }: Visit): Problem => ({
  status: 503,
  text: accountTexts[language].page.busy,
  retry_after_seconds: busy_seconds
})

const gone = (visit: Visit, { reason }: LinkGone) => {
  const texts = accountTexts[visit.language].password
  return answer(visit, texts.gone[reason], gonePage(texts, reason), { status: reason === "unknown" ? 404 : 410 })
}

const reset = (visit: Visit, { email }: User, problem?: Problem) => {
  const texts = accountTexts[visit.language].password
  const body = resetPage({ texts, csrf: visit.csrf, email, problem: problem?.text })
  return answer(visit, texts.set_title, body, problem)
}

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => token)

const showReset = HttpRouter.add(
  "GET",
  "/reset/:token",
  Effect.gen(function* () {
    const visit = yield* (yield* Browser).visit
    const resets = yield* PasswordResets
    return yield* resets.open(yield* tokenOf).pipe(
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
    const visit = yield* browser.visit
    const texts = accountTexts[visit.language].password
    const token = yield* tokenOf
    const fields = yield* Effect.option(browser.form(visit))
    const answered = Effect.gen(function* () {
      const user = yield* resets.open(token)
      const again = (problem: Problem) => reset(visit, user, problem)
      if (Option.isNone(fields))
        return yield* again({ status: 403, text: accountTexts[visit.language].page.form_expired })
      const password = Redacted.make(fields.value.get("password") ?? "")
      return yield* resets.use(token, password, visit.language).pipe(
        Effect.flatMap(({ id }) => browser.login(visit, id, seeOther("/account?password=changed"))),
        Effect.catchTags({
          PasswordUnacceptable: (error) => again({ status: 422, text: reasonOf(texts, error) }),
          PasswordsBusy: () => again(busyIn(visit))
        })
      )
    }).pipe(Effect.catchTag("LinkGone", (end) => gone(visit, end)))
    return yield* Option.isNone(fields) ? answered : browser.once(fields.value, answered)
  })
)

export const PasswordRoutes = Layer.mergeAll(showForgot, ask, showReset, set)
