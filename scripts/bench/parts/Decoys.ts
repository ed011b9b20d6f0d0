import { booksOf, pad, type Payment, type World, type WorldSize } from "./PaymentWorld.ts"
import { paymentOf, type Said, word } from "./Payments.ts"

/** Makes bank movements that look like payments, but pay no document, or none that anybody could identify. */
export const decoysOf = (seed: number, size: WorldSize): World => {
  const books = booksOf(seed, size)
  const { customers, invoices, random } = books
  const documents = [...invoices, ...books.expenses]
  const owed = invoices.filter(({ is_open }) => is_open)
  // If a customer owes the same amount twice, both invoices are left out, because a payment could be for either.
  const open = owed.filter(
    (each) => !owed.some((other) => other !== each && other.party === each.party && other.cents === each.cents)
  )
  const settled = invoices.filter(({ is_open }) => !is_open)
  const payments = Array.from({ length: size.payments }, (_, index): Payment => {
    const target = random.pick(open)
    const digits = target.number.replaceAll(/\D/g, "")
    const nothing = (kind: string, said: Said) => ({
      ...paymentOf(random, kind, [target], said),
      pays: [],
      is_decidable: false
    })
    const stranger = { name: `${word(random)} ${word(random)}`, iban: "BE96042000000005" }
    const owing = new Set(owed.flatMap(({ cents, party }) => (cents === target.cents ? [party] : [])))
    const another = random.pick(customers.filter((party) => party.is_known && !owing.has(party)))
    const tricks: ReadonlyArray<() => Payment> = [
      () => nothing("stranger pays an equal amount", { ...stranger, text: "bestelling" }),
      () => nothing("quotes a settled invoice", { text: random.pick(settled).number }),
      () =>
        nothing("quotes a settled invoice without prefix", {
          ...stranger,
          text: `factuur ${random.pick(settled).number}`
        }),
      () => nothing("name of a relative", { iban: null, name: `${target.party.name.split(" ")[0]} ${word(random)}` }),
      () =>
        nothing("number of an order", {
          ...stranger,
          text: `PO-${digits.slice(0, 4)}-${digits.slice(4)}`,
          cents: target.cents
        }),
      () => nothing("number of a quote", { ...stranger, text: `offerte QUO-${digits.slice(0, 4)}-${digits.slice(4)}` }),
      () =>
        nothing("digits in a date", {
          ...stranger,
          text: `levering ${pad(random.whole(1, 28), 2)}/03/2026 ${digits.slice(-4)}`
        }),
      () => nothing("digits in an IBAN", { ...stranger, text: "rekening BE68 5390 0754 7034" }),
      () =>
        nothing("digits in a longer number", {
          ...stranger,
          text: `klantnummer ${random.code("##")}${digits}${random.code("##")}`
        }),
      () => nothing("paid long before the invoice", { day: target.issued - random.whole(20, 60), text: "abonnement" }),
      () => nothing("account of another customer", { name: another.name, iban: another.iban, text: "voorschot" }),
      () => nothing("pays too much", { text: target.number, cents: target.cents + random.whole(1_000, 90_000) }),
      () => nothing("money back", { text: `terugbetaling ${target.number}`, cents: -target.cents }),
      () => nothing("first word of the name", { iban: null, name: target.party.name.split(" ")[0] ?? "", text: "" }),
      () => nothing("number of another year", { ...stranger, text: `factuur 2019-${digits.slice(-4)}` })
    ]
    const trick = tricks[index % tricks.length]
    if (trick === undefined) throw new Error("There is no trick.")
    return trick()
  })
  const ibans = customers.flatMap(({ iban, id, is_known }) =>
    is_known ? [{ iban, party: id, type: "customer" as const }] : []
  )
  return { documents, ibans, payments: payments.toSorted((left, right) => left.day - right.day) }
}
