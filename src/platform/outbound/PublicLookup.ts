import type { Resolver } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import { callbackify } from "node:util"
import { isPublicAddress } from "./PublicAddress.ts"

const addresses_max = 8

/**
 * Fails if any address of a name is private. The socket connects to the very addresses that were checked, so a name
 * that later resolves differently (DNS rebinding) changes nothing.
 *
 * The name servers are queried directly: the system's `getaddrinfo` blocks one of few threads until a slow server
 * answers, and also knows names of the local network.
 */
export const publicLookup = (resolver: Resolver): LookupFunction => {
  const lookup = callbackify((hostname: string) => publicAddresses(resolver, hostname))
  return (hostname, { all }, callback) =>
    lookup(hostname, (_, addresses) => {
      const [first] = addresses ?? []
      if (first === undefined) return callback(new NoPublicAddress(), "")
      return all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
}

class NoPublicAddress extends Error {
  readonly code = "NO_PUBLIC_ADDRESS"
}

const publicAddresses = async (resolver: Resolver, hostname: string) => {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  return addresses.every(isPublicAddress)
    ? addresses.slice(0, addresses_max).map((address) => ({ address, family: isIP(address) }))
    : []
}
