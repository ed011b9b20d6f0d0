import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { Slot } from "../Values.ts"

const file_bytes_max = 10 * 1024 * 1024

const latin1 = (text: string) => Buffer.from(text, "latin1")
const pdf = latin1("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64"
)

type NamedFile = readonly [name: string, bytes: () => Buffer]

/** File names, each with a function that returns the content. Some contents are damaged, or do not fit the name. */
const files: ReadonlyArray<NamedFile> = [
  ["receipt.pdf", () => pdf],
  ["receipt.pdf", () => pdf],
  ["a.png", () => png],
  ["a.csv", () => latin1("a,b\n1,2\n")],
  ["a.txt", () => latin1("caf\xe9")],
  ["a.pdf", () => Buffer.alloc(0)],
  ["a.pdf", () => latin1("\0")],
  ["a.pdf", () => png],
  ["a.png", () => pdf],
  ["a.pdf", () => pdf.subarray(0, 30)],
  ["a.png", () => png.subarray(0, 40)],
  ["a.png", () => latin1("\x89PNG\r\n\x1a\n")],
  ["a.jpg", () => latin1("\xff\xd8\xff\xe0")],
  ["a.jpg", () => Buffer.alloc(70_000, 0xff)],
  ["a.gif", () => latin1("GIF89a\x01\0\x01\0/*\0\0\0*/=1;alert(1)//")],
  ["a.pdf", () => Buffer.concat([png, pdf])],
  ["a.pdf", () => Buffer.concat([pdf, latin1("PK\x03\x04")])],
  ["a.docx", () => latin1("PK\x03\x04")],
  ["a.docx", () => latin1(`PK\x05\x06${"\0".repeat(18)}`)],
  ["a.docx", () => latin1(`PK\x05\x06${"\xff".repeat(18)}`)],
  ["a.doc", () => Buffer.from("d0cf11e0a1b11ae1", "hex")],
  ["a.rtf", () => latin1(`{\\rtf1${"{".repeat(9_000)}`)],
  ["a.tif", () => latin1("II*\0\xff\xff\xff\xff")],
  ["a.heic", () => latin1("\0\0\0\x18ftypheic\0\0\0\0")],
  ["a.webp", () => latin1("RIFF\xff\xff\xff\xffWEBPVP8X")],
  ["a.svg", () => latin1("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")],
  ["a.html", () => latin1("<script>alert(1)</script>")],
  ["a.txt", () => Buffer.alloc(300_000, 0x25)],
  ["a.pdf.exe", () => latin1("MZ\x90\0")]
]

const names: ReadonlyArray<string> = [
  "../../etc/passwd",
  "a\u0000.pdf",
  "CON",
  "..",
  "",
  " ",
  "😀.pdf",
  `${"a".repeat(300)}.pdf`,
  "\u202Efdp.exe",
  'a";x="b.pdf',
  "%0d%0aX-Injected: yes.pdf",
  "a%22.pdf",
  "C:\\a.pdf",
  ".pdf",
  "pdf"
]

const heads: ReadonlyArray<string> = [
  "",
  "\r\n",
  "Content-Disposition: form-data\r\n",
  "Content-Disposition: form-data; name\r\n",
  'Content-Disposition: form-data; name="file"',
  'Content-Disposition: form-data; name="file\r\n',
  "Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''%ff%00.pdf\r\n",
  "Content-Disposition: form-data; name=file; filename=a.pdf\r\n",
  'Content-Disposition: attachment; filename="a.pdf"\r\n',
  'Content-Disposition: form-data; name="__proto__"\r\n',
  'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"\r\n',
  'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: multipart/mixed; boundary=y\r\n',
  'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n',
  'Content-Disposition: form-data; name="description"\r\nContent-Type: text/plain; charset=utf-16\r\n',
  'Content-Disposition: form-data; name="description"\r\nContent-Type: text/plain; charset=nonsense\r\n',
  "Content-Disposition form-data\r\n",
  ": a\r\n",
  " folded\r\n",
  `X: ${"x".repeat(20_000)}\r\n`,
  "X: y\r\n".repeat(150),
  `Content-Disposition: form-data; name="${"n".repeat(5_000)}"\r\n`,
  "\0: \0\r\n"
]

interface Part {
  /** Headers of a part with their last line break. An empty line follows them, unless `endless` is set. */
  readonly head: string
  readonly endless: boolean
  readonly content: string | Slot | (() => Buffer)
}

const damages = [
  "none",
  "cut",
  "no end",
  "other boundary",
  "bare line feeds",
  "twice",
  "preamble",
  "more behind"
] as const

export interface Form {
  readonly parts: ReadonlyArray<Part>
  readonly damage: (typeof damages)[number]
  /** Place where the form is cut off, or split into two pieces, in thousandths of its length. */
  readonly at: number
  readonly pieces: boolean
}

const boundary = "----fuzz"
export const formType = `multipart/form-data; boundary=${boundary}`

const headOf = (name: string, file?: string) =>
  `Content-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file}"`}\r\n`

const whole = (head: string, content: Part["content"]): Part => ({ head, endless: false, content })

const file = (name: string, wanted: Arbitrary<NamedFile>): Arbitrary<Part> =>
  fc.oneof(
    { weight: 40, arbitrary: wanted.map(([file, bytes]) => whole(headOf(name, file), bytes)) },
    { weight: 10, arbitrary: fc.constantFrom(...names).map((file) => whole(headOf(name, file), () => pdf)) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 1_000_000).map((more) => whole(headOf(name, "a.pdf"), large(more))) }
  )

/** A file of the maximum size, or larger. */
const large = (more: number) => () => Buffer.concat([pdf, Buffer.alloc(file_bytes_max - pdf.length + more, 0x20)])

const text = (name: string, content: Arbitrary<string | Slot>) => content.map((sent) => whole(headOf(name), sent))

const odd: Arbitrary<Part> = fc.record({
  head: fc.constantFrom(...heads),
  endless: fc.boolean(),
  content: fc.constantFrom<Part["content"]>("", "x", () => pdf, "x".repeat(70_000), "\0")
})

/** A form with a valid file, its fields and sometimes other parts. `damage` is what is wrong with the whole form. */
export const forms = (
  fileFields: ReadonlyArray<string>,
  texts: Readonly<Record<string, Arbitrary<string | Slot>>>,
  wanted: Arbitrary<NamedFile> = fc.constantFrom(...files)
) => {
  const good = fc
    .tuple(
      fc.constantFrom(...fileFields).chain((name) => file(name, wanted)),
      ...Object.entries(texts).map(([name, content]) => fc.option(text(name, content)))
    )
    .map((parts) => parts.filter((part) => part !== null))
  const parts = fc.oneof(
    { weight: 12, arbitrary: good },
    { weight: 6, arbitrary: fc.tuple(good, fc.array(odd, { maxLength: 2 })).map(([all, more]) => [...more, ...all]) },
    { weight: 2, arbitrary: fc.array(odd, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.tuple(good, good).map(([one, other]) => [...one, ...other]) },
    { weight: 1, arbitrary: fc.integer({ min: 19, max: 400 }).map((count) => many(count)) }
  )
  return fc.record<Form>({
    parts,
    damage: fc.oneof({ weight: 9, arbitrary: fc.constant("none" as const) }, fc.constantFrom(...damages)),
    at: fc.nat(1_000),
    pieces: fc.integer({ min: 0, max: 9 }).map((one) => one === 0)
  })
}

const many = (count: number) => Array.from({ length: count }, (_, index) => whole(headOf(`field${index}`), "x"))

export const bytesOf = ({ at, damage, parts, pieces }: Form, fill: (slot: Slot) => unknown): ReadonlyArray<Buffer> => {
  const end = `--${damage === "other boundary" ? "other" : boundary}`
  const sent = parts.map(({ content, endless, head }) => {
    const bytes =
      typeof content === "function" ? content() : Buffer.from(String(content instanceof Slot ? fill(content) : content))
    return Buffer.concat([Buffer.from(`--${boundary}\r\n${head}${endless ? "" : "\r\n"}`), bytes, latin1("\r\n")])
  })
  const closed = damage === "no end" ? sent : [...sent, latin1(`${end}--\r\n`)]
  const all = Buffer.concat([
    ...(damage === "preamble" ? [latin1("This is a form.\r\n")] : []),
    ...closed,
    ...(damage === "twice" ? closed : []),
    ...(damage === "more behind" ? [latin1("--\r\n\r\n"), pdf] : [])
  ])
  const formed = damage === "bare line feeds" ? latin1(all.toString("latin1").replaceAll("\r\n", "\n")) : all
  const place = Math.floor((formed.length * at) / 1_000)
  if (damage === "cut") return [formed.subarray(0, place)]
  return pieces ? [formed.subarray(0, place), formed.subarray(place)] : [formed]
}
