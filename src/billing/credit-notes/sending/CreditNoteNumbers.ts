import { Context, Effect, Layer, Option } from "effect"
import { type Day, yearOf } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import type { CreditNoteId } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { Correspondence } from "../../correspondence/Correspondence.ts"
import { DocumentNumbers, placeInSeries } from "../../numbering/DocumentNumbers.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import type { KeptNumber } from "../../sending/SendErrors.ts"
import type { CreditNoteFacts } from "../CreditNote.ts"
import { creditNoteEntry } from "../CreditNoteAudit.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"

type NumberedNote = CreditNoteFacts & { readonly number: string; readonly issue_date: Day }

/** Assigns the number of a note that is being sent. The number becomes final only when a recipient got the note. */
export class CreditNoteNumbers extends Context.Service<
  CreditNoteNumbers,
  {
    /** Dates the note today, and assigns a number unless the note still has one from a failed send. */
    readonly take: (id: CreditNoteId) => Effect.Effect<NumberedNote, NotFound | NumberTaken | BooksLocked, Caller>
    /** Locks what `giveBack` changes, for a transaction that writes an audit entry first. */
    readonly hold: (id: CreditNoteId) => Effect.Effect<void, NotFound, CurrentOrganization>
    /** Returns the number to its series after a failed send. The result is the number if the draft must keep it. */
    readonly giveBack: (id: CreditNoteId) => Effect.Effect<Option.Option<KeptNumber>, NotFound, Caller>
  }
>()("invoicing/billing/credit-notes/sending/CreditNoteNumbers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const correspondence = yield* Correspondence
      const numbering = yield* DocumentNumbers
      const { transaction } = yield* Database

      const take = Effect.fn("CreditNoteNumbers.take")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const note = yield* orNotFound(repo.lock({ organization_id, id }))
        // The parties are saved before sending, so that the note is always printed as it was sent.
        yield* correspondence.keep("credit_note", note)
        const today = yield* todayHere
        yield* requireOpenBooks(today)
        if (note.number !== null && note.issue_date !== null) {
          // The number is left from a send that failed or crashed. If the year has changed since, the note keeps the
          // day of that send, so that it stays in the year of its series. If the books of that day are locked, the note
          // is dated today, because it can be neither dated back nor deleted.
          const isOpen = yield* Effect.isSuccess(requireOpenBooks(note.issue_date))
          const issue_date = isOpen && yearOf(note.issue_date) !== yearOf(today) ? note.issue_date : today
          return { ...note, number: note.number, issue_date }
        }
        const taken = yield* numbering.take("credit_note", today)
        const { number, sequence } = taken
        yield* numbering.requireFree("credit_note", number)
        const numbered = { ...note, issue_date: today, number, sequence }
        // Answers hide the number of a draft, so there is no event.
        const entry = yield* creditNoteEntry("credit_note.numbered", numbered, [], placeInSeries(taken))
        yield* repo.saveNumber(organization_id, numbered, entry)
        return numbered
      }, transaction)

      const hold = Effect.fn("CreditNoteNumbers.hold")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const { issue_date } = yield* orNotFound(repo.lock({ organization_id, id }))
        if (issue_date !== null) yield* numbering.hold("credit_note", issue_date)
      })

      const giveBack = Effect.fn("CreditNoteNumbers.giveBack")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const note = yield* orNotFound(repo.lock({ organization_id, id }))
        const { issue_date, number, sent_at, sequence } = note
        if (sent_at !== null || issue_date === null || number === null || sequence === null) return Option.none()
        if (!(yield* numbering.giveBack("credit_note", issue_date, { number, sequence })))
          return Option.some<KeptNumber>({ number, status: "draft" })
        const place = { series: String(yearOf(issue_date)), sequence }
        const blank = { ...note, issue_date: null, number: null, sequence: null }
        const entry = yield* creditNoteEntry("credit_note.number_returned", note, [], place)
        yield* repo.saveNumber(organization_id, blank, entry)
        return Option.none()
      }, transaction)

      return CreditNoteNumbers.of({ take, hold, giveBack })
    })
  ).pipe(Layer.provide([CreditNotesRepo.layer, Correspondence.layer, DocumentNumbers.layer]))
}
