import { DateTime, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ClientId, inText, TokenId } from "../../kernel/Ids.ts"
import { Name } from "../../kernel/Text.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { againPage } from "../factors/FactorPages.ts"
import {
  originOf,
  type Problem,
  problemOf,
  type ProofRefused,
  provePassword,
  userOf
} from "../factors/Reauthentication.ts"
import { SecondFactors } from "../factors/SecondFactors.ts"
import { accountTexts, reasonOf } from "../texts/AccountTexts.ts"
import { PasswordResets } from "../accounts/PasswordResets.ts"
import { everyScope, readScopes } from "../Scope.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import type { Session } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import { ApiTokens } from "../tokens/ApiTokens.ts"
import { Tokens } from "../tokens/Tokens.ts"
import { loginWith } from "./Targets.ts"
import { type Account, accountPage, validity_days } from "./AccountPage.ts"

const tokens_max = 50

type Outcome = Pick<Account, "changed" | "created" | "mistake" | "problem" | "told"> & {
  readonly status?: number
  readonly retry_after_seconds?: number | undefined
}

const page = Effect.fnUntraced(function* (
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

const show = HttpRouter.add(
  "GET",
  "/account",
  Effect.gen(function* () {
    const browser = yield* Browser
    const visit = yield* browser.visit
    if (Option.isNone(visit.session)) return seeOther("/login")
    const { url } = yield* HttpServerRequest.HttpServerRequest
    // A login that followed a form leads back with the input of this form.
    const typed = new URLSearchParams(url.split("?", 2)[1])
    return yield* page(visit, visit.session.value, { changed: typed.get("password") === "changed" }, typed)
  })
)

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
        const visit = yield* browser.visit
        const fields = yield* Effect.result(browser.form(visit))
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

const decodeClientId = Schema.decodeUnknownOption(ClientId)
const decodeId = Schema.decodeUnknownOption(inText(TokenId))
const isName = Schema.is(Name)

const endSession = posted(
  "/account/sessions/end",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeId(fields.get("id"))
    if (Option.isSome(id)) yield* (yield* Sessions).revoke(user_id, id.value)
    return undefined
  })
)

const endOthers = posted(
  "/account/sessions/end-others",
  Effect.fnUntraced(function* (_, { id, user_id }) {
    yield* (yield* Sessions).revokeOthers(user_id, id)
    return undefined
  })
)

const disconnect = posted(
  "/account/apps/disconnect",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeClientId(fields.get("id"))
    if (Option.isSome(id)) yield* (yield* Tokens).revokeClients(user_id, id.value)
    return undefined
  })
)

/** Asks for the password if the login is older than a few minutes; undefined if the change may proceed. */
const reauthenticated = Effect.fnUntraced(function* (
  action: string,
  fields: URLSearchParams,
  session: Session,
  visit: Visit
) {
  if (session.is_fresh) return undefined
  const title = accountTexts[visit.language].security.again_title
  const ask = (problem?: Problem) =>
    pageAnswer({
      language: visit.language,
      title,
      narrow: true,
      body: againPage(visit, action, fields, problem?.text),
      status: problem?.status ?? 200,
      retry_after_seconds: problem?.retry_after_seconds
    })
  if (!fields.has("current_password")) return ask()
  const proven = yield* Effect.result(provePassword(visit, session, fields))
  return Result.isFailure(proven) ? ask(problemOf(visit, proven.failure)) : undefined
})

const createToken = posted(
  "/account/tokens",
  Effect.fnUntraced(function* (fields, session, visit) {
    const apiTokens = yield* ApiTokens
    const { user_id } = session
    const { language } = visit
    const name = fields.get("name")
    if (!isName(name))
      return { status: 422, mistake: { field: "name", text: accountTexts[language].page.name_invalid } }
    if ((yield* apiTokens.listPersonal(user_id)).length >= tokens_max) {
      return { status: 422, problem: accountTexts[language].page.too_many_tokens }
    }
    const days = validity_days.find((days) => String(days) === fields.get("days"))
    const scopes = fields.get("access") === "full" ? ([everyScope] as const) : readScopes
    if (days === undefined || scopes.length === 1) {
      const asked = yield* reauthenticated("/account/tokens", fields, session, visit)
      if (asked !== undefined) return asked
    }
    const expires_at = days === undefined ? null : yield* inDays(days)
    const issued = yield* Effect.option(apiTokens.issuePersonal(user_id, { name, scopes, expires_at }, { language }))
    // The account was disabled meanwhile.
    if (Option.isNone(issued)) return undefined
    return { created: Redacted.value(issued.value.secret) }
  })
)

const revokeToken = posted(
  "/account/tokens/revoke",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeId(fields.get("id"))
    // A second click finds nothing left to revoke, and is ignored.
    if (Option.isSome(id)) yield* Effect.ignore((yield* ApiTokens).revokePersonal(user_id, id.value))
    return undefined
  })
)

const inDays = Effect.fnUntraced(function* (days: number) {
  return Timestamp.make(DateTime.formatIso(DateTime.add(yield* DateTime.now, { days })))
})

/** Changing the password ends every session, so this browser gets a new one. */
const changePassword = posted(
  "/account/password",
  Effect.fnUntraced(function* (fields, session, visit) {
    const { language } = visit
    const user = yield* userOf(session)
    const secret = (name: string) => Redacted.make(fields.get(name) ?? "")
    const origin = yield* originOf(visit)
    const change = { current: secret("current_password"), next: secret("new_password"), origin, language }
    const changed = (yield* PasswordResets).change(user, change)
    return yield* changed.pipe(
      Effect.andThen((yield* Browser).enter(visit, user.id, seeOther("/account?password=changed"))),
      Effect.catchTag("PasswordUnacceptable", (error) =>
        Effect.succeed({
          status: 422,
          mistake: { field: "new_password", text: reasonOf(accountTexts[language].password, error) }
        })
      )
    )
  })
)

export const AccountRoutes = Layer.mergeAll(
  show,
  changePassword,
  endSession,
  endOthers,
  disconnect,
  createToken,
  revokeToken
)
