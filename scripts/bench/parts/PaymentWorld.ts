import { Random } from "../../support/Random.ts"

/**
 * The books of a firm, the movements on its account, and the documents that these pay. The movements imitate real
 * payers, and share no code with the matcher that they test.
 */
export interface World {
  readonly documents: ReadonlyArray<Document>
  /** IBANs that the firm knows from earlier payments. */
  readonly ibans: ReadonlyArray<{ readonly iban: string; readonly party: number; readonly type: "customer" | "vendor" }>
  readonly payments: ReadonlyArray<Payment>
}

export interface Party {
  readonly id: number
  readonly name: string
  readonly iban: string
  readonly is_known: boolean
}

export interface Document {
  readonly type: "invoice" | "expense"
  readonly id: number
  readonly number: string
  readonly reference: string | null
  readonly party: Party
  readonly cents: number
  /** Day on which the document was issued: the number of days since the beginning of the world. */
  readonly issued: number
  readonly due: number
  readonly is_open: boolean
}

export interface Payment {
  readonly kind: string
  readonly day: number
  /** Negative when money leaves the account. */
  readonly cents: number
  readonly name: string | null
  readonly iban: string | null
  readonly text: string
  readonly reference: string | null
  readonly pays: ReadonlyArray<Document>
  /** True if a careful bookkeeper could identify the documents from only the movement and the books. */
  readonly is_decidable: boolean
}

export interface WorldSize {
  readonly invoices: number
  readonly expenses: number
  readonly payments: number
  readonly customers: number
  readonly vendors: number
}

const syllables =
  "ba bel bor cal dam den dor fal gar hol jan kem lan lor mar nes or pel ras sten tor ver wal zand".split(" ")
const trades = "Bouw Techniek Logistics Catering Design Consulting Transport Electro Garden Print Foods Motors".split(
  " "
)
const forms = ["BV", "NV", "GmbH", "SA", "SRL", "Ltd", "", ""]
const first_names = "Jan Piet Anna Marie Tom Sofie Lukas Emma Karel Eva Johan Lena Bart Ines Wim Nora".split(" ")

/** Formats of document numbers. The firm of a world uses one of them. */
const numberings: ReadonlyArray<(sequence: number, year: number) => string> = [
  (sequence, year) => `INV-${year}-${pad(sequence, 4)}`,
  (sequence, year) => `${year}/${pad(sequence, 5)}`,
  (sequence, year) => `F${year % 100}-${pad(sequence, 4)}`,
  (sequence, year) => `VF${year}${pad(sequence, 5)}`,
  (sequence, year) => `RE.${year}.${pad(sequence, 4)}`
]

export const pad = (number: number, length: number) => String(number).padStart(length, "0")

const checked97 = (text: string) => Array.from(text).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)

const ibanOf = (random: Random): string => {
  const base = random.code("##########")
  const account = base + pad(checked97(base) || 97, 2)
  return `BE${pad(98 - checked97(`${account}111400`), 2)}${account}`
}

const structuredOf = (sequence: number): string => {
  const base = pad(sequence, 10)
  const digits = base + pad(checked97(base) || 97, 2)
  return `+++${digits.slice(0, 3)}/${digits.slice(3, 7)}/${digits.slice(7)}+++`
}

const word = (random: Random) => {
  const text = random.pick(syllables) + random.pick(syllables) + (random.chance(0.4) ? random.pick(syllables) : "")
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

const nameOf = (random: Random, known: ReadonlyArray<Party>): string => {
  const [form, kind] = [random.pick(forms), random.fraction()]
  if (kind < 0.05) return `${word(random)} ${form}`.trim()
  if (kind < 0.3) return `${random.pick(first_names)} ${word(random)}`
  const relative = known.length > 20 && kind < 0.36 ? random.pick(known).name.split(" ") : undefined
  // Some firms have the same first word in their name as another party.
  if (relative !== undefined) return `${relative[0]} ${random.pick(trades)} ${form}`.trim()
  return `${word(random)} ${kind < 0.6 ? random.pick(trades) : word(random)} ${form}`.trim()
}

const partiesOf = (random: Random, count: number, first_id: number): ReadonlyArray<Party> => {
  const parties: Array<Party> = []
  const names = new Set<string>()
  while (parties.length < count) {
    const name = nameOf(random, parties)
    if (names.has(name)) continue
    names.add(name)
    parties.push({ id: first_id + parties.length, name, iban: ibanOf(random), is_known: random.chance(0.6) })
  }
  return parties
}

const centsOf = (random: Random): number => {
  const kind = random.fraction()
  if (kind < 0.08) return random.pick([4_900, 9_900, 12_100, 24_200, 60_500])
  if (kind < 0.2) return random.whole(1, 60) * 5_000
  return Math.round(Math.exp(6.2 + 1.1 * random.normal()) * 100) + 100
}

/** The books cover 240 days; day 240 is the last of them. */
export const days = 240
const year_of_day = (day: number) => (day < 60 ? 2025 : 2026)

export const booksOf = (seed: number, size: WorldSize) => {
  const random = new Random(seed)
  const numbering = numberings[seed % numberings.length] ?? String
  const has_references = random.chance(0.6)
  const customers = partiesOf(random, size.customers, 1)
  const vendors = partiesOf(random, size.vendors, 100_001)
  const total = Math.round(size.invoices * 1.8)
  const invoices = Array.from({ length: total }, (_, index): Document => {
    const issued = Math.floor((index / total) * days)
    return {
      type: "invoice",
      id: index + 1,
      number: numbering(index + 1, year_of_day(issued)),
      reference: has_references ? structuredOf(7_000_000 + index * 13) : null,
      party: random.pick(customers),
      cents: centsOf(random),
      issued,
      due: issued + random.pick([14, 30, 30, 60]),
      // The oldest invoices are paid, and so is every fifth of the others.
      is_open: index >= total - size.invoices * 1.25 && index % 5 !== 0
    }
  })
  const expenses = Array.from({ length: Math.round(size.expenses * 1.5) }, (_, index): Document => {
    const issued = random.whole(0, days - 1)
    const party = random.pick(vendors)
    const style = party.id % 4
    const number =
      style === 0
        ? random.code("F26/####")
        : style === 1
          ? random.code("########")
          : style === 2
            ? random.code("@@-#####")
            : random.code("2026.#####")
    const [is_open, reference] = [index % 3 !== 0, random.chance(0.3) ? structuredOf(90_000_000 + index * 7) : number]
    return {
      type: "expense",
      id: index + 1,
      number,
      reference,
      party,
      cents: centsOf(random),
      issued,
      due: issued,
      is_open
    }
  })
  return { random, customers, vendors, invoices, expenses }
}
export type Books = ReturnType<typeof booksOf>
