import { type AccountTexts, accountTexts } from "../../identity/texts/AccountTexts.ts"
import type { Visit } from "../../identity/session/Browser.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { openingChoices } from "../panel/OpeningChoices.ts"
import { type Field, panelForm, type Typed } from "../panel/PanelForm.ts"
import { textOf } from "../panel/PanelInput.ts"

const fieldsIn = (language: PageLanguage, { password, setup }: AccountTexts): ReadonlyArray<Field> => {
  const required = true
  const choices = openingChoices(language, setup.choose)
  return [
    { name: "name", label: setup.name, required, characters_max: 255 },
    { name: "country", label: setup.country, hint: setup.country_hint, required, choices: choices.country },
    { name: "currency", label: setup.currency, required, choices: choices.currency },
    { name: "timezone", label: setup.timezone, required, choices: choices.timezone },
    { name: "language", label: setup.language, required, choices: choices.language, value: language },
    { name: "owner_email", label: setup.owner_email, kind: "email", required, characters_max: 254 },
    { name: "owner_name", label: setup.owner_name, required, characters_max: 255 },
    {
      name: "owner_password",
      label: setup.owner_password,
      kind: "password",
      hint: password.rule,
      required,
      autocomplete: "new-password"
    }
  ]
}

export const setupForm = ({ csrf, language }: Visit, { errors = {}, ...typed }: Omit<Typed, "csrf">): Html => {
  const texts = accountTexts[language]
  const { setup } = texts
  // Errors of the schemas are in English, so a form in another language shows one sentence in place of each. Errors of
  // the password are translated.
  const sentencesOf = (path: string, sentences: ReadonlyArray<string>) =>
    language === "en" || path === "owner_password" ? sentences : [setup.invalid]
  const shown = Object.fromEntries(
    Object.entries(errors).map(([path, sentences]) => [path, sentencesOf(path, sentences)])
  )
  return panelForm({
    typed: { csrf: html`<input type="hidden" name="csrf" value="${csrf}" />`, ...typed, errors: shown },
    submit: setup.submit,
    cancel: "/",
    words: setup,
    before: html`<p>${setup.lead}</p>`,
    fields: fieldsIn(language, texts)
  })
}

export const setupAnswers = (fields: URLSearchParams) => ({
  name: textOf(fields, "name") ?? "",
  country: textOf(fields, "country") ?? "",
  currency: textOf(fields, "currency") ?? "",
  timezone: textOf(fields, "timezone") ?? "",
  language: textOf(fields, "language") ?? "",
  owner_email: textOf(fields, "owner_email") ?? "",
  owner_name: textOf(fields, "owner_name"),
  // A password may begin or end with a space.
  owner_password: fields.get("owner_password") || undefined
})
