import type { CountryCode } from "../../kernel/Country.ts"
import { remainder97 } from "../../kernel/Mod97.ts"

const creditor_characters_max = 21
const belgian_sequence_max = 999_999

/**
 * Returns the reference by which a bank transaction is matched with its invoice. In Belgium, this is a structured
 * communication such as "+++020/2600/04222+++", made of year, sequence and two check digits. Elsewhere, and for
 * invoices after the 999,999th of a year, it is an ISO 11649 creditor reference such as "RF73INV20260042", which
 * contains the number. If the number has more than 21 characters, the reference contains year and sequence instead.
 */
export const paymentReference = (country: CountryCode, number: string, year: number, sequence: number): string =>
  country === "BE" && sequence <= belgian_sequence_max
    ? structuredCommunication(year, sequence)
    : creditorReference(number, year, sequence)

/**
 * Up to sequence 99,999, year and sequence have five digits each, so the year begins with a zero. From 100,000 on, the
 * year has four digits, and the sequence six. The leading zero keeps both forms distinct.
 */
const structuredCommunication = (year: number, sequence: number): string => {
  const short = String(sequence).padStart(5, "0")
  const digits = `${year}${short}`.padStart(10, "0")
  const checked = `${digits}${belgianCheckDigits(digits)}`
  return `+++${checked.slice(0, 3)}/${checked.slice(3, 7)}/${checked.slice(7)}+++`
}

const belgianCheckDigits = (digits: string): string => String(remainder97(digits) || 97).padStart(2, "0")

const creditorReference = (number: string, year: number, sequence: number): string => {
  const characters = number.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")
  const fits = characters.length > 0 && characters.length <= creditor_characters_max
  const reference = fits ? characters : `${year}${sequence}`
  return `RF${String(98 - remainder97(`${reference}RF00`)).padStart(2, "0")}${reference}`
}
