import { Effect } from "effect"
import { createHash } from "node:crypto"
import { PdfTest, renderPdf } from "./PdfTest.ts"

/** `node pdfDigest.ts <template URL> <JSON>` prints the SHA-256 of a PDF, so that a test can compare two processes. */
const [template = "", data = ""] = process.argv.slice(2)
const bytes = await Effect.runPromise(Effect.provide(renderPdf(new URL(template), JSON.parse(data)), PdfTest))
process.stdout.write(createHash("sha256").update(bytes).digest("hex"))
