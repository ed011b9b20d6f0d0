import { Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { ClientId, inText, TokenId } from "../../kernel/Ids.ts"
import { Name } from "../../kernel/Text.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import type { FormProblem } from "../texts/FormProblem.ts"
import { PasswordResets } from "../accounts/PasswordResets.ts"
import { againPage } from "../factors/FactorPages.ts"
import { originOf, problemOf, provePassword, userOf } from "../factors/Reauthentication.ts"
import { everyScope, readScopes } from "../Scope.ts"
import { Browser, type Visit } from "../session/Browser.ts"
import { type Session, SessionId } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import { accountTexts, reasonOf } from "../texts/AccountTexts.ts"
import { ApiTokens } from "../tokens/ApiTokens.ts"
import { Tokens } from "../tokens/Tokens.ts"
import { endOf } from "../tokens/TokenValidity.ts"
import { Users } from "../users/Users.ts"
import { page, posted } from "./AccountForm.ts"
import { keptInput } from "./Targets.ts"

const tokens_max = 50

const show = HttpRouter.add(
  "GET",
  "/account",
  Effect.gen(function* () {
    const browser = yield* Browser
    const visit = yield* browser.visit
    if (Option.isNone(visit.session)) return seeOther("/login")
    const { url } = yield* HttpServerRequest.HttpServerRequest
    // A login that followed a form leads back with the input of this form.
    const query = new URLSearchParams(url.split("?", 2)[1])
    return yield* page(visit, visit.session.value, { changed: query.get("password") === "changed" }, keptInput(query))
  })
)

const decodeClientId = Schema.decodeUnknownOption(ClientId)
const decodeTokenId = Schema.decodeUnknownOption(inText(TokenId))
const decodeSessionId = Schema.decodeUnknownOption(inText(SessionId))
const isName = Schema.is(Name)

const endSession = posted(
  "/account/sessions/end",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeSessionId(fields.get("id"))
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
  const ask = (problem?: FormProblem) =>
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
    const expires_at = yield* endOf(fields.get("days"))
    const scopes = fields.get("access") === "full" ? ([everyScope] as const) : readScopes
    if (expires_at === null || scopes.length === 1) {
      const asked = yield* reauthenticated("/account/tokens", fields, session, visit)
      if (asked !== undefined) return asked
    }
    const draft = { name, scopes, expires_at }
    const issued = yield* Effect.option(apiTokens.issuePersonal(user_id, draft, { language }, session))
    // The session ended meanwhile, e.g. because the password was changed.
    if (Option.isNone(issued)) return undefined
    return { created: Redacted.value(issued.value.secret) }
  })
)

const revokeToken = posted(
  "/account/tokens/revoke",
  Effect.fnUntraced(function* (fields, { user_id }) {
    const id = decodeTokenId(fields.get("id"))
    // A second click finds nothing left to revoke, and is ignored.
    if (Option.isSome(id)) yield* Effect.ignore((yield* ApiTokens).revokePersonal(user_id, id.value))
    return undefined
  })
)

/** Changing the password ends every session, so this browser gets a new one. */
const changePassword = posted(
  "/account/password",
  Effect.fnUntraced(function* (fields, session, visit) {
    const { language } = visit
    const user = yield* userOf(session)
    const secret = (name: string) => Redacted.make(fields.get(name) ?? "")
    const origin = yield* originOf(visit)
    const change = { current: secret("current_password"), next: secret("new_password"), origin, language }
    const browser = yield* Browser
    const users = yield* Users
    return yield* (yield* PasswordResets).change(user, change).pipe(
      Effect.flatMap((changed) =>
        users
          .whileChecked(
            changed,
            browser.enter(visit, user.id, seeOther("/account?password=changed"), { isNotified: true })
          )
          .pipe(
            // The user was disabled or got yet another password meanwhile.
            Effect.catchTag("CredentialsWrong", () => Effect.succeed(seeOther("/login")))
          )
      ),
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
