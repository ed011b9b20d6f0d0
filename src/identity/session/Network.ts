import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

const ipv4_network_bits = 24
const ipv6_network_bits = 48

/** The /24 (IPv4) or /48 (IPv6) network, by which users recognise a login; null for other text. */
export const networkOf = (address: string): string | null => {
  const found = Result.getOrUndefined(NetAddress.ipFromString(address.split("/", 1)[0] ?? ""))
  if (found === undefined) return null
  const bits = NetAddress.isIpv4Address(found) ? ipv4_network_bits : ipv6_network_bits
  return IpNetwork.format(IpNetwork.fromAddressUnsafe(found, bits))
}
