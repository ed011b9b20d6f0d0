import { Context, Effect, Layer, Option } from "effect"
import { type Day, yearOf } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import { renderNumber } from "../../kernel/NumberFormat.ts"
import { number_prefixes, numberFormatOf } from "../../organizations/profile/NumberFormats.ts"
import { spanned } from "../../platform/observability/Spanned.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import { NumberingRepo } from "./NumberingRepo.ts"
import { NumberTaken } from "./NumberTaken.ts"
import { paymentReference } from "./PaymentReference.ts"

export interface Numbered {
  readonly number: string
  readonly sequence: number
  readonly series: string
  /** True when the organization set this number as the next one, which may leave a gap before it. */
  readonly isAsked: boolean
  readonly payment_reference: string
  /** True when a document with a later issue date was already issued in this series. */
  readonly non_chronological: boolean
}

type Undated = Omit<Numbered, "non_chronological">

/** Maximum number of predicted next numbers in memory; the oldest is removed first. */
const guesses_max = 10_000

const keyOf = (kind: DocumentKind, { organization_id, series }: { organization_id: number; series: string }) =>
  `${organization_id} ${kind} ${series}`

/** Assigns gapless numbers, with one series per organization, document kind and year of issue. */
export class DocumentNumbers extends Context.Service<
  DocumentNumbers,
  {
    /** Takes the next number. Call this late in the transaction, because the series stays locked until the commit. */
    readonly take: (kind: DocumentKind, issue_date: Day) => Effect.Effect<Numbered, never, CurrentOrganization>
    /** Takes the next number for a draft. The issue date is recorded later, by `date`, when the draft is issued. */
    readonly reserve: (kind: DocumentKind, issue_date: Day) => Effect.Effect<Undated, never, CurrentOrganization>
    /** The next number, or none for a new series. The insert of the document takes the number if it is free. */
    readonly foresee: (
      kind: DocumentKind,
      issue_date: Day
    ) => Effect.Effect<Option.Option<Undated>, never, CurrentOrganization>
    /** Records that a foreseen number was taken, so that the next call of `foresee` needs no database statement. */
    readonly taken: (
      kind: DocumentKind,
      numbered: Pick<Numbered, "sequence" | "series">
    ) => Effect.Effect<void, never, CurrentOrganization>
    /** Records the issue date of a draft that has a number. True if the series already has a later issue date. */
    readonly date: (
      kind: DocumentKind,
      issue_date: Day
    ) => Effect.Effect<Pick<Numbered, "non_chronological">, never, CurrentOrganization>
    /** Removes the issue date that `date` recorded, in the transaction that turns the document back into a draft. */
    readonly undate: (
      kind: DocumentKind,
      issue_date: Day,
      number: string
    ) => Effect.Effect<void, never, CurrentOrganization>
    /** Locks the series that `take` will lock, for a transaction that writes other records first. */
    readonly hold: (kind: DocumentKind, issue_date: Day) => Effect.Effect<void, never, CurrentOrganization>
    /** Refuses a number that another document of the kind already has. */
    readonly requireFree: (kind: DocumentKind, number: string) => Effect.Effect<void, NumberTaken, CurrentOrganization>
    /**
     * Returns a number to its series, in the transaction that removes it from its document. False, without any change,
     * if a later number is in use: then the document must keep its number.
     */
    readonly giveBack: (
      kind: DocumentKind,
      issue_date: Day,
      numbered: Pick<Numbered, "number" | "sequence">
    ) => Effect.Effect<boolean, never, CurrentOrganization>
  }
>()("invoicing/billing/numbering/DocumentNumbers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* NumberingRepo

      const requestOf = Effect.fnUntraced(function* (document: DocumentKind, issue_date: Day) {
        const { id: organization_id, settings } = yield* CurrentOrganization
        const { invoice_next_number = 1, invoice_next_number_year: asked_year } = settings
        const year = yearOf(issue_date)
        const isAsked = document === "invoice" && year === (asked_year ?? yearOf(yield* todayHere))
        const first = isAsked ? invoice_next_number : 1
        return { organization_id, document, series: String(year), first, once: asked_year === undefined }
      })

      const hold = Effect.fn("DocumentNumbers.hold")(function* (document: DocumentKind, issue_date: Day) {
        yield* repo.date({ ...(yield* requestOf(document, issue_date)), issue_date: null })
      })

      const numbered = Effect.fnUntraced(function* (
        { document, series }: Effect.Success<ReturnType<typeof requestOf>>,
        issue_date: Day,
        sequence: number,
        isAsked: boolean
      ) {
        const { country, settings } = yield* CurrentOrganization
        const prefix = number_prefixes[document]
        const number = renderNumber(numberFormatOf(document, settings), { prefix, issue_date, sequence })
        const payment_reference = paymentReference(country, number, yearOf(issue_date), sequence)
        return { number, sequence, series, isAsked, payment_reference }
      })

      const next = Effect.fnUntraced(function* (document: DocumentKind, issue_date: Day, dated: Day | null) {
        const request = yield* requestOf(document, issue_date)
        const { asked, latest, sequence } = yield* repo.take({ ...request, issue_date: dated })
        const non_chronological = isBefore(issue_date, latest)
        return { ...(yield* numbered(request, issue_date, sequence, asked)), non_chronological }
      })

      /**
       * The numbers after those that this process took last. Another process may have taken them since, so each guess
       * is used only once, and a wrong guess is followed by a read from the database.
       */
      const guesses = new Map<string, number>()
      const guessed = (key: string) => {
        const guess = Option.fromUndefinedOr(guesses.get(key))
        guesses.delete(key)
        return guess
      }

      const foresee = Effect.fnUntraced(function* (document: DocumentKind, issue_date: Day) {
        const request = yield* requestOf(document, issue_date)
        const guess = guessed(keyOf(document, request))
        const next = Option.isSome(guess) ? guess : yield* repo.next(request)
        // The series may go on from the number that the organization set, which only `take` records.
        const isAsked = request.first > 1 && Option.exists(next, (value) => value <= request.first)
        if (Option.isNone(next) || isAsked) return Option.none<Undated>()
        return Option.some(yield* numbered(request, issue_date, next.value, false))
      }, spanned("DocumentNumbers.foresee"))

      const taken = Effect.fnUntraced(function* (
        document: DocumentKind,
        { sequence, series }: Pick<Numbered, "sequence" | "series">
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        guesses.set(keyOf(document, { organization_id, series }), sequence + 1)
        const [oldest] = guesses.keys()
        if (guesses.size > guesses_max && oldest !== undefined) guesses.delete(oldest)
      })

      const take = Effect.fn("DocumentNumbers.take")((document: DocumentKind, issue_date: Day) =>
        next(document, issue_date, issue_date)
      )
      const reserve = Effect.fn("DocumentNumbers.reserve")((document: DocumentKind, issue_date: Day) =>
        next(document, issue_date, null)
      )
      const date = Effect.fn("DocumentNumbers.date")(function* (document: DocumentKind, issue_date: Day) {
        const { latest } = yield* repo.date({ ...(yield* requestOf(document, issue_date)), issue_date })
        return { non_chronological: isBefore(issue_date, latest) }
      })
      const undate = Effect.fn("DocumentNumbers.undate")(function* (
        document: DocumentKind,
        issue_date: Day,
        number: string
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* repo.undate({ organization_id, document, series: String(yearOf(issue_date)), number })
      })
      const requireFree = Effect.fn("DocumentNumbers.requireFree")(function* (document: DocumentKind, number: string) {
        const { id: organization_id } = yield* CurrentOrganization
        if (yield* repo.isTaken({ organization_id, document, number })) return yield* NumberTaken.of(number)
      })
      const giveBack = Effect.fn("DocumentNumbers.giveBack")(function* (
        document: DocumentKind,
        issue_date: Day,
        { number, sequence }: Pick<Numbered, "number" | "sequence">
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const series = String(yearOf(issue_date))
        return Option.isSome(yield* repo.giveBack({ organization_id, document, series, sequence, number }))
      })
      return DocumentNumbers.of({ take, reserve, foresee, taken, date, undate, hold, requireFree, giveBack })
    })
  ).pipe(Layer.provide(NumberingRepo.layer))
}

const isBefore = (day: Day, latest: Day | null): boolean => latest !== null && day < latest

/** Returns the part of an audit entry from which a proof of the archive checks the numbers of the series. */
export const placeInSeries = ({ isAsked, sequence, series }: Pick<Numbered, "sequence" | "series" | "isAsked">) =>
  isAsked ? { series, sequence, first: sequence } : { series, sequence }
