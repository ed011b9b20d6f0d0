import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { CallerOf } from "./ConnectionLimits.ts"

/** Prefix length of the IPv6 network that a household or a machine is given. */
const ipv6_prefix_bits = 64

const parsed = (address: string) =>
  Result.getOrUndefined(
    Result.map(NetAddress.ipFromString(address.split("%", 1)[0] ?? ""), (found) => NetAddress.toCanonical(found))
  )

/** The address, or its IPv6 network, because one client may own a whole network. */
export const callerAt = (address: string): string => {
  const found = address.includes(":") ? parsed(address) : undefined
  if (found === undefined) return address
  if (NetAddress.isIpv4Address(found)) return NetAddress.formatIp(found)
  return IpNetwork.format(IpNetwork.fromAddressUnsafe(found, ipv6_prefix_bits))
}

/** Like `callerAt`, for the peer of a connection; undefined for a trusted proxy, which connects many callers. */
export const callerOf = (trustedProxies: ReadonlyArray<string>): CallerOf => {
  const proxies = trustedProxies.map((network) => IpNetwork.fromStringUnsafe(network))
  // Without trusted proxies, no address is parsed here: that would be a fifth of the work of refusing a connection.
  if (proxies.length === 0) return callerAt
  return (text) => {
    const address = parsed(text)
    const trusted = address !== undefined && proxies.some((network) => IpNetwork.contains(network, address))
    return trusted ? undefined : callerAt(text)
  }
}
