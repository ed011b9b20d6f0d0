import { Context, Effect, Layer, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Logos } from "../../organizations/logo/Logos.ts"
import { hybridPdf } from "../../platform/documents/pdf/FacturX.ts"
import { Pdf } from "../../platform/documents/pdf/Pdf.ts"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"

interface Page {
  /** Hash of the logo's file. Absent on pages that were laid out before the service supported logos. */
  readonly logo?: string | null
  readonly direction?: "ltr" | "rtl"
}

/** Makes the PDF of a laid out document, with the logo that the organization had when the document was issued. */
export class DocumentPrinter extends Context.Service<
  DocumentPrinter,
  {
    /** The XML, if there is any, is embedded in the PDF. */
    readonly print: (
      template: URL,
      page: Page,
      xml: Option.Option<string>,
      organization_id: OrganizationId
    ) => Effect.Effect<Uint8Array, PdfRefused>
  }
>()("invoicing/billing/printing/DocumentPrinter") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const logos = yield* Logos
      const hybrid = hybridPdf(yield* Pdf)

      const print: DocumentPrinter["Service"]["print"] = Effect.fn("DocumentPrinter.print")(
        function* (template, page, xml, organization_id) {
          const { logo: sha256 = null } = page
          const logo = sha256 === null ? Option.none() : yield* logos.find(organization_id, sha256)
          const picture = Option.getOrUndefined(Option.map(logo, ({ png }) => png))
          const printed = page.direction === "rtl" ? { ...page, ...marked(page) } : page
          return yield* hybrid(template, { ...printed, logo: picture === undefined ? null : sha256 }, xml, {
            organization_id,
            picture
          })
        }
      )

      return DocumentPrinter.of({ print })
    })
  ).pipe(Layer.provide(Logos.layer))
}

/** Fields of a page that its reader does not see as text. */
const unmarked = new Set(["accent", "direction", "language", "region", "svg"])

/**
 * Puts left-to-right marks around texts without right-to-left letters, because an Arabic page would otherwise print
 * "555 01 23" as "23 01 555".
 */
const marked = (page: object): object =>
  Object.fromEntries(
    Object.entries(page).map(([name, value]: [string, unknown]) => [
      name,
      unmarked.has(name) ? value : markedValue(value)
    ])
  )

const markedValue = (value: unknown): unknown => {
  if (typeof value === "string") return value === "" || rightToLeft.test(value) ? value : `\u200e${value}\u200e`
  if (Array.isArray(value)) return value.map(markedValue)
  return typeof value === "object" && value !== null ? marked(value) : value
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
