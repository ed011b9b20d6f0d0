import { stdnum } from "stdnum"

/** Modulo 11: the sum of the digits, each times the weight of its place. */
const remainder = (digits: string, weights: ReadonlyArray<number>): number =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11

/** A company's number has nine digits, a person's or foreigner's ten. The library refuses companies from 4 to 8. */
export const isBulgarianVat = (value: string): boolean => {
  const digits = value.slice("BG".length)
  if (/^\d{9}$/.test(digits)) {
    const first = remainder(digits, [1, 2, 3, 4, 5, 6, 7, 8])
    const check = first === 10 ? remainder(digits, [3, 4, 5, 6, 7, 8, 9, 10]) : first
    return check % 10 === Number(digits[8])
  }
  if (!/^\d{10}$/.test(digits)) return false
  if (stdnum.BG?.egn?.validate(digits).isValid === true || stdnum.BG?.pnf?.validate(digits).isValid === true)
    return true
  return ((11 - remainder(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2])) % 11) % 10 === Number(digits[9])
}

/** Of a person without a birth number: a 6, which the library sums up with the others, seven digits, a check digit. */
export const isCzechVat = (value: string): boolean => {
  if (!/^CZ6\d{8}$/.test(value)) return stdnum.CZ?.dic?.validate(value).isValid === true
  const digits = value.slice("CZ6".length)
  return (remainder(digits, [8, 7, 6, 5, 4, 3, 2]) + 8) % 10 === Number(digits[7])
}

/** Divisible by 11, and of its third digit's kind; the library looks at the first one, and refuses persons. */
export const isSlovakVat = (value: string): boolean =>
  /^SK[1-9]\d[2-47-9]\d{7}$/.test(value) && Number(value.slice("SK".length)) % 11 === 0
