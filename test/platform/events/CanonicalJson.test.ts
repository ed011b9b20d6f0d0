import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson, type Json } from "../../../src/platform/events/CanonicalJson.ts"
import { chain_start, nextHash } from "../../support/AuditLog.ts"

const anyJson = fc.jsonValue({ maxDepth: 5 }).map((value): Json => JSON.parse(JSON.stringify(value)))

describe("canonicalJson", () => {
  it("gives the two entries of the contract's chain their hashes", () => {
    const issued = canonicalJson({
      seq: 1,
      data: { number: "INV-2026-0042", invoice_id: 42 },
      at: "2026-03-01T10:00:00.000Z",
      actor: "user:3",
      action: "invoice.issued"
    })
    const first = nextHash(chain_start, issued)
    expect(first).toBe("6467659c4545b6ec9405ec13931086b680e57f47fd8a9be42c7034a61c3b76e4")
    const downloaded = canonicalJson({
      action: "archive.downloaded",
      actor: "user:3",
      at: "2026-03-02T08:00:00.000Z",
      data: { surface: "api", object_id: "a1" },
      seq: 2
    })
    expect(nextHash(first, downloaded)).toBe("cf54709074e45679560b4cf832708f7676eb3b18dcb877a98cba91f7dfceed8b")
  })

  it("writes the example of RFC 8785", () => {
    const example = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false]
    }
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
  })

  it("sorts keys by UTF-16 code units, as RFC 8785 section 3.2.3 lists them", () => {
    const keys = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]
    const shuffled = Object.fromEntries(keys.toReversed().map((key) => [key, 0]))
    expect(canonicalJson(shuffled)).toBe(`{${keys.map((key) => `${JSON.stringify(key)}:0`).join(",")}}`)
  })

  it("preserves the value, and does not depend on the order of keys", () => {
    const reversed = (value: Json): Json => {
      if (value === null || typeof value !== "object") return value
      if (Array.isArray(value)) return value.map(reversed)
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, reversed(member)])
      )
    }
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(value)
        expect(canonicalJson(reversed(value))).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      })
    )
  })
})
