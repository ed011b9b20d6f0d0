import { remainder97 } from "../../kernel/Mod97.ts"
import { lettersAndDigits } from "./Words.ts"

/** A Belgian structured communication has ten digits and their remainder modulo 97, with 97 instead of 0. */
const isStructuredCommunication = (digits: string): boolean =>
  /^\d{12}$/.test(digits) && (remainder97(digits.slice(0, 10)) || 97) === Number(digits.slice(10))

/** Matches a structured communication as it is printed: +++090/9337/55493+++, with plus signs, asterisks or without. */
const printed_communication = /(?<![\d/])\d{3} ?\/ ?\d{4} ?\/ ?\d{5}(?![\d/])/g

/** Matches an ISO 11649 reference, as one word or in groups of four characters, and maybe words that follow it. */
const printed_creditor_reference =
  /(?<![\p{L}\p{N}])RF\d{2}(?:[0-9A-Z]{1,21}|(?: [0-9A-Z]{1,4}){1,6})(?![\p{L}\p{N}])/giu

/**
 * The structured communication or ISO 11649 reference that a text contains, without punctuation; undefined if there are
 * none or several.
 */
export const referenceIn = (text: string): string | undefined => {
  const printed = (text.match(printed_communication) ?? []).map(lettersAndDigits).filter(isStructuredCommunication)
  const creditor = (text.match(printed_creditor_reference) ?? []).flatMap((match) => {
    const groups = match.split(" ")
    // A word after the reference may look like a group of it.
    const beginnings = groups.map((_, index) => lettersAndDigits(groups.slice(0, groups.length - index).join("")))
    return beginnings.find(isCreditorReference) ?? []
  })
  const found = new Set([...printed, ...creditor])
  const [only] = found
  return found.size === 1 ? only : undefined
}

/** An ISO 11649 reference has "RF", two check digits and up to 21 letters and digits. */
const isCreditorReference = (text: string): boolean =>
  /^RF\d{2}[0-9A-Z]{1,21}$/.test(text) && remainder97(text.slice(4) + text.slice(0, 4)) === 1

/** The text that SEPA prescribes in place of an end-to-end reference that the payer has not given. */
export const not_provided = "NOTPROVIDED"

/** The text that banks write in place of a missing reference (SWIFT). */
const no_reference = "NONREF"

/** True if the text only says that there is no reference. Banks write it in capitals or not. */
export const isPlaceholder = (text: string): boolean => [not_provided, no_reference].includes(text.trim().toUpperCase())

/** The reference without punctuation; undefined when its check digits are wrong. */
export const referenceOf = (text: string | null | undefined): string | undefined => {
  const plain = lettersAndDigits(text ?? "")
  return isStructuredCommunication(plain) || isCreditorReference(plain) ? plain : undefined
}
