import { Effect, Layer } from "effect"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { Pdf } from "../../../src/platform/documents/pdf/Pdf.ts"
import { PdfFailuresRepo } from "../../../src/platform/documents/pdf/PdfFailuresRepo.ts"

/** Makes PDF files in two processes, whatever the number of cores. */
export const PdfTest = Pdf.layerOf({ processes: 2 }).pipe(
  Layer.provide(
    // The count of failures comes from a database. It is replaced by zero, because these documents do not fail.
    Layer.mock(PdfFailuresRepo, { count: () => Effect.succeed(0) })
  )
)

export const renderPdf = (template: URL, data: unknown, organization = 1) =>
  Effect.flatMap(Pdf, (pdf) => pdf.render(template, data, { organization_id: OrganizationId.make(organization) }))
