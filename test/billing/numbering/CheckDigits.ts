/** Converts letters to 10 to 35, as ISO 7064 MOD 97-10 requires. The checks below share no code with the service. */
const digitsOf = (text: string) =>
  BigInt(Array.from(text, (character) => String(Number.parseInt(character, 36))).join(""))

/** The last two digits of "+++020/2600/04222+++" are the first ten modulo 97, or 97 if the remainder is 0. */
export const isStructuredCommunication = (reference: string): boolean => {
  const digits = /^\+{3}(\d{3})\/(\d{4})\/(\d{3})(\d{2})\+{3}$/.exec(reference)
  if (digits === null) return false
  const remainder = BigInt(digits.slice(1, 4).join("")) % 97n
  return BigInt(digits[4] ?? "") === (remainder === 0n ? 97n : remainder)
}

/** Checks a creditor reference (ISO 11649), for example "RF73INV20260042". */
export const isCreditorReference = (reference: string): boolean =>
  /^RF\d{2}[A-Z0-9]{1,21}$/.test(reference) && digitsOf(reference.slice(4) + reference.slice(0, 4)) % 97n === 1n
