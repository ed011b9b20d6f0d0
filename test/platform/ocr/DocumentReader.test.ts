import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import sharp from "sharp"
import type { ChildPool } from "../../../src/platform/children/ChildPool.ts"
import { languageFolder } from "../../../src/platform/ocr/engines/LanguageData.ts"
import { stripsOf } from "../../../src/platform/ocr/engines/Paddle.ts"
import type { Heads, Reading } from "../../../src/platform/ocr/engines/Reading.ts"
import { fatturaPa } from "../../einvoicing/received/Fatture.ts"
import { makeSigner } from "../../einvoicing/received/SignedFile.ts"
import { longPdf, turnedPdf } from "../../support/files/HostilePdfs.ts"
import { blankPdf, receipt_lines, receiptPdf, receiptPhoto, searchablePdf } from "../../support/files/PrintedReceipt.ts"
import { poolOf } from "../children/Children.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "reading-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** A pool of one child that reads with this engine first. */
class Reader extends Context.Service<Reader, ChildPool>()("invoicing/test/platform/ocr/DocumentReader.test/Reader") {
  static with(engine: "paddle" | "tesseract") {
    return Layer.effect(
      this,
      Effect.flatMap(Effect.flatMap(temporaryFolder, languageFolder), (folder) =>
        poolOf({
          entry: new URL("./ReadingChild.ts", import.meta.url),
          arguments: [folder, engine],
          job_duration_max: "60 seconds",
          memory_bytes_max: 800_000_000
        })
      )
    ).pipe(Layer.provide(NodeServices.layer))
  }
}

const shapesOf = ({ pages }: Reading) => pages.map(({ height, width }) => Math.round((4 * height) / width))
const tiff = (pages: number) =>
  Effect.promise(async () => {
    const blank = { width: 400, height: 300, channels: 3, background: "white" } as const
    const page = await sharp({ create: blank }).png().toBuffer()
    const fax = sharp(
      Array.from({ length: pages }, () => page),
      { join: { animated: true } }
    )
    return fax.tiff().toBuffer()
  })

const read = Effect.fnUntraced(function* (bytes: Uint8Array, wanted = "") {
  const path = join(yield* temporaryFolder, "document")
  yield* Effect.promise(() => writeFile(path, bytes))
  const answer: unknown = yield* (yield* Reader).run(`${path} ${wanted}`)
  return answer as { readonly reading: Reading; readonly again: ReadonlyArray<string>; readonly heads?: Heads }
}, Effect.scoped)

const linesText = (lines: Heads[number]) => lines.map(({ words }) => words.map(({ text }) => text).join(" "))

const textOf = ({ pages }: Reading, pass = 0) => linesText(pages[0]?.passes[pass]?.lines ?? [])

const printed = receipt_lines.filter((line) => line !== "").map((line) => line.replaceAll(/ +/g, " "))

const assertOnPage = ({ pages }: Reading) => {
  const { height = 0, passes = [], width = 0 } = pages[0] ?? {}
  for (const word of passes.flatMap(({ lines }) => lines.flatMap(({ words }) => words))) {
    assert.isTrue(0 <= word.x0 && word.x0 < word.x1 && word.x1 <= width, word.text)
    assert.isTrue(0 <= word.y0 && word.y0 < word.y1 && word.y1 <= height, word.text)
    assert.isTrue(0 <= word.confidence && word.confidence <= 1, word.text)
  }
}

const xmlIn = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><Invoice><Name>Café</Name></Invoice>`

layer(Reader.with("paddle"), { excludeTestServices: true })("a document's reading", (it) => {
  it.effect("is the content of a signed e-invoice, in BER and in base64", () =>
    Effect.gen(function* () {
      const signer = makeSigner()
      const signed = signer.p7m(fatturaPa())
      signer.close()
      for (const bytes of [signed, Buffer.from(Buffer.from(signed).toString("base64"))]) {
        assert.deepStrictEqual((yield* read(bytes)).reading, {
          source: "embedded",
          pages: [],
          embedded_xml: fatturaPa()
        })
      }
    })
  )

  it.effect("is the text of an e-invoice in the encoding that it declares", () =>
    Effect.gen(function* () {
      const files = [
        [xmlIn("UTF-8"), Buffer.from(xmlIn("UTF-8"))],
        [xmlIn("ISO-8859-1"), Buffer.from(xmlIn("ISO-8859-1"), "latin1")],
        [xmlIn("UTF-16"), Buffer.from(`\ufeff${xmlIn("UTF-16")}`, "utf16le")]
      ] as const
      for (const [embedded_xml, bytes] of files) {
        assert.deepStrictEqual((yield* read(bytes)).reading, { source: "embedded", pages: [], embedded_xml })
      }
    })
  )

  it.effect("holds the words of a photo, which a second engine reads again, the head in two ways", () =>
    Effect.gen(function* () {
      const photo = yield* receiptPhoto(2)
      const { again, heads = [], reading } = yield* read(photo, "25,26")
      assert.deepStrictEqual(
        reading.pages[0]?.passes.map(({ name }) => name),
        ["neural"]
      )
      const words = textOf(reading).flatMap((line) => line.split(" "))
      assert.includeMembers(words, ["SUMME", "EUR", "25,26", "14.03.2026"])
      assert.deepStrictEqual(again, ["25,26", "25,26"])
      assertOnPage(reading)
      assert.strictEqual(heads.length, 2)
      const [name = ""] = printed
      assert.isTrue(heads.some((lines) => linesText(lines).includes(name)))
      const topOf = (lines: Heads[number]) =>
        lines.flatMap(({ words }) => words).find(({ text }) => name.startsWith(text))?.y0 ?? Number.NaN
      const first = topOf(reading.pages[0]?.passes[0]?.lines ?? [])
      assert.isTrue(heads.some((lines) => Math.abs(topOf(lines) - first) < 10))
    })
  )

  it.effect("holds the lines of a text layer from top to bottom, words from left to right", () =>
    Effect.gen(function* () {
      const { again, reading } = yield* read(receiptPdf(), "25,26")
      assert.deepStrictEqual(textOf(reading), printed)
      assert.deepStrictEqual(again, [])
      const lines = reading.pages[0]?.passes[0]?.lines ?? []
      const tops = lines.map(({ words }) => words[0]?.y0 ?? 0)
      assert.deepStrictEqual(
        tops,
        tops.toSorted((a, b) => a - b)
      )
    })
  )

  it.effect("is that of the picture of a scan, because its invisible text is what the scanner recognized", () =>
    Effect.gen(function* () {
      const misread = receipt_lines.filter((line) => line !== "").map((line) => line.replace("25,26", "26,26"))
      const { reading } = yield* read(yield* searchablePdf(misread), "25,26")
      assert.strictEqual(reading.source, "ocr")
      const words = textOf(reading).flatMap((line) => line.split(" "))
      assert.includeMembers(words, ["SUMME", "25,26"])
      assert.notInclude(words, "26,26")
    })
  )

  it.effect("is the invisible text of a page without a picture, which no scanner has recognized", () =>
    Effect.gen(function* () {
      const { reading } = yield* read(yield* searchablePdf(printed, false))
      assert.strictEqual(reading.source, "text_layer")
      assert.deepStrictEqual(textOf(reading), printed)
    })
  )

  it.effect("is upright when the page is shown rotated", () =>
    Effect.gen(function* () {
      const { reading } = yield* read(turnedPdf(90))
      const [page] = reading.pages
      assert.strictEqual(page?.width, 842)
      assert.strictEqual(page?.height, 595)
      assert.isEmpty(textOf(reading).filter((line) => line.length < 20))
      assert.include(textOf(reading).join("\n"), "total to pay EUR 25,26")
    })
  )

  it.effect("is the text of all pages up to a limit, and says how many pages are missing", () =>
    Effect.gen(function* () {
      const read_all = (yield* read(longPdf(20))).reading
      assert.deepStrictEqual([read_all.pages.length, read_all.pages_unread], [20, undefined])
      const read_some = (yield* read(longPdf(25))).reading
      assert.deepStrictEqual([read_some.pages.length, read_some.pages_unread], [20, 5])
    })
  )

  it.effect("shows the first two pages and the last one of a scan, and says how many pages are missing", () =>
    Effect.gen(function* () {
      const scan = (yield* read(blankPdf([2, 3, 4, 5, 6]))).reading
      assert.deepStrictEqual([shapesOf(scan), scan.pages_unread], [[2, 3, 6], 2])
      const whole = (yield* read(blankPdf([2, 3, 4]))).reading
      assert.deepStrictEqual([shapesOf(whole), whole.pages_unread], [[2, 3, 4], undefined])
      const fax = (yield* read(yield* tiff(5))).reading
      assert.deepStrictEqual([fax.pages.length, fax.pages_unread], [3, 2])
      const short = (yield* read(yield* tiff(2))).reading
      assert.deepStrictEqual([short.pages.length, short.pages_unread], [2, undefined])
    })
  )
})

layer(Reader.with("tesseract"), { excludeTestServices: true })(
  "a document's reading without the first engine",
  (it) => {
    it.effect("holds two passes of the second engine", () =>
      Effect.gen(function* () {
        const photo = yield* receiptPhoto(2)
        const { again, reading } = yield* read(photo, "25,26")
        assert.deepStrictEqual(
          reading.pages[0]?.passes.map(({ name }) => name),
          ["flattened", "threshold"]
        )
        for (const line of printed) assert.include(textOf(reading), line)
        assert.includeMembers([...textOf(reading, 1)], ["SUMME EUR", "25,26"])
        assert.deepStrictEqual(again, ["25,26", "25,26"])
        assertOnPage(reading)
      })
    )
  }
)

describe("the strips in which lines are searched", () => {
  it.each([
    [640, 960],
    [1056, 1472],
    [1056, 1504],
    [320, 8000],
    [4000, 640]
  ])("take each row once (%i x %i)", (width, height) => {
    const strips = stripsOf(width, height)
    const taken = strips.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, row) => from + row))
    assert.deepStrictEqual(taken, [...Array(height).keys()])
    for (const { from, rows, to, top } of strips) {
      assert.strictEqual(rows % 32, 0)
      assert.isTrue(top >= 0 && top + rows <= height && from >= top && to <= top + rows)
      assert.isTrue(top === 0 || from >= top + 64, "rows at the edge of a strip come from its neighbour")
    }
  })
})
