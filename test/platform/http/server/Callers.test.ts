import { expect, it } from "vitest"
import { callerOf } from "../../../../src/platform/http/server/Callers.ts"

it("an address is one caller in every spelling, and so is the IPv6 network of one household", () => {
  const caller = callerOf([])
  expect(caller("192.0.2.1")).toBe(caller("::ffff:192.0.2.1"))
  expect(caller("192.0.2.1")).not.toBe(caller("192.0.2.2"))
  expect(caller("2001:db8:0:1::1")).toBe(caller("2001:db8::1:ffff:0:0:2"))
  expect(caller("2001:db8:0:1::1")).not.toBe(caller("2001:db8:0:2::1"))
  expect(caller("fe80::1%eth0")).toBe(caller("fe80::2%eth0"))
  expect(caller("")).toBe("")
})

it("a trusted proxy speaks for many callers", () => {
  const caller = callerOf(["10.0.0.0/8", "2001:db8::/32"])
  expect(["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1"].map(caller)).toEqual([undefined, undefined, undefined])
  expect(caller("11.0.0.1")).toBe("11.0.0.1")
})
