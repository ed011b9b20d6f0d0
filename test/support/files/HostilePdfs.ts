import { deflateSync } from "node:zlib"

/** A PDF object: its text, or a stream with the other entries of its dictionary. */
type PdfObject = string | { readonly entries: string; readonly content: Uint8Array | string }

/** Builds a PDF of these objects, numbered from 1, with the catalog first. */
const pdfOf = (objects: ReadonlyArray<PdfObject>, trailer = ""): Buffer => {
  const parts: Array<Buffer> = [Buffer.from("%PDF-1.7\n")]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const offset = length
    const body = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), bodyOf(object), Buffer.from("\nendobj\n")])
    parts.push(body)
    length += body.length
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`
  parts.push(Buffer.from(`${table}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF\n`))
  return Buffer.concat(parts)
}

const bodyOf = (object: PdfObject): Buffer => {
  if (typeof object === "string") return Buffer.from(object)
  const content = Buffer.from(object.content)
  const head = `<<${object.entries}/Length ${content.length}>>\nstream\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\nendstream")])
}

const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
const text = (content: string) => `BT /F1 12 Tf 20 700 Td 14 TL (${content}) ' ET`
const catalog = "<</Type/Catalog/Pages 2 0 R>>"
const one_page = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
const page = (more = "", resources = "/Font<</F1 5 0 R>>") =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<${resources}>>${more}>>`
const flate = (content: Uint8Array | string): PdfObject => ({
  entries: "/Filter/FlateDecode",
  content: deflateSync(content, { level: 1 })
})
const onePage = (content: PdfObject, more: ReadonlyArray<PdfObject> = [], root = catalog, resources?: string) =>
  pdfOf([root, one_page, page("", resources), content, font, ...more])

const invoice = "Invoice 17 of Muster GmbH, 14.03.2026, total to pay EUR 25,26, thank you very much"
const written: PdfObject = { entries: "", content: text(invoice) }

const megabytes = (count: number, byte = 0x20) => Buffer.alloc(count * 1_000_000, byte)

/** A PDF whose font says that the sign "~" is U+0000, which PostgreSQL cannot store. */
export const nulPdf = (lines: ReadonlyArray<string>) => {
  const mapped =
    "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7D> <0020> endbfrange " +
    "1 beginbfchar <7E> <0000> endbfchar endcmap"
  const content = `BT /F1 12 Tf 20 700 Td 14 TL ${lines.map((line) => `(${line}) '`).join(" ")} ET`
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
  return pdfOf([catalog, one_page, page(), { entries: "", content }, font, { entries: "", content: mapped }])
}

/** A PDF that runs an endless script when it is opened. */
export const scriptPdf = () =>
  onePage(
    written,
    ["<</S/JavaScript/JS(while\\(true\\){})>>"],
    "<</Type/Catalog/Pages 2 0 R/OpenAction 6 0 R/AA<</WC 6 0 R>>>>"
  )

/** A PDF whose key cannot be derived from an empty password. */
export const encryptedPdf = () =>
  pdfOf(
    [
      catalog,
      one_page,
      page(),
      written,
      font,
      `<</Filter/Standard/V 2/R 3/Length 128/P -4/O<${"5a".repeat(32)}>/U<${"c3".repeat(32)}>>>`
    ],
    `/Encrypt 6 0 R/ID[<${"01".repeat(16)}><${"01".repeat(16)}>]`
  )

export const longPdf = (pages: number) =>
  pdfOf([
    catalog,
    `<</Type/Pages/Kids[${Array.from({ length: pages }, (_, at) => `${at + 5} 0 R`).join(" ")}]/Count ${pages}>>`,
    { entries: "", content: text(invoice) },
    font,
    ...Array.from(
      { length: pages },
      () => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>"
    )
  ])

/** A page that is a million points wide and high: trillions of pixels at the resolution of a scan. */
export const hugePagePdf = () =>
  pdfOf([
    catalog,
    one_page,
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000000 1000000]/Contents 4 0 R/Resources<<>>>>",
    { entries: "", content: "0 0 m 100 100 l S" }
  ])

/** A page of millions of drawing operators that show nothing. */
export const pathBombPdf = () => onePage(flate(Buffer.from("1 1 m 590 840 l S\n".repeat(3_000_000))))

/** A small PDF whose content decompresses to much data. */
export const flateBombPdf = () => onePage(flate(megabytes(256)))
export const doubleFlateBombPdf = () =>
  onePage({
    entries: "/Filter[/FlateDecode/FlateDecode]",
    content: deflateSync(deflateSync(megabytes(1000), { level: 1 }), { level: 9 })
  })

export const pageLoopPdf = () => pdfOf([catalog, "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2147483647>>"])
export const noPagesPdf = () => pdfOf([catalog, "<</Type/Pages/Kids[]/Count 0>>"])
export const tableLoopPdf = () => onePage(written).toString("latin1").replace("trailer\n<<", "trailer\n<</Prev 15")
export const nestedPdf = () => pdfOf([catalog, `${"[".repeat(200_000)}${"]".repeat(200_000)}`, one_page])
export const formLoopPdf = () =>
  onePage(
    { entries: "", content: "/X Do" },
    [{ entries: "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>", content: "/X Do /X Do" }],
    catalog,
    "/XObject<</X 6 0 R>>"
  )
export const hugeImagePdf = () =>
  onePage(
    { entries: "", content: "500 0 0 500 0 0 cm /X Do" },
    [
      {
        entries:
          "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB" +
          "/Filter/FlateDecode",
        content: deflateSync(megabytes(20, 0xff), { level: 9 })
      }
    ],
    catalog,
    "/XObject<</X 6 0 R>>"
  )

export const attachmentPdf = (name: string, content: Uint8Array | string) => attachmentsPdf([[name, content]])

type Attachment = readonly [name: string, content: Uint8Array | string]

export const attachmentsPdf = (attachments: ReadonlyArray<Attachment>, page: PdfObject = written) =>
  onePage(
    page,
    attachments.flatMap(([name, content], at) => [
      `<</Type/Filespec/F(${name})/UF(${name})/EF<</F ${7 + 2 * at} 0 R>>>>`,
      { entries: "/Type/EmbeddedFile/Filter/FlateDecode", content: deflateSync(content, { level: 9 }) }
    ]),
    `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[${attachments
      .map(([name], at) => `(${name}) ${6 + 2 * at} 0 R`)
      .join(" ")}]>>>>>>`
  )

/** A PDF whose page takes more memory than a reading may, with an attached file. */
export const attachmentOfBombPdf = (name: string, content: string) =>
  attachmentsPdf([[name, content]], {
    entries: "/Filter[/FlateDecode/FlateDecode]",
    content: deflateSync(deflateSync(megabytes(1000), { level: 1 }), { level: 1 })
  })

export const attachmentBombPdf = () => attachmentPdf("factur-x.xml", megabytes(200))

/** A PDF with an XML file of ten entities. Each entity contains the one before ten times. */
export const entityBombPdf = () => {
  const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join("")
  const type = `<!DOCTYPE Invoice [<!ENTITY e0 "ha"><!ENTITY x SYSTEM "file:///etc/passwd">${entities}]>`
  return attachmentPdf("factur-x.xml", `<?xml version="1.0"?>${type}<Invoice><ID>&x;&e9;</ID></Invoice>`)
}

/** A page whose text runs upwards, and which is shown rotated clockwise so that it can be read. */
export const turnedPdf = (degrees: number) =>
  pdfOf([
    catalog,
    one_page,
    page(`/Rotate ${degrees}`),
    { entries: "", content: `BT /F1 12 Tf 0 1 -1 0 200 20 Tm (${invoice}) Tj ET` },
    font
  ])
