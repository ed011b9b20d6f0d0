import { lettersAndDigits } from "./Words.ts"

/** Returns the remainder of the text modulo 97 (ISO 7064 MOD 97-10). Letters have the values 10 to 35. */
const remainder97 = (text: string): number => {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

/** A Belgian structured communication has ten digits and their remainder modulo 97, with 97 instead of 0. */
const isStructuredCommunication = (digits: string): boolean =>
  /^\d{12}$/.test(digits) && (remainder97(digits.slice(0, 10)) || 97) === Number(digits.slice(10))

/** An ISO 11649 reference has "RF", two check digits and up to 21 letters and digits. */
const isCreditorReference = (text: string): boolean =>
  /^RF\d{2}[0-9A-Z]{1,21}$/.test(text) && remainder97(text.slice(4) + text.slice(0, 4)) === 1

/** The text that SEPA prescribes in place of an end-to-end reference that the payer has not given. */
export const not_provided = "NOTPROVIDED"

/** The reference without punctuation; undefined when its check digits are wrong. */
export const referenceOf = (text: string | null | undefined): string | undefined => {
  const plain = lettersAndDigits(text ?? "")
  return isStructuredCommunication(plain) || isCreditorReference(plain) ? plain : undefined
}
