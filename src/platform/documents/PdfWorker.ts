import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
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
/** Layout results unused by as many documents are dropped, which keeps the thread's memory flat. */
const cached_documents_max = 5
/** 500 lines of 2,000 characters, the largest invoice, are a million. */
const data_characters_max = 8_000_000

// The root of what a template may read; a document cannot name a file.
const workspace = fileURLToPath(new URL("../../../", import.meta.url))
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths }] })

parentPort?.on("message", ({ data, reply, template }: PdfJob) => {
  const answer = render(template, data)
  reply.postMessage(answer, "pdf" in answer ? [answer.pdf.buffer] : [])
  reply.close()
  compiler.evictCache(cached_documents_max)
})

/** The data is an input, never source text: nothing in it can be Typst code. */
const render = (template: string, data: unknown): PdfAnswer => {
  const document = JSON.stringify(data, (_, value: unknown) => (typeof value === "string" ? printable(value) : value))
  if (document.length > data_characters_max) return { problem: `The data has ${document.length} characters.` }
  const source = { mainFilePath: template, inputs: { document } }
  try {
    // Compiled and exported in one call: a compiled document handed to JavaScript would live until the next collection.
    return { pdf: Uint8Array.from(compiler.pdf(source, { pdfStandard: standard })) }
  } catch (cause) {
    const mistakes = compiler.compile(source).takeError()?.shortDiagnostics
    return { problem: mistakes === undefined ? String(cause) : JSON.stringify(mistakes) }
  }
}
