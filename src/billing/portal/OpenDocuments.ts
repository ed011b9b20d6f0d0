import { Context, Effect, Layer } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { DocumentLinksRepo } from "../sending/DocumentLinksRepo.ts"
import { Invoices } from "../invoices/writing/Invoices.ts"
import { type DocumentRef, isIssued, isSame } from "./PortalState.ts"
import { Quotes } from "../quotes/Quotes.ts"
import { documentFormat } from "../printing/DocumentFormat.ts"
import { labelsIn } from "../printing/labels/Labels.ts"
import type { PdfDocument } from "../printing/DocumentPdf.ts"

/** Maximum number of documents of each kind. */
const documents_max = 50

const earliest = <const Deadline extends string>(sort: Deadline) => ({ sort, per_page: documents_max })

/** A document of the same customer that waits for a payment or an answer. */
export interface OpenDocument extends DocumentRef {
  readonly title: string
  readonly amount: string
  readonly date: string
  readonly is_overdue: boolean
}

export class OpenDocuments extends Context.Service<
  OpenDocuments,
  {
    /**
     * Lists the open documents in the language of the page that shows them, the earliest deadline first. A document
     * whose links were revoked is left out until it is sent again.
     */
    readonly of: (
      customer_id: CustomerId,
      sheet: Pick<PdfDocument, "language" | "region">
    ) => Effect.Effect<ReadonlyArray<OpenDocument>, never, CurrentOrganization>
    readonly isWithdrawn: (document: DocumentRef) => Effect.Effect<boolean, never, CurrentOrganization>
  }
>()("invoicing/billing/portal/OpenDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const quotes = yield* Quotes
      const links = yield* DocumentLinksRepo

      const withdrawn = Effect.fnUntraced(function* (documents: ReadonlyArray<DocumentRef>) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* links.withdrawn({ organization_id, documents })
      })

      const of: OpenDocuments["Service"]["of"] = Effect.fn("OpenDocuments.of")(function* (
        customer_id,
        { language, region }
      ) {
        const labels = labelsIn[language]
        const unpaid = yield* invoices.list({ customer_id, status: "unpaid", ...earliest("due_date") })
        const unanswered = yield* quotes.list({ customer_id, status: "sent", ...earliest("valid_until") })
        const rows: ReadonlyArray<OpenDocument & { readonly day: Day }> = [
          ...unpaid.rows.filter(isIssued).map((invoice) => {
            const { balance_due, currency, due_date: day, id, is_overdue, number } = invoice
            const format = documentFormat(language, `${language}-${region}`, currency)
            const title = `${labels.document.invoice} ${number}`
            const shown = { title, amount: format.money(balance_due), date: format.day(day), is_overdue }
            return { document: "invoice" as const, document_id: id, day, ...shown }
          }),
          ...unanswered.rows.filter(isIssued).map((quote) => {
            const { currency, id, number, total, valid_until: day } = quote
            const format = documentFormat(language, `${language}-${region}`, currency)
            const title = `${labels.quote.quote} ${number}`
            const shown = { title, amount: format.money(total), date: format.day(day), is_overdue: false }
            return { document: "quote" as const, document_id: id, day, ...shown }
          })
        ]
        const gone = yield* withdrawn(rows)
        const open = rows.filter((row) => !gone.some((document) => isSame(document, row)))
        return open.toSorted((a, b) => a.day.localeCompare(b.day))
      })

      return OpenDocuments.of({
        of,
        isWithdrawn: (document) => Effect.map(withdrawn([document]), (found) => found.length > 0)
      })
    })
  ).pipe(Layer.provide([Invoices.layer, Quotes.layer, DocumentLinksRepo.layer]))
}
