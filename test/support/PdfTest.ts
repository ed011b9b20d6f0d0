import { Effect } from "effect"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { Pdf } from "../../src/platform/documents/Pdf.ts"

/** Makes PDF files in two processes, whatever the machine. */
export const PdfTest = Pdf.layerOf({ processes: 2 })

export const renderPdf = (template: URL, data: unknown, organization = 1) =>
  Effect.flatMap(Pdf, (pdf) => pdf.render(template, data, OrganizationId.make(organization)))
