import { assert, describe, it } from "vitest"
import { Effect, Schema } from "effect"
import { fileNameOf, NumberFormat, renderNumber } from "../../src/kernel/NumberFormat.ts"
import { Day } from "../../src/kernel/Calendar.ts"

const render = (format: string, sequence = 42) =>
  renderNumber(NumberFormat.make(format), { prefix: "INV", issue_date: Schema.decodeSync(Day)("2026-03-09"), sequence })
const refusal = (format: string) => Effect.runSync(Effect.flip(Schema.decodeEffect(NumberFormat)(format))).message

describe("renderNumber", () => {
  it("writes prefix, date and padded sequence", () => {
    assert.strictEqual(render("{PREFIX}-{YYYY}-{SEQ:4}"), "INV-2026-0042")
    assert.strictEqual(render("{YY}{MM}_{SEQ}.B"), "2603_42.B")
    assert.strictEqual(render("F{SEQ:10}.{YYYY}"), "F0000000042.2026")
    assert.strictEqual(render("{SEQ:3}/{MM}/{YYYY}"), "042/03/2026")
    assert.strictEqual(fileNameOf("042/03/2026", "pdf"), "042-03-2026.pdf")
  })

  it("does not cut a sequence that is longer than in the format", () => {
    assert.strictEqual(render("{PREFIX}-{YYYY}-{SEQ:4}", 123_456), "INV-2026-123456")
  })
})

describe("NumberFormat", () => {
  it("refuses a format without a sequence, with two, or without the year", () => {
    assert.strictEqual(refusal("{PREFIX}-{YYYY}"), "must contain {SEQ} or {SEQ:n} once.")
    assert.strictEqual(refusal("{YYYY}{SEQ}{SEQ:2}"), "must contain {SEQ} or {SEQ:n} once.")
    assert.strictEqual(refusal("{PREFIX}-{MM}-{SEQ}"), "must contain {YYYY} or {YY}.")
  })

  it("refuses unknown tokens, other widths, and characters that do not belong in a file name", () => {
    const formats = [
      "{DD}{YYYY}{SEQ}",
      "{YYYY}{SEQ:0}",
      "{YYYY}{SEQ:11}",
      "/{YYYY}{SEQ}",
      "{YYYY}//{SEQ}",
      "{YYYY}/../{SEQ}",
      "{YYYY}{SEQ}/",
      "{YYYY} {SEQ}",
      "../{YYYY}{SEQ}",
      "é{YYYY}{SEQ}"
    ]
    for (const format of formats) assert.include(refusal(format), "may only contain letters", format)
  })

  it("refuses more than 40 characters", () => {
    assert.strictEqual(refusal(`${"A".repeat(30)}{YYYY}{SEQ}`), "may not be longer than 40 characters.")
  })
})
