import { Option, Schema } from "effect"
import { Iban } from "../../../organizations/profile/Iban.ts"
import { folded, lettersOf } from "../scan/Keywords.ts"
import { onlyTrade } from "../scan/VendorWords.ts"

const keys_max = 16
const name_letters_min = 4
const tax_digits_min = 8
const phone_digits_min = 7
/** Telephone numbers are compared by their last digits, because a country code may stand before them. */
const phone_digits_compared = 8

const taxWords =
  "ust|ustid|ust-id|vat|btw|tva|mwst|p\\.? ?iva|iva|gst|siret|siren|kvk|uid|cif|nif|steuernr|steuernummer"
const longNumber = String.raw`\d[\d .-]{6,16}\d`
/** Matches a tax word and the number to which only letters lead from it: 87654321 in "KvK-nr. 87654321". */
const taxNumber = new RegExp(String.raw`\b(?:${taxWords})\b(\D{0,32}?)(${longNumber})`, "g")
/** The number after such a word is that of the document or of the customer, although a tax word is before it. */
const otherNumber = /fact|fakt|rech|invoice|beleg|order|bestel|kund|klant|client|customer|\bref/
/** "NO" is also the word for a number, so a Norwegian number must end with "MVA". */
const europeanNumber =
  /\b(?:atu|be|bg|che|cy|cz|de|dk|ee|el|es|fi|fr|gb|hr|hu|ie|it|lt|lu|lv|mt|nl|no(?=[\d .-]{8,20}mva)|pl|pt|ro|se|si|sk)[- ]?(\d[\d .-]{6,14}\d)/g
const phone = /(?:\btel\w*|\bfon|\bphone|\bfax|☎)[^\d+(]{0,12}([+(\d][\d ()/.+-]{5,20}\d)/g
/** Matches an amount such as 12,34 or a date, which are not parts of a tax number. */
const otherFigure = /\d+[.,]\d\d(?!\d)|(?<![\d.-])(?:\d{1,2}([-./])\d{1,2}\1(?:\d{4}|\d\d)|\d{4}-\d\d-\d\d)(?![.-]?\d)/g
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
  const named = names
    .filter(
      (name) =>
        !folded(name)
          .split(/\s+/)
          .every((word) => onlyTrade.test(word))
    )
    .map(lettersOf)
    .filter((letters) => letters.length >= name_letters_min)
  return [...new Set([...numbers, ...named.map((letters) => `name:${letters}`)])].slice(0, keys_max)
}

const numberKeys = (row: string): ReadonlyArray<string> => {
  const accounts = (row.match(iban) ?? []).flatMap((text) => shortestIban(text) ?? [])
  if (accounts.length > 0) return accounts.map((account) => `iban:${account}`)
  const phones = [...row.matchAll(phone)].map(([, number = ""]) => digitsOf(number))
  const bare = row.replace(otherFigure, " ")
  const taxes = [
    ...[...bare.matchAll(taxNumber)].flatMap(([, lead = "", number = ""]) => (otherNumber.test(lead) ? [] : [number])),
    ...[...bare.matchAll(europeanNumber)].map(([, number = ""]) => number)
  ]
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
