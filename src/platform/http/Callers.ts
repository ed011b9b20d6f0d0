import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { CallerOf } from "./Connections.ts"

/** What a household or a machine is given of IPv6. */
const ipv6_prefix_bits = 64

/** Which caller an address is: itself, or its network, of which an attacker has all; a proxy speaks for many. */
export const callerOf = (trustedProxies: ReadonlyArray<string>): CallerOf => {
  const proxies = trustedProxies.map((network) => IpNetwork.fromStringUnsafe(network))
  return (text) => {
    const parsed = Result.getOrUndefined(NetAddress.ipFromString(text.split("%", 1)[0] ?? ""))
    if (parsed === undefined) return text
    const address = NetAddress.toCanonical(parsed)
    if (proxies.some((network) => IpNetwork.contains(network, address))) return undefined
    if (NetAddress.isIpv4Address(address)) return NetAddress.formatIp(address)
    return IpNetwork.format(IpNetwork.fromAddressUnsafe(address, ipv6_prefix_bits))
  }
}
