import { getDocumentProxy, getResolvedPDFJS } from "unpdf"
import { xmlText } from "../documents/XmlBytes.ts"
import type { Line, ScannedPage, Word } from "./engines/Reading.ts"
import { Unreadable } from "./image/Unreadable.ts"
import { pageNumbers } from "./PageNumbers.ts"

interface AttachedXml {
  readonly file_name: string
  /** The whole file, or its beginning if it is too large. */
  readonly text: string
  readonly isTooLarge: boolean
}

interface TextPage {
  /** Place of the page in the document, counted from 0. */
  readonly index: number
  readonly page: ScannedPage
  /** True if most of the text is invisible: if the page shows a picture, a scanner has recognized the text in it. */
  readonly isRecognized: boolean
}

/** A PDF whose content can be read without rendering it. */
interface PdfContent {
  readonly attachedXml: (attachments_max: number) => Promise<ReadonlyArray<AttachedXml>>
  /** Returns the words of the chosen pages with their boxes, in points; a damaged page is left out. */
  readonly textPages: (pages_max: number) => Promise<ReadonlyArray<TextPage>>
  /** Returns the size of the first page; undefined if it is damaged. */
  readonly firstPage: () => Promise<ScannedPage | undefined>
  readonly page_count: number
}

const attached_xml_bytes_max = 2_000_000
/** An XML file above the limit is read up to its root element, which says whether it is an invoice. */
const attached_head_bytes = 65_536
const words_per_page_max = 20_000

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** Returns undefined for a damaged file, which may still be renderable. Rejects if the file needs a password. */
export const withPdfContent = async <A>(
  bytes: Uint8Array,
  read: (content: PdfContent) => Promise<A>
): Promise<A | undefined> => {
  const pdf = await open(bytes)
  if (pdf === undefined) return undefined
  try {
    return await read({
      attachedXml: (attachments_max) => attachedXml(pdf, attachments_max).catch(() => []),
      textPages: (pages_max) => textPages(pdf, pages_max),
      firstPage: () => blank(pdf).catch(() => undefined),
      page_count: pdf.numPages
    })
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** The library takes ownership of the bytes, so it gets a copy. */
const open = (bytes: Uint8Array): Promise<Pdf | undefined> =>
  getDocumentProxy(Uint8Array.from(bytes), {
    enableXfa: false,
    // Pictures are not needed here, and decoding them would take seconds.
    maxImageSize: 0,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0
  }).catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === "PasswordException") throw new Unreadable("password_protected", cause)
    return undefined
  })

/** File names that Factur-X, ZUGFeRD and XRechnung prescribe. Such a file is an invoice even if it is damaged. */
export const isInvoiceName = (file_name: string): boolean =>
  /^(?:factur-x|zugferd-invoice|xrechnung)\.xml$/i.test(file_name)

/** The likeliest invoices come first, so that other attachments do not use up the limit. */
const rankOf = (file_name: string): number => (isInvoiceName(file_name) ? 0 : /\.xml$/i.test(file_name) ? 1 : 2)

const attachedXml = async (pdf: Pdf, attachments_max: number): Promise<ReadonlyArray<AttachedXml>> => {
  const attachments = [...((await pdf.getAttachments()) ?? [])]
    .map(([id, { filename }]) => ({ id, file_name: filename }))
    .toSorted((a, b) => rankOf(a.file_name) - rankOf(b.file_name))
  const found: Array<AttachedXml> = []
  for (const { file_name, id } of attachments.slice(0, attachments_max)) {
    const content: unknown = await pdf.getAttachmentContent(id).catch(() => undefined)
    if (!(content instanceof Uint8Array)) continue
    const isTooLarge = content.length > attached_xml_bytes_max
    const text = xmlText(isTooLarge ? content.subarray(0, attached_head_bytes) : content)
    if (text.trimStart().startsWith("<")) found.push({ file_name, text, isTooLarge })
  }
  return found
}

const textPages = async (pdf: Pdf, pages_max: number): Promise<ReadonlyArray<TextPage>> => {
  const pages: Array<TextPage> = []
  for (const index of pageNumbers(pdf.numPages, pages_max)) {
    const page = await textPage(pdf, index).catch(() => undefined)
    if (page !== undefined) pages.push(page)
  }
  return pages
}

const blank = async (pdf: Pdf): Promise<ScannedPage> => {
  const { height, width } = (await pdf.getPage(1)).getViewport({ scale: 1 })
  return { width, height, passes: [] }
}

const textPage = async (pdf: Pdf, index: number): Promise<TextPage> => {
  const page = await pdf.getPage(index + 1)
  const { height, transform, width } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const found = items.flatMap((item) => ("str" in item ? wordsOf(item, transform) : []))
  const isRecognized = await isMostlyInvisible(page).catch(() => false)
  page.cleanup()
  const lines = inLines(found.slice(0, words_per_page_max))
  return { index, page: { width, height, passes: [{ name: "text_layer", lines }] }, isRecognized }
}

/** The text rendering mode (ISO 32000, 9.3.6) in which glyphs are neither filled nor stroked. */
const invisible = 3

/** Counts the glyphs of each text operator under the rendering mode that the operators before it have set. */
const isMostlyInvisible = async (page: Awaited<ReturnType<Pdf["getPage"]>>): Promise<boolean> => {
  const { OPS } = await getResolvedPDFJS()
  const { argsArray, fnArray } = await page.getOperatorList()
  const saved: Array<unknown> = []
  let mode: unknown = 0
  let balance = 0
  for (const [at, operator] of fnArray.entries()) {
    const operands: unknown = argsArray[at]
    const first: unknown = Array.isArray(operands) ? operands[0] : undefined
    if (operator === OPS.setTextRenderingMode) mode = first
    else if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(mode)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) mode = saved.pop() ?? mode
    else if (operator === OPS.showText && Array.isArray(first))
      balance += mode === invisible ? first.length : -first.length
  }
  return balance > 0
}

interface TextItem {
  readonly str: string
  readonly transform: ReadonlyArray<number>
  readonly width: number
  readonly height: number
}

/** A text item has only one box, so its width is divided among its words in proportion to their letters. */
const wordsOf = (item: TextItem, view: ReadonlyArray<number>): ReadonlyArray<Word> => {
  const [x, y, along, across] = placed(item.transform, view)
  const height = item.height || Math.abs(across)
  // Vertical text is ignored, because it is usually a remark in the margin.
  if (height === 0 || Math.abs(across) > Math.abs(along)) return []
  const text = printable(item.str)
  const letter = item.width / Math.max(1, text.length)
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    x0: x + match.index * letter,
    y0: y - height,
    x1: x + (match.index + match[0].length) * letter,
    y1: y,
    confidence: 1
  }))
}

/** A font may map a sign to a control character, such as U+0000, which PostgreSQL cannot store. */
const printable = (text: string): string => text.toWellFormed().replaceAll(/[^\P{Cc}\s]/gu, "")

/** Returns the position and direction of a text item on the page as shown: rotated, with y pointing down. */
const placed = (matrix: ReadonlyArray<number>, view: ReadonlyArray<number>) => {
  const [a = 1, b = 0, , , e = 0, f = 0] = matrix
  const [va = 1, vb = 0, vc = 0, vd = -1, ve = 0, vf = 0] = view
  return [va * e + vc * f + ve, vb * e + vd * f + vf, va * a + vc * b, vb * a + vd * b] as const
}

const shared_height_min = 0.5

/** Words whose heights overlap belong to one line, ordered from left to right. */
const inLines = (words: ReadonlyArray<Word>): ReadonlyArray<Line> => {
  const lines: Array<{ readonly y0: number; readonly y1: number; readonly words: Array<Word> }> = []
  for (const word of words.toSorted((a, b) => a.y1 - b.y1)) {
    const line = lines.findLast(
      ({ y0, y1 }) =>
        Math.min(y1, word.y1) - Math.max(y0, word.y0) > shared_height_min * Math.min(y1 - y0, word.y1 - word.y0)
    )
    if (line === undefined) lines.push({ y0: word.y0, y1: word.y1, words: [word] })
    else line.words.push(word)
  }
  return lines.map(({ words }) => ({ words: words.toSorted((a, b) => a.x0 - b.x0) }))
}
