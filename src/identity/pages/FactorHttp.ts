import { Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { Html } from "../../platform/pages/Html.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { posted } from "./AccountForm.ts"
import { cleanQuery, interrupted, loginAt, nextOf, queryIn } from "./Targets.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import { enrolmentPage, recoveryPage, stepPage } from "../factors/FactorPages.ts"
import type { FormProblem } from "../texts/FormProblem.ts"
import { originOf, problemOf, proveBoth, provePassword, userOf } from "../factors/Reauthentication.ts"
import { SecondFactors } from "../factors/SecondFactors.ts"
import { Users } from "../users/Users.ts"

interface FormTargets {
  readonly formTargets: ReadonlyArray<string>
}

const answer = (
  visit: Visit,
  title: string,
  body: Html,
  { formTargets = [], retry_after_seconds, status = 200 }: Partial<FormProblem & FormTargets> = {}
) => pageAnswer({ language: visit.language, title, body, narrow: true, status, retry_after_seconds, formTargets })

const begin = posted(
  "/account/factor/begin",
  Effect.fnUntraced(function* (fields, session, visit) {
    const user = yield* provePassword(visit, session, fields)
    const begun = yield* (yield* Users).whileChecked(user, (yield* SecondFactors).begin(user))
    if (Option.isNone(begun)) return undefined
    return answer(visit, accountTexts[visit.language].security.title, enrolmentPage(visit, begun.value))
  }),
  "factor_password"
)

const confirm = posted(
  "/account/factor/confirm",
  Effect.fnUntraced(function* (fields, session, visit) {
    const factors = yield* SecondFactors
    const user = yield* userOf(session)
    const texts = accountTexts[visit.language].security
    const pending = yield* factors.pending(user)
    if (Option.isNone(pending)) return undefined
    return yield* factors.confirm(user, fields.get("code") ?? "", yield* originOf(visit)).pipe(
      Effect.map((codes) => answer(visit, texts.recovery_title, recoveryPage(visit, codes))),
      Effect.catch((refused) => {
        const problem = problemOf(visit, refused)
        return Effect.succeed(answer(visit, texts.title, enrolmentPage(visit, pending.value, problem.text), problem))
      })
    )
  })
)

const renew = posted(
  "/account/factor/recovery",
  Effect.fnUntraced(function* (fields, session, visit) {
    const user = yield* proveBoth(visit, session, fields)
    const codes = yield* (yield* Users).whileChecked(user, (yield* SecondFactors).renewRecovery(user))
    return answer(visit, accountTexts[visit.language].security.recovery_title, recoveryPage(visit, codes))
  }),
  "factor_password"
)

const turnOff = posted(
  "/account/factor/off",
  Effect.fnUntraced(function* (fields, session, visit) {
    const user = yield* proveBoth(visit, session, fields)
    yield* (yield* Users).whileChecked(user, (yield* SecondFactors).remove(user.id))
    return undefined
  }),
  "factor_password"
)

const step = Effect.fnUntraced(function* (visit: Visit, query: string, problem?: FormProblem) {
  const { formTargets } = yield* interrupted(query)
  const title = accountTexts[visit.language].security.step_title
  return answer(visit, title, stepPage(visit, query, problem?.text), { ...problem, formTargets })
})

const showStep = HttpRouter.add(
  "GET",
  "/login/code",
  Effect.gen(function* () {
    const visit = yield* (yield* Browser).visit
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const query = cleanQuery(url.split("?", 2)[1] ?? "")
    if (Option.isSome(visit.session)) return seeOther(nextOf(query))
    if (Option.isNone(visit.unfinished)) return seeOther(loginAt(query))
    return yield* step(visit, query)
  })
)

const takeStep = HttpRouter.add(
  "POST",
  "/login/code",
  Effect.gen(function* () {
    const browser = yield* Browser
    const factors = yield* SecondFactors
    const { form: fields, visit } = yield* browser.submission
    const query = yield* queryIn(yield* HttpServerRequest.HttpServerRequest)
    if (Option.isNone(visit.unfinished)) {
      const login = Effect.succeed(seeOther(loginAt(query)))
      // The first of two clicks may have finished the login.
      return yield* Result.isFailure(fields) ? login : browser.once(fields.success, login)
    }
    if (Result.isFailure(fields)) {
      return yield* step(visit, query, { status: 403, text: accountTexts[visit.language].page.form_expired })
    }
    const unfinished = visit.unfinished.value
    const user = yield* userOf(unfinished)
    const answered = factors.check(user, fields.success.get("code") ?? "", yield* originOf(visit)).pipe(
      Effect.andThen(browser.finish(visit, unfinished, seeOther(nextOf(query)))),
      Effect.catch((refused) => step(visit, query, problemOf(visit, refused)))
    )
    return yield* browser.once(fields.success, answered)
  })
)

export const FactorRoutes = Layer.mergeAll(begin, confirm, renew, turnOff, showStep, takeStep)
