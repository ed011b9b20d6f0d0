import { Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { problemOf, type ProofRefused, userOf } from "../factors/Reauthentication.ts"
import { SecondFactors } from "../factors/SecondFactors.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import type { Session } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import { ApiTokens } from "../tokens/ApiTokens.ts"
import { Tokens } from "../tokens/Tokens.ts"
import { type Account, accountPage } from "./AccountPage.ts"
import { loginWith } from "./Targets.ts"

type Outcome = Pick<Account, "changed" | "created" | "mistake" | "problem" | "told"> & {
  readonly status?: number
  readonly retry_after_seconds?: number | undefined
}

/** Answers the account page. */
export const page = Effect.fnUntraced(function* (
  visit: Visit,
  current: Session,
  { retry_after_seconds, status = 200, ...outcome }: Outcome,
  typed?: URLSearchParams
) {
  const user = yield* userOf(current)
  const sessions = yield* (yield* Sessions).list(user.id)
  const apps = yield* (yield* Tokens).clientsOf(user.id)
  const tokens = yield* (yield* ApiTokens).listPersonal(user.id)
  const factor = yield* (yield* SecondFactors).state(user.id)
  return pageAnswer({
    ...accountPage({ visit, user, current, sessions, apps, tokens, factor, ...outcome, typed }),
    status,
    retry_after_seconds
  })
})

type Response = HttpServerResponse.HttpServerResponse

/** Ids of the fields in which the forms of the account page ask for the password. */
type PasswordField = "current_password" | "email_password" | "factor_password"

/**
 * Adds a form of the account page. Its answer shows the page again if `handle` returns an `Outcome`, or if a password
 * or code is refused. The browser keeps the form's URL, so a GET of it also leads to the page.
 */
export const posted = <R>(
  path: `/account/${string}`,
  handle: (
    fields: URLSearchParams,
    session: Session,
    visit: Visit
  ) => Effect.Effect<Outcome | Response | undefined, ProofRefused, R>,
  passwordField: PasswordField = "current_password"
) =>
  Layer.merge(
    HttpRouter.add("GET", path, Effect.succeed(seeOther("/account"))),
    HttpRouter.add(
      "POST",
      path,
      Effect.gen(function* () {
        const browser = yield* Browser
        const { form: fields, visit } = yield* browser.submission
        if (Option.isNone(visit.session)) {
          const sent = Result.isFailure(fields) ? fields.failure.typed : fields.success
          const login = Effect.succeed(seeOther(loginWith(sent ?? new URLSearchParams())))
          // The first of two clicks may have ended the session, as a change of the password does.
          return yield* Result.isFailure(fields) ? login : browser.once(fields.success, login)
        }
        const session = visit.session.value
        if (Result.isFailure(fields)) {
          const expired = { status: 403, problem: accountTexts[visit.language].page.form_expired }
          return yield* page(visit, session, expired, fields.failure.typed)
        }
        return yield* browser.once(
          fields.success,
          Effect.gen(function* () {
            const outcome = yield* handle(fields.success, session, visit).pipe(
              Effect.catch((refused) => {
                const { retry_after_seconds, status, text } = problemOf(visit, refused)
                const field = { CredentialsWrong: passwordField, CodeWrong: "factor_code" }
                return Effect.succeed(
                  refused._tag === "CredentialsWrong" || refused._tag === "CodeWrong"
                    ? { status, mistake: { field: field[refused._tag], text } }
                    : { status, problem: text, retry_after_seconds }
                )
              })
            )
            if (outcome === undefined) return seeOther("/account")
            if (HttpServerResponse.isHttpServerResponse(outcome)) return outcome
            return yield* page(visit, session, outcome, (outcome.status ?? 200) < 400 ? undefined : fields.success)
          })
        )
      })
    )
  )
