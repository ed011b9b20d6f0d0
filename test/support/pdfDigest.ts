import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Pdf } from "../../src/platform/documents/Pdf.ts"

/** `node pdfDigest.ts <template URL> <JSON>` prints the SHA-256 of the PDF: what another process makes of the same data. */
const [template = "", data = ""] = process.argv.slice(2)
const bytes = await Effect.runPromise(
  Effect.provide(
    Effect.flatMap(Pdf, (pdf) => pdf.render(new URL(template), JSON.parse(data))),
    Pdf.layer
  )
)
process.stdout.write(createHash("sha256").update(bytes).digest("hex"))
