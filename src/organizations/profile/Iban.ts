import { Schema, SchemaGetter } from "effect"
import { remainder97 } from "../../kernel/Mod97.ts"

const message = "must be a valid IBAN."

/** ISO 13616: country code, two check digits and up to 30 characters; stored without spaces. */
export const Iban = Schema.String.pipe(
  Schema.decodeTo(Schema.String.check(Schema.makeFilter((text) => shape.test(text) && isChecked(text), { message })), {
    decode: SchemaGetter.transform((text) => text.replaceAll(" ", "").toUpperCase()),
    encode: SchemaGetter.passthrough()
  })
)

/** ISO 9362: a BIC has bank, country, location and an optional branch. */
export const Bic = Schema.String.check(
  Schema.isPattern(/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, { message: "must be a valid BIC." })
)

const shape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

const isChecked = (iban: string): boolean => remainder97(iban.slice(4) + iban.slice(0, 4)) === 1
