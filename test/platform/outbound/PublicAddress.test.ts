import { isIP } from "node:net"
import { describe, expect, it } from "vitest"
import { isPublicAddress } from "../../../src/platform/outbound/PublicAddress.ts"
import { hostile_hosts } from "./HostileTargets.ts"

const bare = (host: string) => new URL(`https://${host}/`).hostname.replace(/[[\]]/g, "")

describe("isPublicAddress", () => {
  it("refuses every special address, in every spelling", () => {
    expect(hostile_hosts.length).toBeGreaterThanOrEqual(88)
    expect(new Set(hostile_hosts).size).toBe(hostile_hosts.length)
    for (const host of hostile_hosts) {
      expect(isIP(bare(host)), `${host} is an address`).not.toBe(0)
      expect(isPublicAddress(bare(host)), host).toBe(false)
    }
  })

  it("refuses text that is not an address, and addresses with a zone", () => {
    for (const text of [
      "",
      "example.com",
      "127.1",
      "1.2.3",
      "[2606:4700::1]",
      "2606:4700::1%eth0",
      "8.8.8.8 ",
      "fe80::1%1"
    ]) {
      expect(isPublicAddress(text), text).toBe(false)
    }
  })

  it("knows the bounds of each range", () => {
    const outside =
      "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255"
    const more = "169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255"
    const last = "198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 168.63.129.15 168.63.129.17 8.8.8.8"
    const v6 =
      "2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700::1111 2a00::1 3fff:1000::1"
    for (const address of [outside, more, last, v6].flatMap((line) => line.split(" "))) {
      expect(isPublicAddress(address), address).toBe(true)
    }
  })
})
