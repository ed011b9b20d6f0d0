import { Option } from "effect"
import { readFile } from "node:fs/promises"
import { signedContent, xmlText } from "../documents/XmlBytes.ts"
import { isPaddleInstalled } from "../packages/Installed.ts"
import { startPaddle } from "./engines/Paddle.ts"
import { formatOf, isEinvoice } from "./Format.ts"
import { decodeImage, pageCountOf } from "./image/GrayImage.ts"
import { decodeHeic } from "./image/Heic.ts"
import { type Engines, readPageImage, rereadField, type Effort, type ReadPage } from "./PageImage.ts"
import { readHead } from "./PageHead.ts"
import { pageNumbers } from "./PageNumbers.ts"
import { isInvoiceName, withPdfContent } from "./PdfContent.ts"
import { type PageOf, pdfPageImages, scannedPages } from "./PdfRaster.ts"
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

/** Minimum number of letters of a text layer; a layer with fewer is a stamp on a scan, not the document or the page. */
const text_layer_letters_min = 40
/** Time after which no further page is read as an image. */
const images_duration_max_ms = 20_000
const attachments_max = 20

type Images = () => AsyncIterable<PageOf>

/** Reads pages with PaddleOCR or, when that is not installed, with Tesseract. */
export const openDocumentReader = async (
  language_folder: string,
  hasPaddle = isPaddleInstalled
): Promise<DocumentReader> => {
  const tesseract = await startTesseract(language_folder)
  const engines: Engines = { tesseract, paddle: hasPaddle ? await startPaddle() : undefined }
  return async (request) => {
    const opened = await open(request)
    return "images" in opened ? recognize(engines, opened.images(), request) : opened
  }
}

/** Reads a document without an OCR engine. Returns undefined if an engine has to read any of its pages. */
export const readText = async (request: ReadRequest): Promise<ReadDocument | undefined> => {
  const opened = await open(request)
  return "images" in opened ? undefined : opened
}

/** Reads what can be read of a document without an OCR engine. Returns undefined if only an engine can read it. */
export const readWithoutEngine = async (request: ReadRequest): Promise<ReadDocument | undefined> => {
  const opened = await open(request)
  if (!("images" in opened)) return opened
  return opened.text === undefined ? undefined : { reading: opened.text }
}

/** A document whose pages an engine has to read, with the text of those that have one. */
interface Pictures {
  readonly images: Images
  readonly text?: Reading
}

/** Reads the text of a document. If a page has none, returns the images of the pages, too. */
const open = async ({ effort, path }: ReadRequest): Promise<ReadDocument | Pictures> => {
  const bytes = await readFile(path)
  const format = formatOf(bytes)
  if (format === undefined) throw new Unreadable("unsupported_format")
  if (format === "xml") return { reading: { source: "embedded", pages: [], embedded_xml: xmlText(bytes) } }
  if (format === "p7m") return readSigned(bytes)
  if (format === "pdf") return readPdf(bytes, effort)
  return { images: () => (format === "heif" ? heicImage(bytes) : pageImages(bytes, effort.images_max)) }
}

async function* heicImage(bytes: Uint8Array): AsyncGenerator<PageOf> {
  yield { image: await decodeHeic(bytes), count: 1 }
}

async function* pageImages(bytes: Uint8Array, images_max: number): AsyncGenerator<PageOf> {
  const count = await pageCountOf(bytes)
  for (const page of pageNumbers(count, images_max)) yield { image: await decodeImage(bytes, page), count }
}

const readSigned = (bytes: Uint8Array): ReadDocument => {
  const embedded_xml = xmlText(Option.getOrElse(signedContent(bytes), () => new Uint8Array()))
  if (!isEinvoice(embedded_xml)) throw new Unreadable("unsupported_format")
  return { reading: { source: "embedded", pages: [], embedded_xml } }
}

const readPdf = async (bytes: Uint8Array, effort: Effort): ReturnType<typeof open> => {
  const images = () => pdfPageImages(bytes, effort.images_max)
  const read = await withPdfContent(
    bytes,
    async ({ attachedXml, firstPage, page_count, textPages }): ReturnType<typeof open> => {
      // The text of an e-invoice's pages is not read, so that no page can prevent that its XML is read.
      const attached_xml = await attachedXml(attachments_max)
      const attached =
        attached_xml.find(({ text }) => isEinvoice(text)) ??
        attached_xml.find(({ file_name }) => isInvoiceName(file_name))
      if (attached?.isTooLarge === true) throw new Unreadable("einvoice_too_large")
      if (attached !== undefined) {
        const page = await firstPage()
        return { reading: { source: "embedded", pages: page === undefined ? [] : [page], embedded_xml: attached.text } }
      }
      const texts = await textPages(effort.text_pages_max)
      const pages = texts.map(({ page }) => page)
      if (lettersIn(pages) < text_layer_letters_min) return { images }
      const scans = await scannedPages(
        bytes,
        texts.flatMap(({ index, isRecognized, page }) => {
          const letters = lettersIn([page])
          const isDoubtful = isRecognized || letters < text_layer_letters_min
          return isDoubtful ? [{ index, hasLetters: letters > 0 && !isRecognized }] : []
        })
      )
      const text: Reading = { source: "text_layer", pages, ...unread(page_count - pages.length + scans) }
      // Either all pages are read as images or none, because an image measures its words in other units than a text.
      return scans > 0 && page_count <= effort.images_max ? { images, text } : { reading: text }
    }
  )
  return read ?? { images }
}

const unread = (pages_unread: number): Pick<Reading, "pages_unread"> => (pages_unread > 0 ? { pages_unread } : {})

const lettersIn = (pages: ReadonlyArray<ScannedPage>): number => {
  const words = pages.flatMap(({ passes }) => passes.flatMap(({ lines }) => lines.flatMap(({ words }) => words)))
  return words.reduce((count, { text }) => count + text.replace(/[^\p{L}\p{N}]/gu, "").length, 0)
}

const recognize = async (
  engines: Engines,
  images: AsyncIterable<PageOf>,
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
  let page_count = 0
  for await (const { count, image } of images) {
    page_count = count
    read.push(await readPageImage(engines, image, effort))
    if (performance.now() - begun > images_duration_max_ms) break
  }
  const [first] = read
  const hasHead = paddle !== undefined && first !== undefined && effort.passes === 2
  return {
    reading: { source: "ocr", pages: read.map(({ page }) => page), ...unread(page_count - read.length) },
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
