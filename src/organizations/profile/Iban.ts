import { Schema, SchemaGetter } from "effect"

const message = "must be a valid IBAN."

/** ISO 13616: country code, two check digits and up to 30 characters; stored without spaces. */
export const Iban = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.makeFilter((text) => shape.test(text) && remainder(text) === 1, { message })),
    {
      decode: SchemaGetter.transform((text) => text.replaceAll(" ", "").toUpperCase()),
      encode: SchemaGetter.passthrough()
    }
  )
)

/** ISO 9362: a BIC has bank, country, location and an optional branch. */
export const Bic = Schema.String.check(
  Schema.isPattern(/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, { message: "must be a valid BIC." })
)

const shape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** ISO 7064 MOD 97-10: country code and check digits move to the end, and letters count from A = 10. */
const remainder = (iban: string): number => {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
