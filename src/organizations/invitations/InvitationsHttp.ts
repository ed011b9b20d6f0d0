import { Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type FormProblem, passingProblem } from "../../identity/texts/FormProblem.ts"
import { Browser, type Submission, tokenOfLink, type Visit } from "../../identity/session/Browser.ts"
import { accountTexts, reasonOf } from "../../identity/texts/AccountTexts.ts"
import type { User } from "../../identity/users/User.ts"
import { Users } from "../../identity/users/Users.ts"
import { Name } from "../../kernel/Text.ts"
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

interface Problem extends FormProblem {
  readonly field?: "name" | "password"
}

const nameOf = Schema.decodeUnknownOption(Name)
const isLoggedInAs = (visit: Visit, user: User) => Option.exists(visit.session, ({ user_id }) => user_id === user.id)

export const InvitationPages = Layer.unwrap(
  Effect.gen(function* () {
    const invitations = yield* Invitations
    const browser = yield* Browser
    const users = yield* Users

    const answer = (visit: Visit, title: string, body: Html, problem?: Omit<FormProblem, "text">) => {
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
        // The reader of the link need not be the user: the invited address may belong to somebody else now.
        email: how === "nothing" ? user.email : invitation.email,
        ask: how,
        csrf,
        name,
        problem: problem?.field === undefined ? problem?.text : undefined,
        mistake: problem?.field === undefined ? undefined : { field: problem.field, text: problem.text }
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

    const join = Effect.fnUntraced(function* (visit: Visit, token: string, fields: URLSearchParams) {
      const { invitation, proven } = yield* invitations.accept(token, {
        session: Option.map(visit.session, ({ user_id }) => user_id),
        name: fields.get("name") ?? "",
        password: Redacted.make(fields.get("password") ?? ""),
        origin: { address: clientAddress(yield* HttpServerRequest.HttpServerRequest), device: visit.device }
      })
      const texts = invitationTexts[visit.language]
      const message = fill(texts.accepted, { organization: invitation.organization_name })
      const page = answer(visit, message, outcomePage(texts, message))
      if (Option.isNone(proven)) return page
      return yield* users.whileChecked(proven.value, browser.login(visit, proven.value.id, page)).pipe(
        // The user was disabled or got another password meanwhile.
        Effect.catchTag("CredentialsWrong", () => Effect.succeed(page))
      )
    })

    const accept = Effect.fnUntraced(function* ({ form, visit }: Submission, token: string) {
      if (Result.isSuccess(form)) return yield* browser.once(form.success, answerTo(visit, token, form.success))
      const text = invitationTexts[visit.language].expired_form
      const name = form.failure.typed?.get("name") ?? ""
      return ask(visit, yield* invitations.open(token), name, { status: 403, text })
    })

    const answerTo = Effect.fnUntraced(function* (visit: Visit, token: string, fields: URLSearchParams) {
      const asked = yield* invitations.open(token)
      const texts = invitationTexts[visit.language]
      const name = fields.get("name") ?? ""
      const again = (problem: Problem) => Effect.succeed(ask(visit, asked, name, problem))
      if (!asked.user.has_password && Option.isNone(nameOf(name))) {
        return yield* again({ status: 422, text: texts.name_rule, field: "name" })
      }
      return yield* join(visit, token, fields).pipe(
        Effect.catchTags({
          CredentialsWrong: () => again({ status: 422, text: texts.wrong_password, field: "password" }),
          PasswordUnacceptable: (error) =>
            again({ status: 422, text: reasonOf(accountTexts[visit.language].password, error), field: "password" }),
          PasswordsBusy: (refused) => again(passingProblem(visit.language, refused)),
          LoginThrottled: (refused) => again(passingProblem(visit.language, refused))
        })
      )
    })

    const orGone =
      (visit: Visit) =>
      <R>(answered: Effect.Effect<ReturnType<typeof answer>, InvitationGone, R>) =>
        Effect.catchTag(answered, "InvitationGone", (end) => Effect.succeed(gone(visit, end)))

    const path = "/invitations/:token"
    return Layer.mergeAll(
      HttpRouter.add(
        "GET",
        path,
        Effect.gen(function* () {
          const visit = yield* browser.visit
          return yield* show(visit, yield* tokenOfLink).pipe(orGone(visit))
        })
      ),
      HttpRouter.add(
        "POST",
        path,
        Effect.gen(function* () {
          const submission = yield* browser.submission
          return yield* accept(submission, yield* tokenOfLink).pipe(orGone(submission.visit))
        })
      )
    )
  })
)
