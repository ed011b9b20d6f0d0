import { getDocumentProxy } from "unpdf"
import { xmlText } from "../documents/XmlBytes.ts"
import type { Line, ScannedPage, Word } from "./engines/Reading.ts"
import { Unreadable } from "./image/Unreadable.ts"

interface AttachedXml {
  readonly file_name: string
  readonly text: string
}

/** Content of a PDF that can be read without rendering it. */
interface PdfContent {
  readonly attached_xml: ReadonlyArray<AttachedXml>
  /** Words of the first pages with their boxes, in points. */
  readonly pages: ReadonlyArray<ScannedPage>
}

interface Limits {
  readonly pages_max: number
  readonly attachments_max: number
}

const attached_xml_bytes_max = 2_000_000
const words_per_page_max = 20_000

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** Returns nothing for a damaged file, which may still be renderable. Rejects if the file needs a password. */
export const pdfContent = async (bytes: Uint8Array, limits: Limits): Promise<PdfContent> => {
  const pdf = await open(bytes)
  if (pdf === undefined) return { attached_xml: [], pages: [] }
  const pages: Array<ScannedPage> = []
  for (let number = 1; number <= Math.min(pdf.numPages, limits.pages_max); number++) {
    const page = await words(pdf, number).catch(() => undefined)
    if (page !== undefined) pages.push(page)
  }
  const attached_xml = await attachedXml(pdf, limits.attachments_max).catch(() => [])
  await pdf.loadingTask.destroy()
  return { attached_xml, pages }
}

/** The library takes ownership of the bytes, so it gets a copy. */
const open = (bytes: Uint8Array): Promise<Pdf | undefined> =>
  getDocumentProxy(Uint8Array.from(bytes), {
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0
  }).catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === "PasswordException") throw new Unreadable("password_protected", cause)
    return undefined
  })

const attachedXml = async (pdf: Pdf, attachments_max: number): Promise<ReadonlyArray<AttachedXml>> => {
  const attachments = await pdf.getAttachments()
  const found: Array<AttachedXml> = []
  for (const [id, { filename }] of [...(attachments ?? [])].slice(0, attachments_max)) {
    const content: unknown = await pdf.getAttachmentContent(id).catch(() => undefined)
    if (!(content instanceof Uint8Array) || content.length > attached_xml_bytes_max) continue
    const text = xmlText(content)
    if (text.trimStart().startsWith("<")) found.push({ file_name: filename, text })
  }
  return found
}

const words = async (pdf: Pdf, number: number): Promise<ScannedPage> => {
  const page = await pdf.getPage(number)
  const { height, transform, width } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const found = items.flatMap((item) => ("str" in item ? wordsOf(item, transform) : []))
  page.cleanup()
  return { width, height, passes: [{ name: "text_layer", lines: inLines(found.slice(0, words_per_page_max)) }] }
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
