import { countryCodes } from "../../../kernel/Country.ts"
import { password_characters_min } from "../../../platform/crypto/Passwords.ts"
import type { Field } from "../PanelForm.ts"
import { textOf } from "../PanelInput.ts"

const names = new Intl.DisplayNames("en", { type: "region" })

const countries = countryCodes
  .map((code) => ({ value: code, label: names.of(code) ?? code }))
  .toSorted((a, b) => a.label.localeCompare(b.label, "en"))

/** Fields of the form that opens an organization. */
export const openingFields: ReadonlyArray<Field> = [
  { name: "name", label: "Name", required: true, characters_max: 255 },
  {
    name: "country",
    label: "Country",
    hint: "Its usual tax rates come with it. It cannot be changed later.",
    choices: [{ value: "", label: "Choose a country" }, ...countries]
  },
  { name: "currency", label: "Currency", hint: "Three letters, e.g. EUR", required: true, characters_max: 3 },
  { name: "timezone", label: "Time zone", hint: "E.g. Europe/Brussels", required: true, characters_max: 255 },
  { name: "language", label: "Language", hint: "Two letters, e.g. nl", required: true, characters_max: 2 },
  { name: "owner_email", label: "Email address of the owner", kind: "email", required: true, characters_max: 254 },
  {
    name: "owner_name",
    label: "Name of the owner",
    hint: "Only for somebody who has no account yet",
    characters_max: 255
  },
  {
    name: "owner_password",
    label: "Password of the owner",
    kind: "password",
    hint: `At least ${password_characters_min} characters; without one, you get a link that sets it`,
    autocomplete: "new-password"
  }
]

/** Returns the input of the form for the schema of an opening. */
export const openingAnswers = (fields: URLSearchParams) => ({
  name: textOf(fields, "name") ?? "",
  country: textOf(fields, "country") ?? "",
  currency: textOf(fields, "currency")?.toUpperCase() ?? "",
  timezone: textOf(fields, "timezone") ?? "",
  language: textOf(fields, "language")?.toLowerCase() ?? "",
  owner_email: textOf(fields, "owner_email") ?? "",
  owner_name: textOf(fields, "owner_name"),
  // A password may begin or end with a space.
  owner_password: fields.get("owner_password") || undefined
})
