import { BigDecimal, Effect, Schema } from "effect"
import type { Counterparty } from "../../../src/banking/counterparties/Counterparty.ts"
import { byConfidence, rivalsIn } from "../../../src/banking/matching/Rivals.ts"
import { Candidate } from "../../../src/banking/matching/candidates/Candidate.ts"
import { partyKey } from "../../../src/banking/matching/candidates/CandidateIndex.ts"
import { type Confirmation, habitsOf } from "../../../src/banking/matching/candidates/Habits.ts"
import { matcher } from "../../../src/banking/matching/Matcher.ts"
import { mentionedKeys } from "../../../src/banking/matching/mentions/Mentions.ts"
import { addDays, Day } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { CounterpartyId } from "../../../src/kernel/Ids.ts"
import type { Document, Payment, World } from "./PaymentWorld.ts"

const batch_lines = 200
const first_day = Schema.decodeSync(Day)("2025-11-01")
const currency = Schema.decodeSync(CurrencyCode)("EUR")
const decode = Schema.decodeSync(Candidate)
const dayOf = (day: number) => addDays(first_day, day)

const candidateOf = (document: Document, cents: number): Candidate => {
  const { due, id, issued, number, party, reference, type } = document
  const amounts = {
    open: BigDecimal.format(BigDecimal.make(BigInt(cents), 2)),
    total: BigDecimal.format(BigDecimal.make(BigInt(document.cents), 2))
  }
  const dates = { date: dayOf(issued), due_date: dayOf(due) }
  const about = {
    counterparty_id: party.id,
    counterparty_name: party.name,
    number: type === "invoice" ? number : null,
    reference
  }
  const direction = type === "invoice" ? "credit" : "debit"
  return decode({ type, direction, id, currency, ...amounts, ...dates, ...about })
}

const lineOf = (payment: Payment, index: number) => ({
  id: index + 1,
  booking_date: dayOf(payment.day),
  amount: BigDecimal.make(BigInt(payment.cents), 2),
  currency,
  counterparty_name: payment.name,
  counterparty_iban: payment.iban,
  remittance_text: payment.text,
  reference: payment.reference
})

const keyOf = ({ id, type }: { readonly id: number; readonly type: Candidate["type"] }) => `${type} ${id}`
const plain = (text: string) => text.toUpperCase().replaceAll(/[^0-9A-Z]/g, "")

const elsewhereOf = (documents: ReadonlyArray<Document>) => {
  const exact = new Map<string, string>()
  const endings = new Map<string, string>()
  for (const { number, reference, type } of documents) {
    for (const each of type === "invoice" ? [number, reference] : [reference])
      if (each !== null) exact.set(plain(each), each)
    if (type === "invoice") endings.set(plain(number).replace(/^[A-Z]+/, ""), number)
  }
  return (text: string) => {
    const keys = mentionedKeys(text)
    return [...keys.exact.map((key) => exact.get(key)), ...keys.endings.map((key) => endings.get(key))].find(
      (found) => found !== undefined
    )
  }
}

export interface Miss {
  readonly kind: string
  readonly line: string
  readonly wanted: string
  readonly found: string
}

export interface Trial {
  readonly confirmed: number
  readonly decidable: number
  readonly right_decidable: number
  readonly wrong: ReadonlyArray<Miss>
  readonly missed: ReadonlyArray<Miss>
  readonly seconds: number
}

/**
 * Matches the payments of a generated world in batches, confirms the suggestions, and compares the confirmed matches
 * with the documents that were really paid.
 */
export const trialOf = Effect.fnUntraced(function* (world: World) {
  const started = performance.now()
  const left = new Map(world.documents.flatMap((each) => (each.is_open ? [[keyOf(each), each.cents] as const] : [])))
  const owners = new Map<string, Map<CounterpartyId, Counterparty["type"]>>()
  for (const { iban, party, type } of world.ibans)
    owners.set(iban, (owners.get(iban) ?? new Map()).set(CounterpartyId.make(party), type))
  const confirmations: Array<Confirmation> = []
  const wrong: Array<Miss> = []
  const missed: Array<Miss> = []
  let confirmed = 0
  let right_decidable = 0
  for (let start = 0; start < world.payments.length; start += batch_lines) {
    const open = world.documents.filter((each) => (left.get(keyOf(each)) ?? 0) > 0)
    const mentionedElsewhere = elsewhereOf(world.documents.filter((each) => (left.get(keyOf(each)) ?? 0) <= 0))
    const candidates = open.map((each) => candidateOf(each, left.get(keyOf(each)) ?? 0))
    const found = yield* matcher(candidates, {
      auto_threshold: 50,
      owners,
      habits: habitsOf(confirmations),
      mentionedElsewhere
    })
    const batch = world.payments.slice(start, start + batch_lines).map((payment, index) => {
      const line = lineOf(payment, start + index)
      return { payment, line, finding: found.find(line) }
    })
    const rivals = rivalsIn(batch)
    for (const each of byConfidence(batch)) {
      const { line, payment } = each
      const finding = found.find(line)
      const documents = finding._tag === "None" ? [] : finding.best.documents
      const said = `${payment.cents} ${payment.name} ${payment.iban} "${payment.text}" ${payment.reference ?? ""} ${line.booking_date}`
      const signals =
        finding._tag === "None"
          ? ""
          : finding.best.signals.map(({ points, signal }) => `${signal} ${points}`).join(", ")
      const wanted = payment.pays
        .map((each) => `${keyOf(each)} ${each.number} ${each.cents} ${each.party.name}`)
        .join("; ")
      const got = documents.map(
        ({ candidate, open }) =>
          `${keyOf(candidate)} ${candidate.number} ${BigDecimal.format(open)} ${candidate.counterparty_name}`
      )
      const miss = { kind: payment.kind, line: said, wanted, found: `${finding._tag} ${got.join("; ")} (${signals})` }
      const is_automatic = finding._tag === "Suggested" && finding.confirmable && !rivals.has(each)
      const paid = documents
        .map(({ candidate }) => keyOf(candidate))
        .toSorted()
        .join()
      const is_right = paid === payment.pays.map(keyOf).toSorted().join()
      if (!is_automatic || !is_right) {
        if (payment.is_decidable) missed.push(miss)
        if (!is_automatic) continue
      }
      confirmed++
      if (!is_right) wrong.push(miss)
      else if (payment.is_decidable) right_decidable++
      let cents = Math.abs(payment.cents)
      for (const { candidate, open } of documents) {
        const part = Math.min(cents, left.get(keyOf(candidate)) ?? 0)
        cents -= part
        left.set(keyOf(candidate), (left.get(keyOf(candidate)) ?? 0) - part)
        found.take(candidate, documents.length > 1 ? open : BigDecimal.make(BigInt(part), 2))
        if (payment.iban !== null && candidate.counterparty_id !== null) {
          const type = candidate.type === "expense" ? "vendor" : "customer"
          owners.set(payment.iban, (owners.get(payment.iban) ?? new Map()).set(candidate.counterparty_id, type))
        }
        const { counterparty_id, counterparty_name, id, type } = candidate
        const party = partyKey(
          type === "invoice"
            ? { customer_id: counterparty_id, vendor: null, expense_id: null }
            : { customer_id: null, vendor: counterparty_name, expense_id: id }
        )
        confirmations.push({ party, name: payment.name, text: `${payment.reference ?? ""} ${payment.text}` })
      }
    }
  }
  const decidable = world.payments.filter(({ is_decidable }) => is_decidable).length
  const trial: Trial = {
    confirmed,
    decidable,
    right_decidable,
    wrong,
    missed,
    seconds: (performance.now() - started) / 1_000
  }
  return trial
})
