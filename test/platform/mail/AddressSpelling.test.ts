import { describe, expect, it } from "vitest"
import { addressSpellings, readableAddress } from "../../../src/platform/mail/AddressSpelling.ts"

describe("readableAddress", () => {
  it("writes an international domain as people do, whichever way it was sent", () => {
    const sent = [
      "ana@müller.example",
      "ana@xn--mller-kva.example",
      "ana@MU\u0308LLER.example",
      "ana@XN--MLLER-KVA.example"
    ]
    expect(sent.map(readableAddress)).toEqual(sent.map(() => "ana@müller.example"))
    expect(readableAddress("info@xn--r8jz45g.jp")).toBe("info@例え.jp")
  })

  it("keeps every other spelling", () => {
    const kept = [
      "Ana@Example.COM",
      "ana@xn--a.example",
      // The label means a heart, which an address of this service may not contain.
      "ana@xn--i-7iq.ws",
      "ana",
      "",
      "ana@ä.com/x",
      "ana@müller.example\r\nBcc: b@x.eu"
    ]
    expect(kept.map(readableAddress)).toEqual(kept)
  })
})

describe("addressSpellings", () => {
  it("begins with the address as it was sent", () => {
    const spellings = ["ana@müller.example", "ana@xn--mller-kva.example"]
    expect(addressSpellings("ana@müller.example")).toEqual(spellings)
    expect(addressSpellings("ana@xn--mller-kva.example")).toEqual(spellings.toReversed())
    expect(addressSpellings("ana@example.com")).toEqual(["ana@example.com"])
  })
})
