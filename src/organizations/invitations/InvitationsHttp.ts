import { Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Browser, type Visit } from "../../identity/session/Browser.ts"
import { accountTexts, reasonOf } from "../../identity/texts/AccountTexts.ts"
import type { User } from "../../identity/users/User.ts"
import { Name } from "../../kernel/Text.ts"
import { busy_seconds } from "../../platform/crypto/Passwords.ts"
import { fill } from "../../platform/pages/Fill.ts"
import type { Html } from "../../platform/pages/Html.ts"
import { pageAnswer } from "../../platform/pages/PageFrame.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import type { Invitation, InvitationGone } from "./Invitation.ts"
import { invitationPage, outcomePage } from "./InvitationPage.ts"
import { Invitations } from "./Invitations.ts"
import { invitationTexts } from "./texts/InvitationTexts.ts"

interface Asked {
  readonly invitation: Invitation
  readonly user: User
}

interface Problem {
  readonly status: number
  readonly message: string
  readonly field?: "name" | "password"
  readonly retry_after_seconds?: number
}

const nameOf = Schema.decodeUnknownOption(Name)
const isLoggedInAs = (visit: Visit, user: User) => Option.exists(visit.session, ({ user_id }) => user_id === user.id)

export const InvitationPages = Layer.unwrap(
  Effect.gen(function* () {
    const invitations = yield* Invitations
    const browser = yield* Browser

    const answer = (visit: Visit, title: string, body: Html, problem?: Omit<Problem, "message" | "field">) => {
      const { retry_after_seconds, status = 200 } = problem ?? {}
      const { language } = visit
      return browser.keep(visit)(pageAnswer({ language, title, body, narrow: true, status, retry_after_seconds }))
    }

    const ask = (visit: Visit, { invitation, user }: Asked, name: string, problem?: Problem) => {
      const { csrf, language } = visit
      const texts = invitationTexts[language]
      const how = isLoggedInAs(visit, user) ? "nothing" : user.has_password ? "password" : "new_account"
      const question = {
        texts,
        invitation,
        email: user.email,
        ask: how,
        csrf,
        name,
        problem: problem?.message,
        wrong: problem?.field
      } as const
      const title = fill(texts.subject, { organization: invitation.organization_name })
      return answer(visit, title, invitationPage(question), problem)
    }

    const gone = (visit: Visit, { reason }: InvitationGone) => {
      const texts = invitationTexts[visit.language]
      const message = texts.gone[reason]
      return answer(visit, message, outcomePage(texts, message), { status: reason === "unknown" ? 404 : 410 })
    }

    const show = (visit: Visit, token: string) => Effect.map(invitations.open(token), (asked) => ask(visit, asked, ""))

    const join = Effect.fnUntraced(function* (visit: Visit, token: string, { user }: Asked, fields: URLSearchParams) {
      const invitation = yield* invitations.accept(token, {
        session: Option.map(visit.session, ({ user_id }) => user_id),
        name: fields.get("name") ?? "",
        password: Redacted.make(fields.get("password") ?? ""),
        origin: { address: clientAddress(yield* HttpServerRequest.HttpServerRequest), device: visit.device }
      })
      const texts = invitationTexts[visit.language]
      const message = fill(texts.accepted, { organization: invitation.organization_name })
      const page = answer(visit, message, outcomePage(texts, message))
      return isLoggedInAs(visit, user) ? page : yield* browser.login(visit, user.id, page)
    })

    const accept = Effect.fnUntraced(function* (visit: Visit, token: string) {
      const form = yield* Effect.result(browser.form(visit))
      if (Result.isSuccess(form)) return yield* browser.once(form.success, answerTo(visit, token, form.success))
      const message = invitationTexts[visit.language].expired_form
      const name = form.failure.typed?.get("name") ?? ""
      return ask(visit, yield* invitations.open(token), name, { status: 403, message })
    })

    const answerTo = Effect.fnUntraced(function* (visit: Visit, token: string, fields: URLSearchParams) {
      const asked = yield* invitations.open(token)
      const texts = invitationTexts[visit.language]
      const name = fields.get("name") ?? ""
      const again = (problem: Problem) => Effect.succeed(ask(visit, asked, name, problem))
      if (!asked.user.has_password && Option.isNone(nameOf(name))) {
        return yield* again({ status: 422, message: texts.name_rule, field: "name" })
      }
      return yield* join(visit, token, asked, fields).pipe(
        Effect.catchTags({
          CredentialsWrong: () => again({ status: 422, message: texts.wrong_password, field: "password" }),
          PasswordUnacceptable: (error) =>
            again({ status: 422, message: reasonOf(accountTexts[visit.language].password, error), field: "password" }),
          PasswordsBusy: () => again({ status: 503, message: texts.busy, retry_after_seconds: busy_seconds }),
          LoginThrottled: ({ retry_after_seconds }) =>
            again({ status: 429, message: texts.throttled, retry_after_seconds })
        })
      )
    })

    const route = <R>(
      handle: (visit: Visit, token: string) => Effect.Effect<ReturnType<typeof answer>, InvitationGone, R>
    ) =>
      Effect.gen(function* () {
        const visit = yield* browser.visit
        const { token = "" } = yield* HttpRouter.params
        return yield* handle(visit, token).pipe(
          Effect.catchTag("InvitationGone", (end) => Effect.succeed(gone(visit, end)))
        )
      })

    const path = "/invitations/:token"
    return Layer.mergeAll(HttpRouter.add("GET", path, route(show)), HttpRouter.add("POST", path, route(accept)))
  })
)
