import { validate as validateEgn } from "stdnum/lib/cjs/bg/egn.js"
import { validate as validatePnf } from "stdnum/lib/cjs/bg/pnf.js"
import { validate as validateDic } from "stdnum/lib/cjs/cz/dic.js"

const remainder = (digits: string, weights: ReadonlyArray<number>): number =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11

/** Nine digits for companies, ten for persons and foreigners. `stdnum` wrongly refuses companies from 4 to 8. */
export const isBulgarianVat = (value: string): boolean => {
  const digits = value.slice("BG".length)
  if (/^\d{9}$/.test(digits)) {
    const first = remainder(digits, [1, 2, 3, 4, 5, 6, 7, 8])
    const check = first === 10 ? remainder(digits, [3, 4, 5, 6, 7, 8, 9, 10]) : first
    return check % 10 === Number(digits[8])
  }
  if (!/^\d{10}$/.test(digits)) return false
  if (validateEgn(digits).isValid || validatePnf(digits).isValid) return true
  return ((11 - remainder(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2])) % 11) % 10 === Number(digits[9])
}

/** A 6, seven digits and a check digit for persons without a birth number. `stdnum` wrongly sums the 6, too. */
export const isCzechVat = (value: string): boolean => {
  if (!/^CZ6\d{8}$/.test(value)) return validateDic(value).isValid
  const digits = value.slice("CZ6".length)
  return (remainder(digits, [8, 7, 6, 5, 4, 3, 2]) + 8) % 10 === Number(digits[7])
}

/** Divisible by 11, with a third digit of 2 to 4 or 7 to 9; `stdnum` checks the first digit, and refuses persons. */
export const isSlovakVat = (value: string): boolean =>
  /^SK[1-9]\d[2-47-9]\d{7}$/.test(value) && Number(value.slice("SK".length)) % 11 === 0
