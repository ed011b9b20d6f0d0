import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { parseMailbox } from "../../../src/platform/mail/Mailbox.ts"

const parsed = (text: string) => Option.getOrNull(parseMailbox(text))

describe("parseMailbox", () => {
  it("reads a name with an address, an address alone, and nothing else", () => {
    expect(parsed("Invoicing <invoicing@localhost>")).toEqual({ address: "invoicing@localhost", name: "Invoicing" })
    expect(parsed('"Acme, Inc." <a@x.eu>')).toEqual({ address: "a@x.eu", name: "Acme, Inc." })
    expect(parsed(" a@x.eu ")).toEqual({ address: "a@x.eu" })
    expect(parsed("<a@x.eu>")).toEqual({ address: "a@x.eu" })
    for (const text of ["", "Acme", "a@x.eu, b@x.eu", "A <a@x.eu> B <b@x.eu>", "A <a@x.eu\r\n>"]) {
      expect(parsed(text), text).toBeNull()
    }
  })
})
