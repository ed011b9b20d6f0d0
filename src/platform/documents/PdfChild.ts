import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { serveJobs } from "../children/ChildEntry.ts"
import { fontPaths, printable } from "./PdfFonts.ts"

export interface PdfJob {
  /** Path of the template. */
  readonly template: string
  /** Its data, as JSON. */
  readonly document: string
}

export type PdfAnswer = { readonly pdf: Uint8Array } | { readonly problem: string }

/** Archivable, tagged, and able to carry an invoice as XML inside (ISO 19005-3, level A). */
const standard = "a-3a"
/**
 * Data laid out until layout results are dropped which no document has used since the time before: two or three
 * short documents, or one long one. The process's memory stays flat, and what documents have in common is kept.
 */
const kept_characters_max = 4_000
const unused_evictions_max = 1

// The root of what a template may read; a document cannot name a file.
const workspace = fileURLToPath(new URL("../../../", import.meta.url))
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths }] })
/**
 * Where a template reads its data: a file that only the compiler sees. As an input the data would be part of what every
 * line of a template depends on, and nothing evaluated for one document could serve the next.
 */
const data_path = join(workspace, "document.json")
let kept_characters = 0

const evict = () => {
  if (kept_characters < kept_characters_max) return
  compiler.evictCache(unused_evictions_max)
  kept_characters = 0
}

/** The data is a file of its own, never source text: nothing in it can be Typst code. */
const render = ({ document, template }: PdfJob): PdfAnswer => {
  const data = JSON.stringify(JSON.parse(document), (_, value: unknown) =>
    typeof value === "string" ? printable(value) : value
  )
  kept_characters += data.length
  compiler.mapShadow(data_path, Buffer.from(data))
  const source = { mainFilePath: template }
  try {
    // Compiled and exported in one call: a compiled document handed to JavaScript would live until the next collection.
    return { pdf: compiler.pdf(source, { pdfStandard: standard }) }
  } catch (cause) {
    const mistakes = compiler.compile(source).takeError()?.shortDiagnostics
    return { problem: mistakes === undefined ? String(cause) : JSON.stringify(mistakes) }
  }
}

serveJobs(() =>
  Promise.resolve((job: unknown) => {
    // Boundary: jobs come from `Pdf` alone.
    const answer = render(job as PdfJob)
    // Eviction happens after the answer has left.
    setImmediate(evict)
    return Promise.resolve(answer)
  })
)
