import type { Cents } from "./Money.ts"
import { months, shortMonths, type Region } from "./shops/Regions.ts"

export interface DayOfYear {
  readonly year: number
  readonly month: number
  readonly day: number
}

const day_ms = 86_400_000

export const addDays = ({ day, month, year }: DayOfYear, days: number): DayOfYear => {
  const moved = new Date(Date.UTC(year, month - 1, day) + days * day_ms)
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

const two = (number: number): string => String(number).padStart(2, "0")

export const isoDay = ({ day, month, year }: DayOfYear): string => `${year}-${two(month)}-${two(day)}`

export const printDay = (region: Region, pattern: string, { day, month, year }: DayOfYear): string => {
  const long = months[region.language].split(" ")[month - 1] ?? ""
  const short = shortMonths[region.language]?.split(" ")[month - 1] ?? long.slice(0, 3)
  const parts: Readonly<Record<string, string>> = {
    Y: String(year),
    y: two(year % 100),
    m: two(month),
    d: two(day),
    b: short,
    B: long
  }
  return pattern.replace(/[YymdbB]/g, (part) => parts[part] ?? part)
}

export const printAmount = (region: Region, amount: Cents): string => {
  const digits = String(Math.abs(amount)).padStart(3, "0")
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, region.thousands)
  return `${amount < 0 ? "-" : ""}${whole}${region.decimal}${digits.slice(-2)}`
}

/** Puts the currency sign before the amount, or after it if `sign` begins with a space. */
export const withSign = (sign: string, amount: string): string => {
  if (sign === "") return amount
  if (sign.startsWith(" ")) return `${amount}${sign}`
  return /[a-z.]$/i.test(sign) ? `${sign} ${amount}` : `${sign}${amount}`
}

/** Prints a tax rate with as many decimals as `digits`, or one more where needed: `19`, `19,0` or `19,00`. */
export const printRate = (region: Region, permille: number, digits: 0 | 1 | 2): string => {
  const needed = permille % 10 === 0 ? digits : Math.max(1, digits)
  return (permille / 10).toFixed(needed).replace(".", region.decimal)
}
