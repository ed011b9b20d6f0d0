import { Context, Effect, Layer, Option } from "effect"
import type { QuoteId } from "../../kernel/Ids.ts"
import { fileNameOf } from "../../kernel/NumberFormat.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Correspondence, type DocumentFile } from "../correspondence/Correspondence.ts"
import { nameOf } from "../printing/DocumentPdf.ts"
import { DocumentPrinter } from "../printing/DocumentPrinter.ts"
import type { Quote } from "./Quote.ts"
import { quotePdf, type QuotePdfDocument, quoteTemplate } from "../printing/documents/QuotePdfDocument.ts"
import { Quotes } from "./Quotes.ts"

/** Renders a quote as PDF/A-3. The same quote always gives the same bytes. */
export class QuotePdf extends Context.Service<
  QuotePdf,
  {
    readonly render: (id: QuoteId) => Effect.Effect<DocumentFile, NotFound | PdfRefused, CurrentOrganization>
    readonly sheet: (quote: Quote) => Effect.Effect<QuotePdfDocument, never, CurrentOrganization>
  }
>()("invoicing/billing/quotes/QuotePdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const correspondence = yield* Correspondence
      const { print } = yield* DocumentPrinter

      const sheet = Effect.fn("QuotePdf.sheet")(function* (quote: Quote) {
        const correspondents = yield* correspondence.on("quote", quote, quote.status === "draft")
        return quotePdf({ quote: { ...quote, draft_reference: nameOf(quote) }, ...correspondents })
      })

      const render = Effect.fn("QuotePdf.render")(function* (id: QuoteId) {
        const quote = yield* quotes.get(id)
        const { id: organization_id } = yield* CurrentOrganization
        const bytes = yield* print(quoteTemplate, yield* sheet(quote), Option.none(), organization_id)
        return { name: fileNameOf(nameOf(quote), "pdf"), bytes }
      })

      return QuotePdf.of({ render, sheet })
    })
  ).pipe(Layer.provide([Quotes.layer, Correspondence.layer, DocumentPrinter.layer]))
}
