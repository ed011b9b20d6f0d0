import { PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium"
import type { GrayImage } from "./image/GrayImage.ts"
import { Unreadable } from "./image/Unreadable.ts"
import { pageNumbers } from "./PageNumbers.ts"

const points_per_inch = 72
const dpi_max = 300
const page_pixels_max = 12_000_000

/** An image of a page, and the number of pages of its document. */
export interface PageOf {
  readonly image: GrayImage
  readonly count: number
}

/** Renders the chosen pages, one at a time, without running scripts or forms of the document. */
export async function* pdfPageImages(bytes: Uint8Array, pages_max: number): AsyncGenerator<PageOf> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes).catch((cause: unknown) => {
      throw new Unreadable(/password/i.test(String(cause)) ? "password_protected" : "corrupt_file", cause)
    })
    const count = document.getPageCount()
    if (count === 0) throw new Unreadable("no_pages")
    for (const index of pageNumbers(count, pages_max)) {
      const page = document.getPage(index)
      const { originalHeight, originalWidth } = page.getOriginalSize()
      const scale = Math.min(
        dpi_max / points_per_inch,
        Math.sqrt(page_pixels_max / Math.max(1, originalWidth * originalHeight))
      )
      const { data, height, width } = await page.render({ scale, render: "bitmap", colorSpace: "Gray" })
      yield { image: { width, height, pixels: Uint8Array.from(data.subarray(0, width * height)) }, count }
    }
    document.destroy()
  } finally {
    library.destroy()
  }
}

interface DoubtfulPage {
  /** Place of the page in the document, counted from 0. */
  readonly index: number
  /** False if the page has no text, or if most of its text is invisible. */
  readonly hasLetters: boolean
}

/** Counts the scans among pages with hardly any visible text. All of them count if the document is damaged. */
export const scannedPages = async (bytes: Uint8Array, pages: ReadonlyArray<DoubtfulPage>): Promise<number> => {
  if (pages.length === 0) return 0
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    let scans = 0
    for (const { hasLetters, index } of pages) {
      const page = document.getPage(index)
      // A page with a number and a logo is no scan: little of it is printed.
      if (hasPicture(page) && (!hasLetters || (await printedShare(page)) >= scan_printed_min)) scans++
    }
    document.destroy()
    return scans
  } catch {
    return pages.length
  } finally {
    library.destroy()
  }
}

/** Minimum share of the height of a scan that has print. A logo and a page number take up about a tenth. */
const scan_printed_min = 0.15
const outline_pixels = 400
/** Pixels below this brightness are print. */
const paper_min = 160

/** Share of a page's height in which something is printed. */
const printedShare = async (page: PDFiumPage): Promise<number> => {
  const { originalHeight, originalWidth } = page.getOriginalSize()
  const scale = outline_pixels / Math.max(1, originalWidth, originalHeight)
  const { data, height, width } = await page.render({ scale, render: "bitmap", colorSpace: "Gray" })
  let printed = 0
  for (let row = 0; row < height; row++) {
    if (data.subarray(row * width, (row + 1) * width).some((brightness) => brightness < paper_min)) printed++
  }
  return printed / Math.max(1, height)
}

/** A form is a group of drawings, in which some scanners wrap the image of a page. */
const hasPicture = (page: PDFiumPage): boolean => {
  for (const { type } of page.objects()) {
    if (type === "image" || type === "form") return true
  }
  return false
}
