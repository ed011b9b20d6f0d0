import { Effect } from "effect"
import { extractText, getDocumentProxy } from "unpdf"

/** Returns the text that a reader can select and copy, page by page. */
export const pdfPages = (pdf: Uint8Array) =>
  Effect.promise(async () => {
    const document = await getDocumentProxy(Uint8Array.from(pdf))
    const { text } = await extractText(document, { mergePages: false })
    return text
  })

export const pdfText = (pdf: Uint8Array) => Effect.map(pdfPages(pdf), (pages) => pages.join("\n"))

/** Returns the runs of text on the first page, each with its right edge and its width in points. */
export const pdfWords = (pdf: Uint8Array) =>
  Effect.promise(async () => {
    const document = await getDocumentProxy(Uint8Array.from(pdf))
    const { items } = await (await document.getPage(1)).getTextContent()
    return items.flatMap((item) =>
      "str" in item && item.str.trim() !== ""
        ? [{ text: item.str, right: item.transform[4] + item.width, width: item.width }]
        : []
    )
  })
