import { PDFiumLibrary } from "@hyzyla/pdfium"
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
