/** CODA files consist of records of 128 characters, with the positions that the standard defines. */
export interface CodaMovement {
  readonly amount: number
  readonly communication?: string
  readonly structured?: boolean
  readonly name?: string
  readonly account?: string
  readonly entry?: string
  readonly detail?: number
  readonly sequence?: number
  /** The digit at position 54: 0 is a simple movement, 1 and 2 are totals, 5 and 6 are the details of a total. */
  readonly kind?: string
}

const record = (parts: Readonly<Record<number, string>>) => {
  const characters = Array.from({ length: 128 }, () => " ")
  for (const [position, text] of Object.entries(parts)) {
    for (const [index, character] of Array.from(text).entries()) characters[Number(position) - 1 + index] = character
  }
  return characters.join("")
}

const digits = (value: number, width: number) => String(value).padStart(width, "0")
const money = (cents: number) => digits(Math.abs(cents) * 10, 15)
const sign = (cents: number) => (cents < 0 ? "1" : "0")

interface Options {
  readonly iban?: string
  readonly number?: number
  readonly opening?: number
  readonly closing?: number
  readonly records?: number
  readonly currency?: string
}

/** Amounts are in cents. */
export const codaStatement = (movements: ReadonlyArray<CodaMovement>, options: Options = {}): string => {
  const { currency = "EUR", iban = "BE68539007547034", number = 1, opening = 100_000 } = options
  const numbered = movements.map((movement, index) => ({ sequence: index + 1, detail: 0, ...movement }))
  const totals = numbered.filter(({ detail }) => detail === 0).map(({ amount }) => amount)
  const sum = totals.reduce((left, right) => left + right, 0)
  const body = numbered.flatMap((movement) => {
    const {
      account = "",
      amount,
      communication = "",
      detail,
      entry = "050126",
      kind = "0",
      name = "",
      sequence
    } = movement
    const at = { 3: digits(sequence, 4), 7: digits(detail, 4) }
    const more = account !== "" || name !== "" || communication.length > 53
    const head = {
      ...at,
      1: "21",
      11: "REF",
      32: sign(amount),
      33: money(amount),
      48: entry,
      54: `${kind}0150000`,
      62: movement.structured === true ? "1" : "0",
      63: communication.slice(0, 53).padEnd(53),
      116: entry,
      126: more ? "1" : "0"
    }
    if (!more) return [record(head)]
    return [
      record(head),
      record({ ...at, 1: "22", 11: communication.slice(53, 106), 126: "1" }),
      record({ ...at, 1: "23", 11: account.padEnd(37), 48: name.slice(0, 35), 83: communication.slice(106, 149) })
    ]
  })
  const closing = options.closing ?? opening + sum
  const of = (wanted: (cents: number) => boolean) => totals.filter(wanted).reduce((left, right) => left + right, 0)
  const old = {
    1: "12",
    3: "001",
    6: iban,
    40: currency,
    43: sign(opening),
    44: money(opening),
    59: "010126",
    126: digits(number, 3)
  }
  return [
    record({ 1: "00000", 6: "060126", 15: "05", 35: "ACME", 128: "2" }),
    record(old),
    ...body,
    record({ 1: "8", 2: digits(number, 3), 5: iban, 42: sign(closing), 43: money(closing), 58: "310126", 128: "0" }),
    record({
      1: "9",
      17: digits(options.records ?? body.length + 2, 6),
      23: money(of((cents) => cents < 0)),
      38: money(of((cents) => cents >= 0)),
      128: "2"
    })
  ].join("\r\n")
}
