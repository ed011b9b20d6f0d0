import { Context, Effect, Layer, Option } from "effect"
import { type Day, yearOf } from "../../kernel/Calendar.ts"
import { renderNumber } from "../../kernel/NumberFormat.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import { NumberingRepo } from "./NumberingRepo.ts"
import { NumberTaken } from "./NumberTaken.ts"
import { paymentReference } from "./PaymentReference.ts"

export interface Numbered {
  readonly number: string
  /** Its place in the series. */
  readonly sequence: number
  /** The year whose series it is of. */
  readonly series: string
  /** Whether the organization asked for it as the first number of the series, which leaves out those before. */
  readonly isAsked: boolean
  readonly payment_reference: string
  /** A document with a later issue date was already issued in this series. */
  readonly non_chronological: boolean
}

const prefixes: Readonly<Record<DocumentKind, string>> = { invoice: "INV", quote: "QUO", credit_note: "CN" }

/** Gapless numbers: one series per organization, kind of document and year of issue. */
export class Numbering extends Context.Service<
  Numbering,
  {
    /**
     * Takes the next number. Call it late in the issuing transaction: its row lock orders all issuers of the series
     * until commit, and a rollback gives the number back.
     */
    readonly take: (kind: DocumentKind, issue_date: Day) => Effect.Effect<Numbered, never, CurrentOrganization>
    /** Takes the next number as `take` does, for a draft: its date counts once it is issued and goes to `date`. */
    readonly reserve: (
      kind: DocumentKind,
      issue_date: Day
    ) => Effect.Effect<Omit<Numbered, "non_chronological">, never, CurrentOrganization>
    /** Whether a document that had its number as a draft is issued out of order in the series of its date. */
    readonly date: (
      kind: DocumentKind,
      issue_date: Day
    ) => Effect.Effect<Pick<Numbered, "non_chronological">, never, CurrentOrganization>
    /** Takes `date` back, in the transaction that makes the document a draft again. */
    readonly undate: (
      kind: DocumentKind,
      issue_date: Day,
      number: string
    ) => Effect.Effect<void, never, CurrentOrganization>
    /** Locks the series that `take` is going to lock, for a transaction that writes something else before. */
    readonly hold: (kind: DocumentKind, issue_date: Day) => Effect.Effect<void, never, CurrentOrganization>
    /** Refuses a number that a document of the kind bears already. */
    readonly requireFree: (kind: DocumentKind, number: string) => Effect.Effect<void, NumberTaken, CurrentOrganization>
    /**
     * Gives a number back, in the transaction that takes it off its document. False, and nothing changed, when a later
     * number of the series is in use: then the document must keep it.
     */
    readonly giveBack: (
      kind: DocumentKind,
      issue_date: Day,
      numbered: Pick<Numbered, "number" | "sequence">
    ) => Effect.Effect<boolean, never, CurrentOrganization>
  }
>()("invoicing/billing/numbering/Numbering") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* NumberingRepo

      const requestOf = Effect.fnUntraced(function* (document: DocumentKind, issue_date: Day) {
        const { id: organization_id, settings } = yield* CurrentOrganization
        const first = document === "invoice" ? (settings.invoice_next_number ?? 1) : 1
        return { organization_id, document, series: String(yearOf(issue_date)), first }
      })

      const hold = Effect.fn("Numbering.hold")(function* (document: DocumentKind, issue_date: Day) {
        yield* repo.date({ ...(yield* requestOf(document, issue_date)), issue_date: null })
      })

      const next = Effect.fnUntraced(function* (document: DocumentKind, issue_date: Day, dated: Day | null) {
        const { country, settings } = yield* CurrentOrganization
        const request = { ...(yield* requestOf(document, issue_date)), issue_date: dated }
        const { latest, sequence } = yield* repo.take(request)
        const { first, series } = request
        const format = settings.invoice_number_format
        const number = renderNumber(format, { prefix: prefixes[document], issue_date, sequence })
        const payment_reference = paymentReference(country, number, yearOf(issue_date), sequence)
        const isAsked = sequence > 1 && sequence === first
        const non_chronological = isBefore(issue_date, latest)
        return { number, sequence, series, isAsked, payment_reference, non_chronological }
      })

      const take = Effect.fn("Numbering.take")((document: DocumentKind, issue_date: Day) =>
        next(document, issue_date, issue_date)
      )
      const reserve = Effect.fn("Numbering.reserve")((document: DocumentKind, issue_date: Day) =>
        next(document, issue_date, null)
      )
      const date = Effect.fn("Numbering.date")(function* (document: DocumentKind, issue_date: Day) {
        const { latest } = yield* repo.date({ ...(yield* requestOf(document, issue_date)), issue_date })
        return { non_chronological: isBefore(issue_date, latest) }
      })
      const undate = Effect.fn("Numbering.undate")(function* (document: DocumentKind, issue_date: Day, number: string) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* repo.undate({ organization_id, document, series: String(yearOf(issue_date)), number })
      })
      const requireFree = Effect.fn("Numbering.requireFree")(function* (document: DocumentKind, number: string) {
        const { id: organization_id } = yield* CurrentOrganization
        if (yield* repo.isTaken({ organization_id, document, number })) return yield* NumberTaken.of(number)
      })
      const giveBack = Effect.fn("Numbering.giveBack")(function* (
        document: DocumentKind,
        issue_date: Day,
        { number, sequence }: Pick<Numbered, "number" | "sequence">
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const series = String(yearOf(issue_date))
        return Option.isSome(yield* repo.giveBack({ organization_id, document, series, sequence, number }))
      })
      return Numbering.of({ take, reserve, date, undate, hold, requireFree, giveBack })
    })
  ).pipe(Layer.provide(NumberingRepo.layer))
}

const isBefore = (day: Day, latest: Day | null): boolean => latest !== null && day < latest

/** How the audit chain tells that a number was taken or given back, so that the proof can follow the series. */
export const placeInSeries = ({ isAsked, sequence, series }: Pick<Numbered, "sequence" | "series" | "isAsked">) =>
  isAsked ? { series, sequence, first: sequence } : { series, sequence }
