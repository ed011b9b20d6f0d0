import { describe, expect, it } from "vitest"
import { isEmailAddress } from "../../src/kernel/EmailAddress.ts"

describe("EmailAddress", () => {
  it("accepts addresses that people have", () => {
    const addresses = [
      "a@x.eu",
      "jean.dupont+factures@compta.example.fr",
      "o'neil@example.ie",
      "x_1@a-b.co.uk",
      "post@müller.de",
      "info@例え.jp",
      `${"a".repeat(64)}@example.com`
    ]
    for (const address of addresses) expect(isEmailAddress(address), address).toBe(true)
  })

  it("refuses addresses that no server accepts, or that could add a header or a second recipient", () => {
    const addresses = [
      "",
      "a",
      "@x.eu",
      "a@",
      "a@localhost",
      "a@-x.eu",
      "a@x-.eu",
      "a@x..eu",
      ".a@x.eu",
      "a.@x.eu",
      "a..b@x.eu",
      "a b@x.eu",
      "a@x.eu,b@x.eu",
      "a@b@x.eu",
      "a@x.eu\r\nBcc: b@x.eu",
      "a@x.eu\n",
      "Ana <a@x.eu>",
      `"a b"@x.eu`,
      "a@[127.0.0.1]",
      "a@127.0.0.1",
      "a@x.eu\u0000",
      `${"a".repeat(65)}@example.com`,
      `a@${"b.".repeat(130)}eu`
    ]
    for (const address of addresses) expect(isEmailAddress(address), JSON.stringify(address)).toBe(false)
  })
})
