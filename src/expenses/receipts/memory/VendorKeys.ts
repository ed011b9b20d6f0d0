import { Option, Schema } from "effect"
import { Iban } from "../../../organizations/profile/Iban.ts"
import { folded, lettersOf } from "../scan/Keywords.ts"

const keys_max = 16
const name_letters_min = 4
const tax_digits_min = 8
const phone_digits_min = 7
/** Telephone numbers are compared by their last digits, because a country code may stand before them. */
const phone_digits_compared = 8

const taxWord =
  /\b(?:ust|ustid|ust-id|vat|btw|tva|mwst|p\.? ?iva|iva|gst|siret|siren|kvk|uid|cif|nif|steuernr|steuernummer)\b/
const europeanNumber =
  /\b(?:atu|be|bg|che|cy|cz|de|dk|ee|el|es|fi|fr|gb|hr|hu|ie|it|lt|lu|lv|mt|nl|no|pl|pt|ro|se|si|sk)[- ]?(\d[\d .-]{6,14}\d)/g
const longNumber = /\d[\d .-]{6,16}\d/g
const phone = /(?:\btel\w*|\bfon|\bphone|\bfax|☎)[^\d+(]{0,12}([+(\d][\d ()/.+-]{5,20}\d)/g
/** Matches an amount such as 12,34, which is not part of a tax number. */
const amount = /\d+[.,]\d\d(?!\d)/g
const iban = /\b[a-z]{2}\d{2}(?: ?[a-z\d]){11,30}/g

const isIban = (text: string) => Option.isSome(Schema.decodeOption(Iban)(text))

/** Tax numbers, IBANs, telephone numbers and names of the vendor, without the organization's own numbers. */
export const vendorKeysOf = (
  rows: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  own: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const ownDigits = own.map(digitsOf).filter((digits) => digits.length >= phone_digits_min)
  const isOwn = (digits: string) => ownDigits.some((mine) => mine.endsWith(digits) || digits.endsWith(mine))
  const numbers = rows.flatMap((row) => numberKeys(folded(row))).filter((key) => !isOwn(digitsOf(key)))
  const named = names.map(lettersOf).filter((letters) => letters.length >= name_letters_min)
  return [...new Set([...numbers, ...named.map((letters) => `name:${letters}`)])].slice(0, keys_max)
}

const numberKeys = (row: string): ReadonlyArray<string> => {
  const accounts = (row.match(iban) ?? []).flatMap((text) => shortestIban(text) ?? [])
  if (accounts.length > 0) return accounts.map((account) => `iban:${account}`)
  const phones = [...row.matchAll(phone)].map(([, number = ""]) => digitsOf(number))
  const bare = row.replace(amount, " ")
  const taxes = taxWord.test(bare)
    ? (bare.match(longNumber) ?? [])
    : [...bare.matchAll(europeanNumber)].map(([, number = ""]) => number)
  return [
    ...phones
      .filter((digits) => digits.length >= phone_digits_min)
      .map((digits) => `phone:${digits.slice(-phone_digits_compared)}`),
    ...(phones.length > 0
      ? []
      : taxes
          .map(digitsOf)
          .filter((digits) => digits.length >= tax_digits_min)
          .map((digits) => `tax:${digits}`))
  ]
}

/** Returns the shortest text with valid check digits, because the words after an IBAN may look like a part of it. */
const shortestIban = (text: string): string | undefined => {
  const letters = text.replaceAll(" ", "").toUpperCase()
  return Array.from({ length: letters.length }, (_, at) => letters.slice(0, at + 1)).find(isIban)
}

const digitsOf = (text: string): string => text.replace(/\D/g, "")
