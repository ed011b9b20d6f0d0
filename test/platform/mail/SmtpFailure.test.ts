import { describe, expect, it } from "vitest"
import { withoutMachines } from "../../../src/platform/mail/SmtpFailure.ts"

describe("a mail server's reply about a recipient", () => {
  it.each([
    ["550 mailbox unknown", "550 mailbox unknown"],
    ["550 5.1.1 <ana@beta.eu>: Recipient address rejected", "550 5.1.1 <ana@beta.eu>: Recipient address rejected"],
    ["550-5.1.1 No such\n550 5.1.1 user", "550-5.1.1 No such 5.1.1 user"],
    [
      "554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org;",
      "554 5.7.1 Client host [...] blocked using [...]"
    ],
    ["550 relay mx1.internal.acme.eu:25 says no", "550 relay [...] says no"],
    ["550 [2001:db8::1] says no", "550 [...] says no"],
    ["550 see https://support.example.com/mail/?p=1 - gsmtp", "550 see [...] - gsmtp"],
    ["550 connect to localhost:10024 or mx1:25 failed", "550 connect to [...] or [...] failed"],
    ["550 forwarded to root@db1.internal", "550 forwarded to [...]"],
    [`550 ${"x".repeat(1000)}`, `550 ${"x".repeat(496)}`],
    [`550 ${"x".repeat(495)}😀 full`, `550 ${"x".repeat(495)}`]
  ])("is shown without internals of the mail server: %s", (reply, told) => {
    expect(withoutMachines(reply, "Ana@beta.eu")).toBe(told)
  })
})
