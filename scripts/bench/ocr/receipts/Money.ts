/** An amount in hundredths of the currency unit. It is a whole number, so that every sum is exact. */
export type Cents = number

export const sum = (amounts: ReadonlyArray<Cents>): Cents => amounts.reduce((total, amount) => total + amount, 0)

/** Writes `1234` as `12.34`, the format of the expected amounts. */
export const decimal = (amount: Cents): string => {
  const digits = String(Math.abs(amount)).padStart(3, "0")
  return `${amount < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Rounds halves away from zero, as tills do. */
const half_up = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))

export const taxWithin = (gross: Cents, permille: number): Cents => gross - half_up((gross * 1000) / (1000 + permille))

export const taxOn = (net: Cents, permille: number): Cents => half_up((net * permille) / 1000)

export const share = (amount: Cents, percent: number): Cents => half_up((amount * percent) / 100)

/** Rounds to a multiple of `step`: in Switzerland, the Netherlands and Belgium, cash payments end in 0 or 5 cents. */
export const roundedTo = (amount: Cents, step: number): Cents => half_up(amount / step) * step

/** Writes a rate in tenths of a percent as a percentage: `55` as `5.5`. */
export const percent = (permille: number): string => String(permille / 10)
