import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { CallerOf } from "./Connections.ts"

/** What a household or a machine is given of IPv6. */
const ipv6_prefix_bits = 64

const parsed = (address: string) =>
  Result.getOrUndefined(
    Result.map(NetAddress.ipFromString(address.split("%", 1)[0] ?? ""), (found) => NetAddress.toCanonical(found))
  )

/** Which caller an address is: itself, or its network of IPv6, of which an attacker has all. */
export const callerAt = (address: string): string => {
  const found = address.includes(":") ? parsed(address) : undefined
  if (found === undefined) return address
  if (NetAddress.isIpv4Address(found)) return NetAddress.formatIp(found)
  return IpNetwork.format(IpNetwork.fromAddressUnsafe(found, ipv6_prefix_bits))
}

/** The same for the other side of a connection; a trusted proxy is none, since it speaks for many. */
export const callerOf = (trustedProxies: ReadonlyArray<string>): CallerOf => {
  const proxies = trustedProxies.map((network) => IpNetwork.fromStringUnsafe(network))
  // Reading an address is a fifth of what it costs to refuse a connection.
  if (proxies.length === 0) return callerAt
  return (text) => {
    const address = parsed(text)
    const trusted = address !== undefined && proxies.some((network) => IpNetwork.contains(network, address))
    return trusted ? undefined : callerAt(text)
  }
}
