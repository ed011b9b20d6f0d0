import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import sharp from "sharp"
import { pdfPageImages } from "../../../src/platform/ocr/PdfRaster.ts"

/** A German supermarket's receipt: 25.26 EUR on 14 March 2026. */
export const receipt_lines = [
  "SUPERMARKT MUELLER GMBH",
  "Hauptstrasse 12, 10115 Berlin",
  "USt-IdNr. DE123456789",
  "",
  "Datum 14.03.2026  17:42",
  "",
  "Bio Milch 1L          1,29 B",
  "Brot dunkel           3,49 B",
  "Kaffee 500g           7,99 B",
  "Waschmittel          12,49 A",
  "",
  "SUMME EUR            25,26",
  "",
  "Gegeben BAR          30,00",
  "Rueckgeld             4,74",
  "",
  "MwSt   Netto   Steuer  Brutto",
  "A 19%  10,50    1,99   12,49",
  "B 7%   11,93    0,84   12,77",
  "",
  "Vielen Dank fuer Ihren Einkauf"
]

/** The date of the file is fixed, so that the same lines give the same bytes. */
export const receiptPdf = (lines: ReadonlyArray<string> = receipt_lines): Uint8Array =>
  typeset(`#set page(width: 8cm, height: auto, margin: 5mm)
#set text(font: "DejaVu Sans Mono", size: 9pt)
${lines.map((line) => `#raw(${JSON.stringify(line)})`).join(" \\\n")}`)

/** A PDF with a text layer and these pages. */
export const pagesPdf = (pages: ReadonlyArray<ReadonlyArray<string>>): Uint8Array => typeset(printed(pages))

const printed = (pages: ReadonlyArray<ReadonlyArray<string>>): string =>
  `#set page(width: 12cm, height: 16cm, margin: 5mm)
#set text(font: "DejaVu Sans Mono", size: 9pt)
${pages.map((lines) => lines.map((line) => `#raw(${JSON.stringify(line)})`).join(" \\\n")).join("\n#pagebreak()\n")}`

/** A PDF of blank pages with these heights in centimetres and the same width. */
export const blankPdf = (heights: ReadonlyArray<number>): Uint8Array =>
  typeset(heights.map((height) => `#page(width: 4cm, height: ${height}cm)[]`).join("\n"))

export const picturePdf = (jpeg: Uint8Array): Uint8Array =>
  typeset(`#set page(width: 8cm, height: auto, margin: 0cm)
#image(bytes((${[...jpeg].join(",")},)), width: 100%)`)

/** A PDF with a text layer on its first pages, and a picture on its last one. */
export const scannedLastPdf = (pages: ReadonlyArray<ReadonlyArray<string>>, jpeg: Uint8Array): Uint8Array =>
  typeset(`${printed(pages)}
#pagebreak()
#image(bytes((${[...jpeg].join(",")},)), height: 100%)`)

/** Like `scannedLastPdf`, but the last page has only a logo and its number. */
export const logoLastPdf = (pages: ReadonlyArray<ReadonlyArray<string>>, jpeg: Uint8Array): Uint8Array =>
  typeset(`${printed(pages)}
#pagebreak()
#image(bytes((${[...jpeg].join(",")},)), height: 1cm)
#raw("Seite 2/2")`)

const compiler = NodeCompiler.create()
const typeset = (source: string): Uint8Array =>
  Uint8Array.from(compiler.pdf({ mainFileContent: source }, { creationTimestamp: 0 }))

export const receiptScan = (lines: ReadonlyArray<string> = receipt_lines) =>
  Effect.promise(async () => {
    for await (const { image } of pdfPageImages(receiptPdf(lines), 1)) {
      const { height, pixels, width } = image
      return sharp(pixels, { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer()
    }
    throw new Error("The receipt has no page.")
  })

/**
 * A PDF as a scanner writes it: the picture of the receipt, and the text that the scanner read, which is invisible. The
 * picture may be absent from the page.
 */
export const searchablePdf = Effect.fnUntraced(function* (recognized: ReadonlyArray<string>, hasPicture = true) {
  const scan = yield* receiptScan()
  const { data, info } = yield* Effect.promise(() => sharp(scan).jpeg().toBuffer({ resolveWithObject: true }))
  const [width, height] = [info.width / 4, info.height / 4]
  const text = recognized.map((line) => `(${line}) Tj T*`).join(" ")
  const picture = hasPicture ? `q ${width} 0 0 ${height} 0 0 cm /I Do Q` : ""
  const content = `${picture} BT 3 Tr /F 8 Tf 12 TL 10 ${height - 20} Td ${text} ET`
  const size = `/Width ${info.width}/Height ${info.height}/ColorSpace/DeviceRGB/BitsPerComponent 8`
  return Buffer.concat([
    Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R
/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Type/XObject/Subtype/Image${size}/Filter/DCTDecode/Length ${data.length}>>stream
`),
    data,
    Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
  ])
})

const table = "#5a4632"

/** The receipt as a phone photographs it: rotated, on a table, and slightly blurred. */
export const receiptPhoto = Effect.fnUntraced(function* (degrees = 3, lines = receipt_lines) {
  const scan = yield* receiptScan(lines)
  return yield* Effect.promise(async () => {
    const askew = await sharp(scan).rotate(degrees, { background: table }).toBuffer()
    const margin = { top: 220, bottom: 260, left: 300, right: 240, background: table }
    const photo = await sharp(askew).toColourspace("srgb").extend(margin).toBuffer()
    return sharp(photo).blur(1).jpeg({ quality: 85 }).toBuffer()
  })
})

/** The receipt up to its total, which is read in half the time. */
export const short_lines = receipt_lines.slice(0, 12)

/**
 * `receiptPhoto(3, short_lines)` as an upright phone stores it: a grid with one tile on its side. `heif-enc -q 25`
 * (libheif 1.15) made it from the photo rotated by 90 degrees, as PNG; `irot` was added afterwards.
 */
export const receiptHeic = readFileSync(new URL("receipt.heic", import.meta.url))
