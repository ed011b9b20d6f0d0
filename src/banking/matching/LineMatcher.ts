import { BigDecimal, Effect, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import type { CounterpartyId } from "../../kernel/Ids.ts"
import { type Counterparty, IbanOwner } from "../counterparties/Counterparty.ts"
import { inTurns } from "../Turns.ts"
import { Candidate } from "./candidates/Candidate.ts"
import { type Confirmation, habitsOf } from "./candidates/Habits.ts"
import { type Matcher, matcher } from "./Matcher.ts"
import { mentionedKeys } from "./mentions/Mentions.ts"
import { type MatchedLine, mentioningText } from "./candidates/Subject.ts"

/** A party that an IBAN identifies. An IBAN may identify a customer and a vendor. */
export const Owner = Schema.Struct(Struct.omit(IbanOwner.fields, ["name"]))

/** A document in any state whose number or reference the text of a bank line contains. */
export const Mentioned = Schema.Struct({
  type: Schema.Literals(["invoice", "expense"]),
  id: Schema.Int,
  number: Schema.String,
  /** The part of the bank line's text that is the number or reference of the document. */
  key: Schema.String
})

/** The amounts of some lines, without signs, and the days between which the lines are dated. */
export const RecordedQuery = Schema.Struct({ amounts: Schema.Array(Schema.String), first: Day, last: Day })
export type RecordedQuery = typeof RecordedQuery.Type

export interface DocumentSource {
  readonly auto_threshold: number
  /** The open documents as JSON texts, because a child process receives texts faster than thousands of objects. */
  readonly candidates: Effect.Effect<ReadonlyArray<string>>
  /** Money that was recorded without a bank line and that lines may have brought, as one JSON text. */
  readonly recorded: (query: RecordedQuery) => Effect.Effect<string>
  readonly owners: (ibans: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<typeof Owner.Type>>
  /** The texts of the lines with the latest active matches, and the parties that these lines paid. */
  readonly confirmed: Effect.Effect<ReadonlyArray<Confirmation>>
  readonly mentioned: (
    exact: ReadonlyArray<string>,
    endings: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<typeof Mentioned.Type>>
}

const parse = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Schema.Unknown)))
const decode = Schema.decodeUnknownEffect(Candidate)

/** Reads the open documents, and returns a function that prepares a matcher for bank lines of one currency. */
export const lineMatching = Effect.fn("lineMatching")(function* (source: DocumentSource) {
  const rows = yield* inTurns(yield* source.candidates, (text) => parse(text))
  const open = yield* inTurns(rows.flat(), (row) => decode(row))
  const owners = new Map<string, Map<CounterpartyId, Counterparty["type"]>>()
  const habits = habitsOf(yield* source.confirmed)
  const mentioned = new Map<string, string>()
  const mentionedElsewhere = (text: string) => {
    if (mentioned.size === 0) return undefined
    const { endings, exact } = mentionedKeys(text)
    return [...exact, ...endings].map((key) => mentioned.get(key)).find((number) => number !== undefined)
  }
  const { auto_threshold } = source
  const found = yield* matcher(open, { auto_threshold, owners, habits, mentionedElsewhere })

  return Effect.fnUntraced(function* (lines: ReadonlyArray<MatchedLine>) {
    const ibans = new Set(lines.flatMap(({ counterparty_iban }) => counterparty_iban ?? []))
    for (const { iban, id, type } of yield* source.owners([...ibans])) {
      owners.set(iban, (owners.get(iban) ?? new Map()).set(id, type))
    }
    yield* addRecorded(source, lines, found)
    const findings = yield* inTurns(lines, (line) => Effect.sync(() => found.find(line)))
    const first = new Map(lines.map((line, index) => [line, findings[index]]))
    // If a line mentions a document other than the suggested one, the suggestion may be wrong. So the mentioned documents
    // are looked up.
    const suggested = lines.filter((line) => first.get(line)?._tag !== "None")
    for (const [key, number] of yield* mentionedOf(source, suggested, found)) mentioned.set(key, number)
    let is_taken = false
    const find: Matcher["find"] = (line, isSettled) => {
      const finding = first.get(line)
      if (finding?._tag === "None") return finding
      const is_final = !is_taken && isSettled === undefined && mentionedElsewhere(mentioningText(line)) === undefined
      return finding !== undefined && is_final ? finding : found.find(line, isSettled)
    }
    const take: Matcher["take"] = (document, amount) => {
      is_taken = true
      found.take(document, amount)
    }
    return { ...found, find, take }
  }, Effect.orDie)
}, Effect.orDie)

export const lineMatcher = Effect.fn("lineMatcher")(function* (
  source: DocumentSource,
  lines: ReadonlyArray<MatchedLine>
) {
  const matcherOf = yield* lineMatching(source)
  return yield* matcherOf(lines)
})

const addRecorded = Effect.fnUntraced(function* (
  source: DocumentSource,
  lines: ReadonlyArray<MatchedLine>,
  { add }: Matcher
) {
  const [first, ...others] = lines.map(({ booking_date }) => booking_date).toSorted()
  if (first === undefined) return
  const amounts = new Set(lines.map(({ amount }) => BigDecimal.format(BigDecimal.abs(amount))))
  const asked = { amounts: [...amounts], first, last: others.at(-1) ?? first }
  const rows = yield* parse(yield* source.recorded(asked))
  yield* add(yield* inTurns(rows, (row) => decode(row)))
})

/** Numbers of mentioned documents that are not open, each with the text that mentions it. */
const mentionedOf = Effect.fnUntraced(function* (
  source: DocumentSource,
  lines: ReadonlyArray<MatchedLine>,
  { has }: Matcher
) {
  const keys = yield* inTurns(lines, (line) => Effect.sync(() => mentionedKeys(mentioningText(line))))
  const exact = new Set(keys.flatMap((each) => each.exact))
  const endings = new Set(keys.flatMap((each) => each.endings))
  const rows = yield* source.mentioned([...exact], [...endings])
  return rows.flatMap(({ id, key, number, type }) => (has({ id, type }) ? [] : [[key, number] as const]))
})
