import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Zip } from "effect/encoding"
import * as fc from "fast-check"
import { readStatement } from "../../../src/banking/statements/StatementReader.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { camt, entry, tag } from "./Camt.ts"
import { codaStatement } from "./Coda.ts"

const currency = Schema.decodeSync(CurrencyCode)("EUR")
const options = { currency, iban: null, format: undefined, mapping: undefined }
const read = (text: string | Uint8Array) => readStatement([Buffer.from(text)], options)

const long = (text: string, shift = "") =>
  camt(Array.from({ length: 300 }, () => entry("1.00", "CRDT", tag("AddtlNtryInf", text)))).replace("?>", `?>${shift}`)

const zip = (files: Readonly<Record<string, string>>) =>
  Stream.fromIterable(Object.entries(files)).pipe(
    Stream.map(([path, content]) =>
      Zip.fileStream(path, Stream.make(new TextEncoder().encode(content)), { mtime: new Date(0) })
    ),
    Stream.pipeThroughChannel(Zip.encode()),
    Stream.runCollect,
    Effect.map((chunks) => Buffer.concat(chunks))
  )

describe("readStatement", () => {
  it.effect("refuses a file with too many statements", () =>
    Effect.gen(function* () {
      const one = codaStatement([])
      const refused = yield* read(Array.from({ length: 1_001 }, () => one).join("\n")).pipe(Effect.flip)
      assert.match(refused.message, /more than 1000 statements/)
      assert.strictEqual((yield* read(Array.from({ length: 1_000 }, () => one).join("\n"))).statements.length, 1_000)
    })
  )

  it.effect("recognizes the formats by the file's content", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read(`\ufeff${camt([entry("1.00", "CRDT")])}`)).format, "camt053")
      assert.strictEqual((yield* read(codaStatement([{ amount: 1 }]))).format, "coda")
      assert.strictEqual((yield* read("Date;Amount\n2026-01-05;1,50")).format, "csv")
      assert.match((yield* Effect.flip(read("OFXHEADER:100\n<OFX></OFX>"))).message, /no bank or credit card statement/)
      assert.match((yield* Effect.flip(read("!Type:Bank\nD1/2/26\nT1.00\n^"))).message, /QIF/)
      assert.match((yield* Effect.flip(read(" \n"))).message, /empty/)
      assert.match((yield* Effect.flip(read("<html></html>"))).message, /cannot be read/)
    })
  )

  it.effect("names a spreadsheet and a PDF, and what to send instead", () =>
    Effect.gen(function* () {
      const office = yield* zip({ "_rels/.rels": "<x/>", "[Content_Types].xml": "<Types/>" })
      for (const bytes of [office, Buffer.from("d0cf11e0a1b11ae100", "hex")]) {
        assert.match((yield* Effect.flip(read(bytes))).message, /it is a spreadsheet; export CAMT\.053/)
      }
      assert.match((yield* Effect.flip(read("%PDF-1.7\n"))).message, /it is a PDF; export CAMT\.053/)
    })
  )

  it.effect("reads long XML in any encoding alike, also where characters of several bytes are divided", () =>
    Effect.gen(function* () {
      const textsOf = Effect.fnUntraced(function* (bytes: Uint8Array) {
        const { statements } = yield* read(bytes)
        return [...new Set(statements.flatMap(({ lines }) => [...lines].map(({ remittance_text }) => remittance_text)))]
      })
      const [wide, latin] = ["é€😀".repeat(200), "é".repeat(600)]
      for (const shift of ["", " ", "  ", "   "]) {
        const texts = [long(wide, shift), `\ufeff${long(wide, shift)}`]
        for (const text of texts) assert.deepStrictEqual(yield* textsOf(Buffer.from(text)), [wide])
        assert.deepStrictEqual(yield* textsOf(Buffer.from(texts[1] ?? "", "utf16le")), [wide])
      }
      assert.deepStrictEqual(yield* textsOf(Buffer.from(long(latin), "latin1")), [latin])
      const spoilt = Buffer.concat([Buffer.from(long(wide)), Buffer.from([0])])
      assert.match((yield* Effect.flip(read(spoilt))).message, /not a text/)
    })
  )

  it.effect("reads the files of a ZIP in the order of time, and refuses several formats, bombs and damage", () =>
    Effect.gen(function* () {
      const [late, early] = ["2026-02-05", "2026-01-05"].map((day) =>
        camt([entry("1.00", "CRDT").replaceAll("2026-01-05", day)])
      )
      const file = yield* read(yield* zip({ "b.xml": late ?? "", "a/c.xml": early ?? "", ".hidden": "x" }))
      const days = file.statements.map(({ lines }) => lines.first_day)
      assert.deepStrictEqual([file.format, days], ["camt053", ["2026-01-05", "2026-02-05"]])
      const mixed = yield* zip({ "a.xml": late ?? "", "b.cod": codaStatement([{ amount: 1 }]) })
      assert.match((yield* Effect.flip(read(mixed))).message, /several formats/)
      const bomb = yield* zip({ "a.csv": "0".repeat(65 * 1024 * 1024) })
      assert.match((yield* Effect.flip(read(bomb))).message, /exceed 64 MiB/)
      assert.match((yield* Effect.flip(read(mixed.subarray(0, 200)))).message, /damaged/)
    })
  )

  it.effect("reads the letters of code page 850 and of Windows-1252", () =>
    Effect.gen(function* () {
      const file = codaStatement([{ amount: 1, name: "NOW#LEI" }])
      const [before = "", after = ""] = file.split("#")
      for (const byte of [0x90, 0xc9]) {
        const bytes = Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)])
        const [line] = (yield* read(bytes)).statements[0]?.lines ?? []
        assert.strictEqual(line?.counterparty_name, "NOWÉLEI")
      }
    })
  )

  it("refuses random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.match(Effect.runSync(Effect.flip(read(bytes))).code, /^(invalid|ambiguous)_/)
      })
    )
  })
})
