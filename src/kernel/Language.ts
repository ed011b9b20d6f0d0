import { Schema } from "effect"

const message = "must be a two-letter language code in lower case (ISO 639-1)."
const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" })

/** An ISO 639-1 code that is in Unicode's list of languages, such as "nl". */
export const LanguageCode = Schema.String.check(
  Schema.isPattern(/^[a-z]{2}$/, { message }).abort(),
  Schema.makeFilter((code) => names.of(code) !== undefined, { message, expected: "an ISO 639-1 code" })
)
