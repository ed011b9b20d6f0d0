import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { serveJobs } from "../../children/ChildEntry.ts"
import { fontPaths, printable } from "./PdfFonts.ts"

export interface PdfJob {
  /** Path of the `.typ` file. */
  readonly template: string
  readonly document: string
  /** A PNG file that the template shows. */
  readonly picture?: Uint8Array | undefined
}

export type PdfAnswer = { readonly pdf: Uint8Array } | { readonly problem: string }

/** PDF/A-3a (ISO 19005-3, level A) is archivable, tagged, and able to carry an invoice as XML inside. */
const standard = "a-3a"
/**
 * Number of characters of data, in one document or several, after which cached layouts are evicted. An eviction drops
 * the layouts that no document has used since the previous eviction. So memory stays flat, and layouts that documents
 * share stay cached.
 */
const kept_characters_max = 4_000
const unused_evictions_max = 1

// A template may read files below this folder, but the data of a document cannot choose a file.
const workspace = fileURLToPath(new URL("../../../../", import.meta.url))
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths }] })
/**
 * Templates read their data from this file, which exists only in the compiler's memory. If the data were a compiler
 * input, no cached layout could be used for the next document.
 */
const data_path = join(workspace, "document.json")
const picture_path = join(workspace, "picture.png")
let kept_characters = 0

const evict = () => {
  if (kept_characters < kept_characters_max) return
  compiler.evictCache(unused_evictions_max)
  kept_characters = 0
}

/** The data is a separate file and never source text, so nothing in it can be Typst code. */
const render = ({ document, picture, template }: PdfJob): PdfAnswer => {
  const data = JSON.stringify(JSON.parse(document), (_, value: unknown) =>
    typeof value === "string" ? printable(value) : value
  )
  kept_characters += data.length
  compiler.mapShadow(data_path, Buffer.from(data))
  if (picture !== undefined) compiler.mapShadow(picture_path, Buffer.from(picture))
  const source = { mainFilePath: template }
  try {
    // One call compiles and exports: a compiled document in a variable would live until the next garbage collection.
    return { pdf: compiler.pdf(source, { pdfStandard: standard }) }
  } catch (cause) {
    const mistakes = compiler.compile(source).takeError()?.shortDiagnostics
    return { problem: mistakes === undefined ? String(cause) : JSON.stringify(mistakes) }
  }
}

serveJobs(() =>
  Promise.resolve((job: unknown) => {
    // Boundary: only `Pdf` sends jobs to this process, and all of them have this type.
    const answer = render(job as PdfJob)
    // Evicts after the answer is sent, so that the caller does not wait.
    setImmediate(evict)
    return Promise.resolve(answer)
  })
)
