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

/** Counts those of the pages that show a picture, e.g. a scan. All of them count if the document is damaged. */
export const picturedPages = async (bytes: Uint8Array, indices: ReadonlyArray<number>): Promise<number> => {
  if (indices.length === 0) return 0
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    const pictured = indices.filter((index) => hasPicture(document.getPage(index)))
    document.destroy()
    return pictured.length
  } catch {
    return indices.length
  } finally {
    library.destroy()
  }
}

/** A form is a group of drawings, in which some scanners wrap the image of a page. */
const hasPicture = (page: PDFiumPage): boolean => {
  for (const { type } of page.objects()) {
    if (type === "image" || type === "form") return true
  }
  return false
}
