import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import type { StatementLine } from "../records/Statement.ts"
import { folded } from "../texts/Words.ts"

/** The day and the amount distinguish a returned payment from the original payment, which may have the same id. */
const factsOf = ({ amount, booking_date, currency }: StatementLine): ReadonlyArray<string> => [
  booking_date,
  formatAmount(amount, exponentOf(currency)),
  currency
]

const idIdentity = (line: StatementLine, id: string): string => ["bank", ...factsOf(line), id].join("|")

const contentOf = (line: StatementLine): string => {
  const { counterparty_iban, counterparty_name, reference, remittance_text } = line.earlier_texts ?? line
  const texts = folded(`${reference ?? ""} ${remittance_text}`)
  return [folded(counterparty_name ?? ""), counterparty_iban ?? "", texts].join("|")
}

/**
 * Returns the identities of the ids that a file gives to several payments: to lines of one day and amount that differ
 * in their content. The ids of a CSV file are compared when the file is parsed.
 */
export const sharedIds = (statements: ReadonlyArray<Iterable<StatementLine>>): ReadonlySet<string> => {
  const contents = new Map<string, Set<string>>()
  const once = new Set<string>()
  for (const { identity } of identified(statements)) {
    if (once.has(identity)) contents.set(identity, new Set())
    else once.add(identity)
  }
  // Few files have an id twice, so the contents are rarely compared.
  if (contents.size > 0)
    for (const { identity, line } of identified(statements)) contents.get(identity)?.add(contentOf(line))
  return new Set([...contents].flatMap(([identity, { size }]) => (size > 1 ? identity : [])))
}

function* identified(statements: ReadonlyArray<Iterable<StatementLine>>) {
  for (const lines of statements) {
    for (const line of lines) {
      if (line.csv === undefined && line.bank_id !== null) yield { line, identity: idIdentity(line, line.bank_id) }
    }
  }
}

interface Identities {
  /** The line is stored with the first identity, and is a duplicate if the account has a line with any of them. */
  readonly identities: readonly [string, ...ReadonlyArray<string>]
  /** The identity of an id that also other payments have, but with which the line may be stored. */
  readonly shared?: string
}

/**
 * Returns the facts that identify a line. The bank's id of a line identifies it, unless the file gives the id to
 * several payments; then its content does. The text of a CSV line depends on the other rows of its file, so a line of
 * a CSV file is also recognized by its cells.
 */
const identitiesOf = (line: StatementLine, shared: ReadonlySet<string>): Identities => {
  const { bank_id, csv, earlier_bank_id } = line
  const facts = factsOf(line)
  const content = contentOf(line)
  const id = bank_id === null ? undefined : idIdentity(line, bank_id)
  const by_content = ["content", ...facts, content].join("|")
  const earlier = earlier_bank_id === undefined ? {} : { shared: idIdentity(line, earlier_bank_id) }
  if (csv !== undefined) {
    const row = ["row", ...facts, csv.row_text].join("|")
    // Earlier versions stored lines of CSV files with the key of the content, as other formats still do.
    if (id !== undefined && csv.has_unique_id) return { identities: [id, row] }
    return { identities: [row, ...(id === undefined ? [] : [id]), by_content], ...earlier }
  }
  if (id === undefined) return { identities: [by_content], ...earlier }
  // A file with other lines may give this id to several payments, so the line is also recognized by both together.
  const by_both = `${id}|${content}`
  return shared.has(id) ? { identities: [by_both], shared: id } : { identities: [id, by_both], ...earlier }
}

export interface LineKeys {
  readonly keys: readonly [string, ...ReadonlyArray<string>]
  /**
   * The line may also be stored with the key of an id that several payments have. Then `key` is this key without the
   * number of the line, and `equal_before` is the number of equal lines before this one in the file.
   */
  readonly shared: { readonly key: string; readonly equal_before: number } | undefined
}

/**
 * Returns a function that makes the keys of the lines of one file. A key contains the line's number among equal lines
 * of the file, because equal lines of a file are several movements and not copies of one. The line is stored with the
 * first key, and is a duplicate if the account has a line with any of the keys.
 */
export const lineKeys = (shared_ids: ReadonlySet<string> = new Set()) => {
  const counts = new Map<string, number>()
  const numberOf = (identity: string): number => {
    const occurrence = counts.get(identity) ?? 0
    counts.set(identity, occurrence + 1)
    return occurrence
  }
  const keyOf = (identity: string): string => `${sha256Hex(identity)}#${numberOf(identity)}`
  return (line: StatementLine): LineKeys => {
    const { identities, shared } = identitiesOf(line, shared_ids)
    const [first, ...others] = identities
    const keys = [keyOf(first), ...others.map(keyOf)] as const
    if (shared === undefined) return { keys, shared }
    const equal_before = numberOf(`shared ${shared}|${contentOf(line)}`)
    return { keys, shared: { key: sha256Hex(shared), equal_before } }
  }
}
