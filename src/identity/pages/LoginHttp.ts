import { Effect, Layer, Option, Redacted, Result } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import { Users } from "../users/Users.ts"
import { loginPage } from "./LoginPage.ts"
import { type FormProblem, passingProblem } from "../texts/FormProblem.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import { cleanQuery, interrupted, nextOf, queryIn } from "./Targets.ts"

const form = Effect.fnUntraced(function* (visit: Visit, query: string, email = "", problem?: FormProblem) {
  const { client, formTargets } = yield* interrupted(query)
  const response = pageAnswer({
    ...loginPage({ visit, query, client, email, problem: problem?.text }),
    formTargets,
    status: problem?.status ?? 200,
    retry_after_seconds: problem?.retry_after_seconds
  })
  const browser = yield* Browser
  return browser.keep(visit)(response)
})

const show = HttpRouter.add(
  "GET",
  "/login",
  Effect.gen(function* () {
    const browser = yield* Browser
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const visit = yield* browser.visit
    const query = cleanQuery(url.split("?", 2)[1] ?? "")
    if (Option.isNone(visit.session)) return yield* form(visit, query)
    return seeOther(nextOf(query))
  })
)

const logIn = HttpRouter.add(
  "POST",
  "/login",
  Effect.gen(function* () {
    const browser = yield* Browser
    const users = yield* Users
    const request = yield* HttpServerRequest.HttpServerRequest
    const address = clientAddress(request)
    const { form: fields, visit } = yield* browser.submission
    const texts = accountTexts[visit.language].page
    const query = yield* queryIn(request)
    if (Result.isFailure(fields)) {
      const { typed } = fields.failure
      // A second click, or the back button, sent the form of a login that has succeeded.
      if (Option.isSome(visit.session) && typed !== undefined) return seeOther(nextOf(query))
      return yield* form(visit, query, typed?.get("email") ?? "", { status: 403, text: texts.form_expired })
    }
    const email = fields.success.get("email") ?? ""
    const password = Redacted.make(fields.success.get("password") ?? "")
    const again = (problem: FormProblem) => form(visit, query, email, problem)
    const answered = users.authenticate(email, password, { address, device: visit.device }).pipe(
      Effect.flatMap((user) =>
        users.whileChecked(user, browser.login(visit, user.id, seeOther(nextOf(query)), { query }))
      ),
      Effect.catchTags({
        CredentialsWrong: () => again({ status: 422, text: texts.wrong }),
        PasswordsBusy: (refused) => again(passingProblem(visit.language, refused)),
        LoginThrottled: (refused) => again(passingProblem(visit.language, refused))
      })
    )
    // A second click would otherwise start a second session.
    return yield* browser.once(fields.success, answered)
  })
)

const logOut = HttpRouter.add(
  "POST",
  "/logout",
  Effect.gen(function* () {
    const browser = yield* Browser
    const { form: fields, visit } = yield* browser.submission
    if (Result.isFailure(fields)) {
      return yield* form(visit, "", "", { status: 403, text: accountTexts[visit.language].page.form_expired })
    }
    return yield* browser.logout(visit, seeOther("/"))
  })
)

/** A browser whose logout form was refused may reload this address. A GET request must not log anybody out. */
const stay = HttpRouter.add("GET", "/logout", Effect.succeed(seeOther("/account")))

export const LoginRoutes = Layer.mergeAll(show, logIn, logOut, stay)
