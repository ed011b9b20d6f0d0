import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import { readStatement } from "../../../src/banking/statements/StatementReader.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { camt, entry } from "./Camt.ts"
import { codaStatement } from "./Coda.ts"

const currency = Schema.decodeSync(CurrencyCode)("EUR")
const options = { currency, format: undefined, mapping: undefined }
const read = (text: string | Uint8Array) => readStatement(Buffer.from(text), options)

describe("readStatement", () => {
  it.effect("tells the formats apart by what is in the file", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read(`\ufeff${camt([entry("1.00", "CRDT")])}`)).format, "camt053")
      assert.strictEqual((yield* read(codaStatement([{ amount: 1 }]))).format, "coda")
      assert.strictEqual((yield* read("Date;Amount\n2026-01-05;1,50")).format, "csv")
      assert.match((yield* Effect.flip(read(" \n"))).message, /empty/)
      assert.match((yield* Effect.flip(read("<html></html>"))).message, /cannot be read/)
    })
  )

  it("refuses whatever bytes are no statement", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.match(Effect.runSync(Effect.flip(read(bytes))).code, /^(invalid|ambiguous)_/)
      })
    )
  })
})
