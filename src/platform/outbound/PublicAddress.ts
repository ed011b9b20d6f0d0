import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** IANA's IPv4 Special-Purpose Address Registry, multicast and class E: no receiver is there. */
const special_v4 = [
  "0.0.0.0/8", // this network (RFC 791)
  "10.0.0.0/8", // private (RFC 1918)
  "100.64.0.0/10", // carrier-grade NAT (RFC 6598); Alibaba's metadata
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host, from every virtual machine
  "169.254.0.0/16", // link-local (RFC 3927); metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments (RFC 6890); Oracle's metadata
  "192.0.2.0/24", // documentation (RFC 5737)
  "192.31.196.0/24", // AS112 (RFC 7535)
  "192.52.193.0/24", // AMT (RFC 7450)
  "192.88.99.0/24", // 6to4 relays (RFC 7526)
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112 (RFC 7534)
  "198.18.0.0/15", // benchmarks (RFC 2544)
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast (RFC 5771)
  "240.0.0.0/4" // class E and broadcast (RFC 1112)
].map((network) => IpNetwork.fromStringUnsafe(network))

/** Mapped, compatible and translated IPv4 addresses and unique local addresses are outside this range. */
const global_unicast_v6 = IpNetwork.fromStringUnsafe("2000::/3")

/** Special ranges within the global unicast range. */
const special_v6 = [
  "2001::/23", // protocol assignments (RFC 2928): Teredo, benchmarks, ORCHID, DRIP
  "2001:db8::/32", // documentation (RFC 3849)
  "2002::/16", // 6to4 (RFC 3056): holds an IPv4 address
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // 6bone, given back (RFC 3701)
  "3fff::/20" // documentation (RFC 9637)
].map((network) => IpNetwork.fromStringUnsafe(network))

/** True for an address that is certainly public. Anything unknown (a zone, a name, an unassigned range) is refused. */
export const isPublicAddress = (text: string): boolean => {
  const address = Result.getOrUndefined(NetAddress.ipFromString(text))
  if (address === undefined) return false
  const isIn = (network: IpNetwork.IpNetwork) => IpNetwork.contains(network, address)
  return NetAddress.isIpv4Address(address) ? !special_v4.some(isIn) : isIn(global_unicast_v6) && !special_v6.some(isIn)
}
