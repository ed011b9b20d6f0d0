import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import type { PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import { type FormProblem, passingProblem } from "../texts/FormProblem.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import type { Visit } from "../session/Browser.ts"
import type { Session } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import type { CredentialsWrong, LoginThrottled } from "../users/UserErrors.ts"
import { Users } from "../users/Users.ts"
import { type CodeWrong, SecondFactors } from "./SecondFactors.ts"

export type ProofRefused = CodeWrong | CredentialsWrong | LoginThrottled | PasswordsBusy

export const problemOf = ({ language }: Visit, refused: ProofRefused): FormProblem => {
  switch (refused._tag) {
    case "CodeWrong":
      return { status: 422, text: accountTexts[language].security.code_wrong }
    case "CredentialsWrong":
      return { status: 422, text: accountTexts[language].password.wrong_current }
    default:
      return passingProblem(language, refused)
  }
}

export const originOf = Effect.fnUntraced(function* ({ device }: Visit) {
  return { address: clientAddress(yield* HttpServerRequest.HttpServerRequest), device }
})

/** Finds the user of a session. There always is one, because users are never deleted. */
export const userOf = Effect.fnUntraced(function* ({ user_id }: Session) {
  return Option.getOrThrow(yield* (yield* Users).find(user_id))
})

export const provePassword = Effect.fnUntraced(function* (visit: Visit, session: Session, fields: URLSearchParams) {
  const user = yield* userOf(session)
  const password = Redacted.make(fields.get("current_password") ?? "")
  const checked = yield* (yield* Users).authenticate(user.email, password, yield* originOf(visit))
  yield* (yield* Sessions).refresh(user.id, session.id)
  return checked
})

/** Checks the password and a code, as changes of the second factor require. */
export const proveBoth = Effect.fnUntraced(function* (visit: Visit, session: Session, fields: URLSearchParams) {
  const user = yield* provePassword(visit, session, fields)
  yield* (yield* SecondFactors).check(user, fields.get("code") ?? "", yield* originOf(visit))
  return user
})
