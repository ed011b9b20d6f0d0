import { folded, lettersOf } from "./Keywords.ts"

export const legalForm =
  /(?:^|[\s,)]|(?=s[do]n\s?b))(?:gmbh(?: & co\.? ?kg)?|ag|kg|ohg|e\.? ?k\.?|ug|mbh|s\.?a\.?r\.?l\.?|s\.?a\.?s\.?u?|s\.?a\.?|e\.?u\.?r\.?l\.?|b\.?v\.?(?:b\.?a\.?)?|n\.?v\.?|v\.?o\.?f\.?|srl|s\.?r\.?l\.?s?|s\.?p\.?a\.?|s\.?n\.?c\.?|s\.?a\.?s\.?|s\.?l\.?u?\.?|ltd|limited|plc|llc|inc|corp|co|sprl|scrl|cvba|e\.?v\.?|eg|s[do0il][no]\.?\s?[bhrelw][hiln]{1,2}[dut]|berhad|bhd|s\/b|p(?:te|ty|vt)\.? ltd)\.?(?=$|[\s,(])/i
export const onlyLegalForm =
  /^(?:gmbh(?: & co\.? ?kg)?|co\.? kg|ag|kg|s\.?a\.?r\.?l\.?|s\.?a\.?s\.?|b\.?v\.?|n\.?v\.?|s\.?r\.?l\.?|s\.?p\.?a\.?|s\.?l\.?|ltd|limited|(?:(?:co|enterprise|restaurant|services|trading)\.? )?(?:\([\p{L}\s.]{1,20}\) ?)?(?:sdn\.? ?bhd|pte\.? ltd))\.?$/iu

/**
 * Matches a company's registration number, such as "(123456-X)", "Co. Reg. No. 123456" or "SIRET 12345678900010".
 * Single characters may be misread.
 */
export const registration =
  /\(\s?\d[\dOUIlSB]{4,9}\s?[-–]?\s?[A-Z]\s?\)|\b\d{5,10}-[A-Z]\b|\b(?:co(?:mpany)?\W{0,2}(?:reg\w*|n[o0])|siret|siren|rcs|kvk|hrb|abn|acn|uen)\W{0,8}(?:n[o0]\W{0,3})?\d{5}/i

/** Matches "SDN BHD", in which single letters are often misread. */
const misreadForm = /(?<=^|[\s)])S[DO0IL][NO](\.?\s?)[BHRELW][HILN]{1,2}[DUT](?=$|[\s,(.])/g

/** Matches words before a name, such as "welcome to" or "owned by". */
export const introduction =
  /^\W*(?:welcome ?to|willkommen bei|bienvenue chez|(?:own(?:ed)?|operated|managed) by)\b[\s:]*/i

/** Removes decoration: "*** Café Zürich ***" becomes "Café Zürich". A zero in a word of capitals is a misread "O". */
export const nameOf = (text: string): string =>
  lettersForZeros(withoutNumbers(text))
    .slice(0, 200)
    .replace(introduction, "")
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .replace(/[^\p{L}\p{N}.)!]+$/u, "")
    .replace(/\s{2,}/g, " ")
    .replace(misreadForm, "SDN$1BHD")

export const lettersForZeros = (text: string): string =>
  text.replace(/(?<=\p{Lu})0{1,9}(?![\p{Ll}\d])|(?<![\p{L}\d])0{1,9}(?=\p{Lu}{2})/gu, (zeros) =>
    "O".repeat(zeros.length)
  )

/** Spells a name as a second recognition engine read it, because the first one knows few accents and narrow spaces. */
export const respelled = (name: string, texts: ReadonlyArray<string>): string => {
  const read = texts.map((text) => nameOf(text))
  const same = read.find((text) => lettersOf(text) === lettersOf(name) && accents(text) >= accents(name))
  if (same !== undefined) return same
  const words = read.flatMap((text) => text.split(" "))
  return name
    .split(" ")
    .map((word) => words.find((other) => folded(other) === folded(word) && accents(other) > accents(word)) ?? word)
    .join(" ")
}

const accents = (text: string): number => (text.normalize("NFD").match(/\p{M}|ß/gu) ?? []).length

/** Removes a registration number, which may follow the company's name even without a space. */
const withoutNumbers = (text: string): string => {
  const words = text.split(" ")
  const number = words.findIndex((word) => word.replace(/\D/g, "").length >= 5)
  const glued = /^\p{Lu}{3}\D*/u.exec(words[number] ?? "")?.[0] ?? ""
  return number > 0 ? [...words.slice(0, number), glued].join(" ") : text
}
