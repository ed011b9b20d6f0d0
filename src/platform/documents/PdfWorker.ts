import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parentPort, type MessagePort } from "node:worker_threads"
import { fontPaths, printable } from "./PdfFonts.ts"

/** A document to make; the answer goes to `reply`. */
export interface PdfJob {
  readonly template: string
  readonly data: unknown
  readonly reply: MessagePort
}

export type PdfAnswer = { readonly pdf: Uint8Array<ArrayBuffer> } | { readonly problem: string }

/** Archivable, tagged, and able to carry an invoice as XML inside (ISO 19005-3, level A). */
const standard = "a-3a"
/**
 * Data laid out until layout results are dropped which no document has used since the time before: two or three
 * short documents, or one long one. The thread's memory stays flat, and what documents have in common is kept.
 */
const kept_characters_max = 4_000
const unused_evictions_max = 1
/** 500 lines of 2,000 characters, the largest invoice, are a million. */
const data_characters_max = 8_000_000

// The root of what a template may read; a document cannot name a file.
const workspace = fileURLToPath(new URL("../../../", import.meta.url))
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths }] })
/**
 * Where a template reads its data: a file that only the compiler sees. As an input the data would be part of what every
 * line of a template depends on, and nothing evaluated for one document could serve the next.
 */
const data_path = join(workspace, "document.json")
let kept_characters = 0

parentPort?.on("message", ({ data, reply, template }: PdfJob) => {
  const answer = render(template, data)
  reply.postMessage(answer, "pdf" in answer ? [answer.pdf.buffer] : [])
  reply.close()
  if (kept_characters < kept_characters_max) return
  compiler.evictCache(unused_evictions_max)
  kept_characters = 0
})

/** The data is a file of its own, never source text: nothing in it can be Typst code. */
const render = (template: string, data: unknown): PdfAnswer => {
  const document = JSON.stringify(data, (_, value: unknown) => (typeof value === "string" ? printable(value) : value))
  if (document.length > data_characters_max) return { problem: `The data has ${document.length} characters.` }
  kept_characters += document.length
  compiler.mapShadow(data_path, Buffer.from(document))
  const source = { mainFilePath: template }
  try {
    // Compiled and exported in one call: a compiled document handed to JavaScript would live until the next collection.
    return { pdf: Uint8Array.from(compiler.pdf(source, { pdfStandard: standard })) }
  } catch (cause) {
    const mistakes = compiler.compile(source).takeError()?.shortDiagnostics
    return { problem: mistakes === undefined ? String(cause) : JSON.stringify(mistakes) }
  }
}
