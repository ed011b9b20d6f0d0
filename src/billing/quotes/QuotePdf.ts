import { Context, Effect, Layer } from "effect"
import type { QuoteId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { Pdf } from "../../platform/documents/Pdf.ts"
import type { PdfUnavailable } from "../../platform/documents/PdfUnavailable.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import { Correspondence, type DocumentFile } from "../delivery/Correspondence.ts"
import { quotePdf, quoteTemplate } from "./QuotePdfDocument.ts"
import { Quotes } from "./Quotes.ts"

/** The printed quote: PDF/A-3, the same bytes for the same quote. */
export class QuotePdf extends Context.Service<
  QuotePdf,
  {
    readonly render: (id: QuoteId) => Effect.Effect<DocumentFile, NotFound | PdfUnavailable, CurrentOrganization>
  }
>()("invoicing/billing/quotes/QuotePdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const correspondence = yield* Correspondence
      const pdf = yield* Pdf

      const render = Effect.fn("QuotePdf.render")(function* (id: QuoteId) {
        const quote = yield* quotes.get(id)
        const name = quote.number ?? quote.draft_reference ?? ""
        const printed = { ...quote, draft_reference: name }
        const correspondents = yield* correspondence.on("quote", quote, quote.status === "draft")
        const document = quotePdf({ quote: printed, ...correspondents })
        return { name: `${name}.pdf`, bytes: yield* pdf.render(quoteTemplate, document) }
      })

      return QuotePdf.of({ render })
    })
  ).pipe(Layer.provide([Quotes.layer, Correspondence.layer]))
}
