import { folded } from "../texts/Words.ts"
import type { Finding } from "./Matcher.ts"
import type { MatchedLine } from "./candidates/Subject.ts"

/** A line to be confirmed, and the document that was found for it before any line of the batch was confirmed. */
export interface BatchLine {
  readonly line: MatchedLine & { readonly id: number }
  readonly finding: Finding
}

/** If lines of several payers fit one document, a line gets it only if its score is higher by at least this number. */
const rival_lead_min = 20

/**
 * Sorts lines by score, the highest first, so that a line with a low score does not take the document of a better one.
 */
export const byConfidence = <A extends BatchLine>(batch: ReadonlyArray<A>): ReadonlyArray<A> =>
  batch.toSorted(
    (left, right) =>
      scoreOf(right) - scoreOf(left) ||
      left.line.booking_date.localeCompare(right.line.booking_date) ||
      left.line.id - right.line.id
  )

/**
 * Finds lines of different payers that fit a document about equally well. A line that mentions the document is left out.
 */
export const rivalsIn = <A extends BatchLine>(batch: ReadonlyArray<A>): ReadonlySet<A> => {
  const fitting = Map.groupBy(batch, ({ finding }) => {
    if (finding._tag !== "Suggested" || !finding.confirmable) return undefined
    const { documents, signals } = finding.best
    if (signals.some(({ signal }) => signal === "reference" || signal === "number")) return undefined
    return `${documents[0].candidate.type} ${documents[0].candidate.id}`
  })
  fitting.delete(undefined)
  const rivals = [...fitting.values()].flatMap((group) =>
    group.filter((each) =>
      group.some((other) => payerOf(other) !== payerOf(each) && scoreOf(each) - scoreOf(other) < rival_lead_min)
    )
  )
  return new Set(rivals)
}

const scoreOf = ({ finding }: BatchLine): number => (finding._tag === "None" ? 0 : finding.best.score)

const payerOf = ({ line }: BatchLine): string => line.counterparty_iban ?? folded(line.counterparty_name ?? "")
