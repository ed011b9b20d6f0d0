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

// Templates read files only below `src`, and no document can name one.
const workspace = fileURLToPath(new URL("../../", import.meta.url))
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
  const compiled = compiler.compile({ mainFilePath: template, inputs: { document } })
  if (compiled.result === null) return { problem: JSON.stringify(compiled.takeError()?.shortDiagnostics) }
  try {
    return { pdf: Uint8Array.from(compiler.pdf(compiled.result, { pdfStandard: standard })) }
  } catch (cause) {
    return { problem: String(cause) }
  }
}
