import { validate as validateEgn } from "stdnum/lib/cjs/bg/egn.js"
import { validate as validatePnf } from "stdnum/lib/cjs/bg/pnf.js"
import { validate as validateDic } from "stdnum/lib/cjs/cz/dic.js"
import { validate as validatePvn } from "stdnum/lib/cjs/lv/pvn.js"

const remainder = (digits: string, weights: ReadonlyArray<number>): number =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11

/** Companies have nine digits, persons and foreigners ten. `stdnum` wrongly refuses companies that begin with 4-8. */
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

/**
 * The number of a person without a birth number has a 6, seven digits and a check digit. `stdnum` wrongly adds the 6 to
 * the sum.
 */
export const isCzechVat = (value: string): boolean => {
  if (!/^CZ6\d{8}$/.test(value)) return validateDic(value).isValid
  const digits = value.slice("CZ6".length)
  return (remainder(digits, [8, 7, 6, 5, 4, 3, 2]) + 8) % 10 === Number(digits[7])
}

/**
 * The number of a person since July 2017 begins with 32 in place of a day of birth, which the library `stdnum` requires.
 */
export const isLatvianVat = (value: string): boolean => {
  if (!/^LV32\d{9}$/.test(value)) return validatePvn(value).isValid
  const digits = value.slice("LV".length)
  return ((remainder(digits, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9]) + 1) % 11) % 10 === Number(digits[10])
}

/**
 * The number is divisible by 11, and its third digit is 2 to 4 or 7 to 9. The library `stdnum` checks the first digit
 * instead, and refuses the numbers of persons.
 */
export const isSlovakVat = (value: string): boolean =>
  /^SK[1-9]\d[2-47-9]\d{7}$/.test(value) && Number(value.slice("SK".length)) % 11 === 0
