import { Option } from "effect"
import { readFile } from "node:fs/promises"
import { signedContent, xmlText } from "../documents/XmlBytes.ts"
import { isPaddleInstalled } from "../packages/Installed.ts"
import { startPaddle } from "./engines/Paddle.ts"
import { formatOf, isEinvoice } from "./Format.ts"
import { decodeImage, type GrayImage } from "./image/GrayImage.ts"
import { decodeHeic } from "./image/Heic.ts"
import { type Engines, readPageImage, rereadField, type Effort, type ReadPage } from "./PageImage.ts"
import { readHead } from "./PageHead.ts"
import { pdfContent } from "./PdfContent.ts"
import { pdfPageImages } from "./PdfRaster.ts"
import type { Again, ScannedPage, Reading } from "./engines/Reading.ts"
import { startTesseract } from "./engines/Tesseract.ts"
import { Unreadable } from "./image/Unreadable.ts"

interface ReadRequest {
  readonly path: string
  /** Names of tesseract's language data, the likeliest first. */
  readonly languages: ReadonlyArray<string>
  readonly effort: Effort
}

interface ReadDocument {
  readonly reading: Reading
  /** Present if the words were recognized in an image. */
  readonly again?: Again
}

/** Must run in a child process: a file may make it hang, crash or use up memory. Rejects with `Unreadable`. */
export type DocumentReader = (request: ReadRequest) => Promise<ReadDocument>

/** Minimum number of letters of a text layer; a layer with fewer is a stamp on a scan, not the document. */
const text_layer_letters_min = 40
/** Time after which no further page is started, because the first pages usually hold the totals. */
const pages_duration_max_ms = 20_000

type Images = () => Promise<Iterable<GrayImage> | AsyncIterable<GrayImage>>

/** Reads pages with PaddleOCR or, when that is not installed, with Tesseract. */
export const openDocumentReader = async (
  language_folder: string,
  hasPaddle = isPaddleInstalled
): Promise<DocumentReader> => {
  const tesseract = await startTesseract(language_folder)
  const engines: Engines = { tesseract, paddle: hasPaddle ? await startPaddle() : undefined }
  return async (request) => {
    const opened = await open(request)
    return "images" in opened ? recognize(engines, await opened.images(), request) : opened
  }
}

/** Reads a document without an OCR engine. Returns undefined if only an engine can read it. */
export const readWithoutEngine = async (request: ReadRequest): Promise<ReadDocument | undefined> => {
  const opened = await open(request)
  return "images" in opened ? undefined : opened
}

/** Reads the text of a document. If it has none, returns the images of its pages, which an engine has to read. */
const open = async ({ effort, path }: ReadRequest): Promise<ReadDocument | { readonly images: Images }> => {
  const bytes = await readFile(path)
  const format = formatOf(bytes)
  if (format === undefined) throw new Unreadable("unsupported_format")
  if (format === "xml") return { reading: { source: "embedded", pages: [], embedded_xml: xmlText(bytes) } }
  if (format === "p7m") return readSigned(bytes)
  if (format === "pdf") return readPdf(bytes, effort)
  return { images: async () => [format === "heif" ? await decodeHeic(bytes) : await decodeImage(bytes)] }
}

const readSigned = (bytes: Uint8Array): ReadDocument => {
  const embedded_xml = xmlText(Option.getOrElse(signedContent(bytes), () => new Uint8Array()))
  if (!isEinvoice(embedded_xml)) throw new Unreadable("unsupported_format")
  return { reading: { source: "embedded", pages: [], embedded_xml } }
}

const readPdf = async (bytes: Uint8Array, effort: Effort): ReturnType<typeof open> => {
  const { attached_xml, pages } = await pdfContent(bytes, effort)
  const attached = attached_xml.find(({ text }) => isEinvoice(text)) ?? attached_xml.find(isNamedInvoice)
  const embedded_xml = attached?.text
  if (embedded_xml !== undefined) return { reading: { source: "embedded", pages, embedded_xml } }
  if (letterCount(pages) >= text_layer_letters_min) return { reading: { source: "text_layer", pages } }
  return { images: async () => pdfPageImages(bytes, effort.pages_max) }
}

/** File names that Factur-X, ZUGFeRD and XRechnung prescribe. Such a file is an invoice even if it is damaged. */
const isNamedInvoice = ({ file_name }: { readonly file_name: string }): boolean =>
  /^(?:factur-x|zugferd-invoice|xrechnung)\.xml$/i.test(file_name)

const letterCount = (pages: ReadonlyArray<ScannedPage>): number =>
  pages
    .flatMap(({ passes }) => passes.flatMap(({ lines }) => lines.flatMap(({ words }) => words)))
    .reduce((count, { text }) => count + text.replace(/[^\p{L}\p{N}]/gu, "").length, 0)

const recognize = async (
  engines: Engines,
  images: Iterable<GrayImage> | AsyncIterable<GrayImage>,
  { effort, languages }: ReadRequest
): Promise<ReadDocument> => {
  const { paddle, tesseract } = engines
  // With PaddleOCR, Tesseract only reads doubtful fields again, so its languages are loaded at the first of them. All
  // callers wait for the same load, because two loads at once could end with the wrong languages.
  let loading: Promise<void> | undefined
  const load = () => (loading ??= tesseract.use(languages))
  if (paddle === undefined) await load()
  const begun = performance.now()
  const read: Array<ReadPage> = []
  for await (const image of images) {
    read.push(await readPageImage(engines, image, effort))
    if (performance.now() - begun > pages_duration_max_ms) break
  }
  const [first] = read
  const hasHead = paddle !== undefined && first !== undefined && effort.passes === 2
  return {
    reading: { source: "ocr", pages: read.map(({ page }) => page) },
    again: {
      reread: async (number, box) => {
        const page = read[number]
        if (page === undefined) return []
        await load()
        return rereadField(tesseract, page.image, box)
      },
      ...(hasHead ? { readHead: () => readHead(paddle, first) } : {})
    }
  }
}
