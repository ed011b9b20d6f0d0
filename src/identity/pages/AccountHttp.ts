import { DateTime, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ClientId, inText, TokenId } from "../../kernel/Ids.ts"
import { Name } from "../../kernel/Text.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { reasonOf } from "../passwords/PasswordHttp.ts"
import { PasswordResets } from "../passwords/PasswordResets.ts"
import { passwordTexts } from "../passwords/PasswordTexts.ts"
import { everyScope, readScopes } from "../Scope.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import type { Session } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import { ApiTokens } from "../tokens/ApiTokens.ts"
import { Tokens } from "../tokens/Tokens.ts"
import { Users } from "../Users.ts"
import { type Account, accountPage, validity_days } from "./AccountPage.ts"
import { pageTexts } from "./PageTexts.ts"

const tokens_max = 50

type Outcome = Pick<Account, "changed" | "created" | "problem"> & { readonly status?: number }

const page = Effect.fnUntraced(function* (visit: Visit, current: Session, { status = 200, ...outcome }: Outcome) {
  const users = yield* Users
  const user = yield* users.find(current.user_id)
  if (Option.isNone(user)) return seeOther("/login")
  const sessions = yield* (yield* Sessions).list(current.user_id)
  const apps = yield* (yield* Tokens).clientsOf(current.user_id)
  const tokens = yield* (yield* ApiTokens).listPersonal(current.user_id)
  return pageAnswer({
    ...accountPage({ visit, user: user.value, current, sessions, apps, tokens, ...outcome }),
    status
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
    return yield* page(visit, visit.session.value, { changed: url.endsWith("?password=changed") })
  })
)

/** Adds a form of the account page. Its answer shows the page again if `handle` returns an outcome. */
const posted = <E, R>(
  path: `/account/${string}`,
  handle: (fields: URLSearchParams, session: Session, visit: Visit) => Effect.Effect<Outcome | undefined, E, R>
) =>
  HttpRouter.add(
    "POST",
    path,
    Effect.gen(function* () {
      const browser = yield* Browser
      const visit = yield* browser.visit
      if (Option.isNone(visit.session)) return seeOther("/login")
      const session = visit.session.value
      const fields = yield* Effect.result(browser.form(visit))
      if (Result.isFailure(fields)) {
        return yield* page(visit, session, { status: 403, problem: pageTexts[visit.language].form_expired })
      }
      const outcome = yield* handle(fields.success, session, visit)
      return outcome === undefined ? seeOther("/account") : yield* page(visit, session, outcome)
    })
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

const disconnect = posted(
  "/account/apps/disconnect",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeClientId(fields.get("id"))
    if (Option.isSome(id)) yield* (yield* Tokens).revokeClient(user_id, id.value)
    return undefined
  })
)

const createToken = posted(
  "/account/tokens",
  Effect.fnUntraced(function* (fields, { user_id }, { language }) {
    const apiTokens = yield* ApiTokens
    const name = fields.get("name")
    if (!isName(name)) return { status: 422, problem: pageTexts[language].name_invalid }
    if ((yield* apiTokens.listPersonal(user_id)).length >= tokens_max) {
      return { status: 422, problem: pageTexts[language].too_many_tokens }
    }
    const days = validity_days.find((days) => String(days) === fields.get("days"))
    const expires_at = days === undefined ? null : yield* inDays(days)
    const scopes = fields.get("access") === "full" ? ([everyScope] as const) : readScopes
    const { secret } = yield* apiTokens.issuePersonal(user_id, { name, scopes, expires_at })
    return { created: Redacted.value(secret) }
  })
)

const revokeToken = posted(
  "/account/tokens/revoke",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeId(fields.get("id"))
    // A second click finds nothing left to revoke, which is fine.
    if (Option.isSome(id)) yield* Effect.ignore((yield* ApiTokens).revokePersonal(user_id, id.value))
    return undefined
  })
)

const inDays = Effect.fnUntraced(function* (days: number) {
  return Timestamp.make(DateTime.formatIso(DateTime.add(yield* DateTime.now, { days })))
})

/** Changing the password ends every session, so the browser that did it gets a new one. */
const changePassword = HttpRouter.add(
  "POST",
  "/account/password",
  Effect.gen(function* () {
    const browser = yield* Browser
    const visit = yield* browser.visit
    if (Option.isNone(visit.session)) return seeOther("/login")
    const session = visit.session.value
    const { language } = visit
    const again = (status: number, problem: string) => page(visit, session, { status, problem })
    const fields = yield* Effect.result(browser.form(visit))
    if (Result.isFailure(fields)) return yield* again(403, pageTexts[language].form_expired)
    const user = yield* (yield* Users).find(session.user_id)
    if (Option.isNone(user)) return seeOther("/login")
    const secret = (name: string) => Redacted.make(fields.success.get(name) ?? "")
    const origin = { address: clientAddress(yield* HttpServerRequest.HttpServerRequest), device: visit.device }
    const change = { current: secret("current_password"), next: secret("new_password"), origin, language }
    return yield* (yield* PasswordResets).change(user.value, change).pipe(
      Effect.andThen(browser.login(visit, user.value.id, seeOther("/account?password=changed"))),
      Effect.catchTags({
        CredentialsWrong: () => again(422, passwordTexts[language].wrong_current),
        PasswordUnacceptable: (error) => again(422, reasonOf(passwordTexts[language], error)),
        PasswordsBusy: () => again(503, pageTexts[language].busy),
        LoginThrottled: ({ retry_after_seconds }) =>
          again(429, fill(pageTexts[language].throttled, { seconds: retry_after_seconds }))
      })
    )
  })
)

export const AccountRoutes = Layer.mergeAll(show, changePassword, endSession, disconnect, createToken, revokeToken)
