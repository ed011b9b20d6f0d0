import { busy_seconds, type PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { accountTexts, throttledText } from "./AccountTexts.ts"
import type { LoginThrottled } from "../users/UserErrors.ts"

/** The reason why a form is shown again, with the status of the answer. */
export interface FormProblem {
  readonly status: number
  readonly text: string
  readonly retry_after_seconds?: number
}

/** The problem of a form that can be sent again later without a change. */
export const passingProblem = (language: PageLanguage, refused: LoginThrottled | PasswordsBusy): FormProblem =>
  refused._tag === "PasswordsBusy"
    ? { status: 503, text: accountTexts[language].page.busy, retry_after_seconds: busy_seconds }
    : {
        status: 429,
        text: throttledText(language, refused.retry_after_seconds),
        retry_after_seconds: refused.retry_after_seconds
      }
