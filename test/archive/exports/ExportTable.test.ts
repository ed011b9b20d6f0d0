import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { describe, expect } from "vitest"
import { columnsOf, csv, json } from "../../../src/archive/exports/files/ExportTable.ts"

const text = (bytes: Stream.Stream<Uint8Array>) => Stream.mkString(Stream.decodeText(bytes))

describe("a table as CSV", () => {
  it.effect("has a byte order mark, a header, CRLF, and quotes where they are needed", () =>
    Effect.gen(function* () {
      const records = Stream.make([{ a: 'say "x", y', b: -12.5, c: null }], [{ a: "line\nbreak", b: 0, c: true }])
      const bytes = yield* Stream.mkUint8Array(csv(columnsOf(["a", "b", "c"], ["a"]), records))
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      expect(new TextDecoder().decode(bytes)).toBe('a,b,c\r\n"say ""x"", y",-12.5,\r\n"line\nbreak",0,true\r\n')
    })
  )

  it.effect.each(["=1", "+1", "-1", "@x", "\tx", "\rx", "＝1", "＋1", "－1", "＠x"])(
    "keeps %j from being a formula",
    (cell) =>
      Effect.gen(function* () {
        const written = yield* text(csv(columnsOf(["a"], ["a"]), Stream.make([{ a: cell }])))
        expect(written.replace(/^\ufeff/, "").replaceAll('"', "")).toBe(`a\r\n'${cell}\r\n`)
      })
  )

  it.effect("leaves amounts and codes of the service as they are", () =>
    Effect.gen(function* () {
      const written = yield* text(csv(columnsOf(["amount"], []), Stream.make([{ amount: "-12.50" }])))
      expect(written).toBe("amount\r\n-12.50\r\n")
    })
  )
})

describe("a table as JSON", () => {
  it.effect("holds every record of every part, none as well, and can be read twice", () =>
    Effect.gen(function* () {
      const table = json({ id: 7 }, "rows", Stream.make([{ a: 1 }, { a: 2 }], [{ a: 3 }]))
      const expected = { id: 7, rows: [{ a: 1 }, { a: 2 }, { a: 3 }] }
      expect(JSON.parse(yield* text(table))).toEqual(expected)
      expect(JSON.parse(yield* text(table))).toEqual(expected)
      expect(JSON.parse(yield* text(json({}, "rows", Stream.empty)))).toEqual({ rows: [] })
    })
  )
})
