import type { Random } from "../../support/Random.ts"
import {
  type Books,
  booksOf,
  days,
  type Document,
  type Party,
  type Payment,
  type World,
  type WorldSize
} from "./PaymentWorld.ts"

const thanks = ["", "", "bedankt", "merci", "payment", "Zahlung", "via app", "zie bijlage", "met vriendelijke groeten"]
const words = [
  "factuur",
  "fact.",
  "Invoice",
  "invoice no",
  "facture n°",
  "Rechnung Nr.",
  "Rechnungsnummer",
  "betreft factuur"
]

/** Writes a name as banks do: they cut names, write them in capitals, or drop the legal form. */
const writtenName = (random: Random, { name }: Party): string => {
  const kind = random.fraction()
  if (kind < 0.35) return name.toUpperCase()
  if (kind < 0.5) return name.replace(/ (?:BV|NV|GmbH|SA|SRL|Ltd)$/, "")
  if (kind < 0.58) return name.toUpperCase().slice(0, 18).trim()
  if (kind < 0.64) return name.split(" ").toReversed().join(" ")
  if (kind < 0.68) return mistyped(random, name, 2, name.length - 2)
  return name
}

/** Swaps two neighbouring characters, of which the first is at an index from `low` to `high` - 1. */
const mistyped = (random: Random, text: string, low: number, high: number): string => {
  const at = random.whole(low, Math.max(low, high - 1))
  return `${text.slice(0, at)}${text[at + 1] ?? ""}${text[at] ?? ""}${text.slice(at + 2)}`
}

const wrapped = (random: Random, text: string) => {
  const at = random.whole(2, text.length - 2)
  return `${text.slice(0, at)} ${text.slice(at)}`
}

/** Writes the number of a document in one of the ways that payers use. */
const writtenNumber = (random: Random, number: string): string => {
  const kind = random.fraction()
  if (kind < 0.4) return number
  if (kind < 0.5) return number.toLowerCase()
  if (kind < 0.6) return number.replaceAll(/[-/.]/g, " ")
  if (kind < 0.7) return number.replaceAll(/[-/.]/g, "")
  if (kind < 0.8) return number.replaceAll(/[-/.]/g, random.pick(["-", "/", ".", " / "]))
  if (kind < 0.9) return wrapped(random, number)
  return `${random.pick(words)} ${number}`
}

const around = (random: Random, text: string) =>
  `${random.chance(0.4) ? `${random.pick(words)} ` : ""}${text} ${random.pick(thanks)}`.trim()

export interface Said {
  readonly text?: string
  readonly reference?: string | null
  readonly name?: string | null
  readonly iban?: string | null
  readonly cents?: number
  readonly day?: number
  readonly is_decidable?: boolean
}

export const paymentOf = (random: Random, kind: string, pays: ReadonlyArray<Document>, said: Said = {}): Payment => {
  const [first] = pays
  if (first === undefined) throw new Error("A payment pays a document.")
  const sum = pays.reduce((total, { cents }) => total + cents, 0)
  const last = Math.max(...pays.map(({ issued }) => issued))
  const {
    cents = first.type === "invoice" ? sum : -sum,
    day = last + random.whole(1, 45),
    is_decidable = true,
    text = ""
  } = said
  const iban = random.chance(0.9) ? first.party.iban : null
  const given = { name: writtenName(random, first.party), iban, reference: null, ...said }
  const { name, reference } = given
  return { kind, day: Math.min(days + 60, day), cents, name, iban: given.iban, text, reference, pays, is_decidable }
}

const isUnique = (document: Document, open: ReadonlyArray<Document>) =>
  open.every((other) => other === document || other.cents !== document.cents || other.type !== document.type)

const spelled = (text: string) =>
  text
    .toLowerCase()
    .replace(/ (?:bv|nv|gmbh|sa|srl|ltd)$/, "")
    .split(" ")
    .toSorted()
    .join(" ")

const letters = (text: string) => Array.from(spelled(text)).toSorted().join("")

const isPlain = (
  { iban, name, pays: [document] }: Payment,
  { customers, vendors }: Books,
  open: ReadonlyArray<Document>
) => {
  if (document === undefined || name === null) return false
  const { party } = document
  const rivals = open.filter(
    (other) => other !== document && other.type === document.type && other.cents === document.cents
  )
  if (rivals.some((other) => other.party === party)) return false
  if (party.is_known && iban === party.iban) return true
  const is_whole = letters(name) === letters(party.name)
  const namesakes = [...customers, ...vendors].filter((other) => spelled(other.name) === spelled(party.name))
  return is_whole && namesakes.length === 1 && isUnique(document, open)
}

const paidAlone = (
  random: Random,
  document: Document,
  books: Books,
  open: ReadonlyArray<Document>
): ReadonlyArray<Payment> => {
  const { number, party, reference, type } = document
  const pay = (kind: string, said: Said = {}) => paymentOf(random, kind, [document], said)
  const quote = type === "expense" ? (reference ?? number) : number
  const quoted = around(random, quote.startsWith("+++") ? quote : writtenNumber(random, quote))
  const kind = random.fraction()
  if (kind < 0.12 && reference?.startsWith("+++") === true) {
    const said = random.chance(0.5)
      ? { reference: reference.replaceAll(/[+/]/g, "") }
      : { text: random.pick([reference, reference.replaceAll(/[+/]/g, " "), wrapped(random, reference)]) }
    return [pay("reference", { ...said, name: random.chance(0.8) ? writtenName(random, party) : null })]
  }
  if (kind < 0.4) return [pay("number", { text: quoted })]
  if (kind < 0.46) return [pay("number, paid late", { text: quoted, day: document.due + random.whole(40, 170) })]
  if (kind < 0.52)
    return [pay("number, name of another", { text: quoted, name: "Holding " + writtenName(random, party), iban: null })]
  if (kind < 0.58 && type === "invoice") {
    const short = number.replace(/^[A-Z]+[-.]?/, "")
    const text = random.chance(0.5) ? `${random.pick(words)} ${short}` : short
    return [pay("number without prefix", { text })]
  }
  if (kind < 0.62 && type === "invoice") {
    const last = /\d+$/.exec(number.length > 9 ? number.slice(-4) : number)?.[0] ?? number
    return [pay("keyword and last digits", { text: `${random.pick(words)} ${last}` })].map((each) => ({
      ...each,
      is_decidable: isPlain(each, books, open)
    }))
  }
  if (kind < 0.66 && type === "invoice") {
    const charge = random.pick([50, 150, 250, 500, 1_000, 1_500])
    const is_small = charge <= 500 ? charge * 3 < document.cents : charge * 25 < document.cents
    return [pay("bank charges", { text: around(random, number), cents: document.cents - (is_small ? charge : 0) })]
  }
  if (kind < 0.7 && type === "invoice" && document.cents > 20_000) {
    const part = Math.round(document.cents * random.between(0.2, 0.7))
    const day = document.issued + random.whole(2, 20)
    const [first, rest] = [
      pay("part", { text: around(random, number), cents: part, day }),
      pay("rest", { text: around(random, number), cents: document.cents - part, day: day + 14 })
    ]
    return [first, rest].map((each) => ({ ...each, is_decidable: isPlain(each, books, [document]) }))
  }
  if (kind < 0.72)
    return [
      pay("overpaid", {
        text: around(random, number),
        cents: Math.round(document.cents * 1.1) + 100,
        is_decidable: false
      })
    ]
  if (kind < 0.74) {
    const typed = pay("mistyped number", { text: mistyped(random, number, number.length - 4, number.length - 1) })
    return [{ ...typed, is_decidable: isPlain(typed, books, open) }]
  }
  const plain = [pay("amount and payer", { text: random.pick(thanks) })]
  const paid = plain.map((each) => ({ ...each, is_decidable: isPlain(each, books, open) }))
  if (kind < 0.97) return paid
  const again = {
    ...pay("paid twice", { text: quoted, day: document.due + 50 }),
    pays: [],
    is_decidable: false
  }
  return [pay("number", { text: quoted }), again]
}

const paidTogether = (random: Random, group: ReadonlyArray<Document>, is_all: boolean): ReadonlyArray<Payment> => {
  const numbers = group.map(({ number }) => number)
  const [first = "", ...others] = numbers
  const short = [first, ...others.map((number) => number.slice(-4))].join(", ")
  const written = random.pick([numbers.join(" + "), numbers.join(", "), numbers.join(" en "), numbers.join(" "), short])
  if (is_all && random.chance(0.3)) {
    const pays = paymentOf(random, "all that is open", group, { text: "openstaande facturen" })
    return [{ ...pays, is_decidable: pays.iban !== null && group[0]?.party.is_known === true }]
  }
  const is_decidable = written !== short || first.length > 9
  return [paymentOf(random, "several numbers", group, { text: written, is_decidable })]
}

const noise = (random: Random, { customers, expenses, invoices, vendors }: Books): Payment => {
  const base = {
    kind: "noise",
    day: random.whole(1, days + 30),
    iban: null,
    reference: null,
    pays: [],
    is_decidable: false
  }
  const cents = Math.round(Math.exp(5 + 1.2 * random.normal()) * 100) + 50
  const party = random.pick(random.chance(0.5) ? customers : vendors)
  const kind = random.fraction()
  if (kind < 0.2) return { ...base, cents: -random.whole(100, 2_500), name: "Bank", text: "Kosten rekening en beheer" }
  if (kind < 0.4)
    return {
      ...base,
      cents: -cents,
      name: null,
      text: `Kaartbetaling ${random.code("####")} ${word(random)} ${random.whole(1, 28)}/03/2026`
    }
  if (kind < 0.5)
    return { ...base, cents: -cents, name: party.name, iban: party.iban, text: random.code("domiciliering ####-####") }
  if (kind < 0.6)
    return {
      ...base,
      cents: -random.whole(150_000, 400_000),
      name: random.pick(customers).name,
      text: "Loon maart 2026"
    }
  if (kind < 0.7) return { ...base, cents, name: `${word(random)} ${word(random)}`, text: random.code("order ######") }
  if (kind < 0.8) return { ...base, cents, name: party.name, iban: party.iban, text: random.pick(thanks) }
  const settled = random.pick((kind < 0.95 ? invoices : expenses).filter(({ is_open }) => !is_open))
  const sign = settled.type === "invoice" ? 1 : -1
  return {
    ...base,
    kind: "settled",
    day: settled.issued + random.whole(1, 40),
    cents: sign * settled.cents,
    name: settled.party.name,
    iban: settled.party.iban,
    text: settled.type === "invoice" ? settled.number : (settled.reference ?? "")
  }
}

export const word = (random: Random) =>
  random.pick(["Zorbax", "Quintel", "Merida", "Halvar", "Tessor", "Ondine", "Pluvio", "Karthen"]) +
  random.code("@").toLowerCase()

export const worldOf = (seed: number, size: WorldSize): World => {
  const books = booksOf(seed, size)
  const { customers, expenses, invoices, random, vendors } = books
  const documents = [...invoices, ...expenses]
  const open = documents.filter(({ is_open }) => is_open)
  const payments: Array<Payment> = []
  for (const group of Map.groupBy(open, ({ party }) => party).values()) {
    const together =
      group.length > 1 && group[0]?.type === "invoice" && random.chance(0.25) ? group.slice(0, random.whole(2, 4)) : []
    if (together.length > 0) payments.push(...paidTogether(random, together, together.length === group.length))
    for (const document of group) {
      if (!together.includes(document) && random.chance(0.75))
        payments.push(...paidAlone(random, document, books, open))
    }
  }
  while (payments.length < size.payments) payments.push(noise(random, books))
  const ibans = [
    ...customers.flatMap(({ iban, id, is_known }) =>
      is_known ? [{ iban, party: id, type: "customer" as const }] : []
    ),
    ...vendors.flatMap(({ iban, id, is_known }) => (is_known ? [{ iban, party: id, type: "vendor" as const }] : []))
  ]
  return { documents, ibans, payments: payments.toSorted((left, right) => left.day - right.day) }
}
