import { password_characters_max } from "../../platform/crypto/Passwords.ts"
import { type FieldMistake, labelOf, stateOf } from "../../platform/pages/FieldMistake.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { accountTexts } from "../texts/AccountTexts.ts"

/** The field in which a logged-in user proves the password; `provePassword` reads it. */
export const passwordField = (language: PageLanguage, id: string, mistake?: FieldMistake, more?: Html): Html =>
  html`${labelOf(id, accountTexts[language].password.current_password, mistake)}
    <input
      id="${id}"
      name="current_password"
      type="password"
      autocomplete="current-password"
      required
      maxlength="${password_characters_max}"
      ${stateOf(id, mistake)}
      ${more}
    />`
