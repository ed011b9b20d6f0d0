import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { hashToken, newToken, sameSecret } from "../../../src/platform/crypto/Opaque.ts"

describe("newToken", () => {
  it.effect("carries its prefix and 256 random bits that never repeat", () =>
    Effect.gen(function* () {
      const tokens = yield* Effect.all(Array.from({ length: 1000 }, () => newToken("oat")))
      expect(new Set(tokens).size).toBe(1000)
      for (const token of tokens) expect(token).toMatch(/^oat_[A-Za-z0-9_-]{43}$/)
    })
  )
})

describe("hashToken", () => {
  it("is the SHA-256 of the token's bytes", () => {
    for (const token of ["oat_abc", "", "é€😀"]) {
      expect(Buffer.from(hashToken(token))).toEqual(createHash("sha256").update(token, "utf8").digest())
    }
  })
})

describe("sameSecret", () => {
  it("compares by content whatever the lengths", () => {
    expect(sameSecret("abc", "abc")).toBe(true)
    expect(sameSecret("abc", Buffer.from("abc"))).toBe(true)
    expect(sameSecret("", "")).toBe(true)
    expect(sameSecret("abc", "abd")).toBe(false)
    expect(sameSecret("abc", "abcd")).toBe(false)
    expect(sameSecret("abc", "")).toBe(false)
  })
})
