import type { Resolver } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import { callbackify } from "node:util"
import { buildConnector } from "undici"
import { isPublicAddress } from "./PublicAddress.ts"
import { isAllowed, type TargetPolicy } from "./TargetUrl.ts"

/** No shorter than an attempt, so that a port that never answers looks like a receiver that never does. */
const connect_timeout_ms = 10_000
/** For the next address of a host; the usual 250 ms gives up on the other side of the world. */
const address_timeout_ms = 2_000
const addresses_max = 8

/**
 * Opens connections of which none can reach a private address. The addresses that were checked are the ones connected
 * to: a name that answers otherwise the next moment (DNS rebinding) changes nothing.
 */
export const publicConnector = (policy: TargetPolicy, resolver: Resolver): buildConnector.connector => {
  const options = {
    allowH2: false,
    timeout: connect_timeout_ms,
    autoSelectFamilyAttemptTimeout: address_timeout_ms,
    // A resumed TLS session is not checked for its name again, so one refused for its name would pass the second time.
    maxCachedSessions: 0
  }
  const connectAnywhere = buildConnector(options)
  const connectToName = buildConnector({ ...options, lookup: publicLookup(resolver) })

  return (target, callback) => {
    const url = URL.parse(`${target.protocol}//${target.host ?? target.hostname}`)
    if (url !== null && isAllowed(url, policy)) return connectAnywhere(target, callback)
    // No lookup happens for a literal address.
    if (isIP(target.hostname) === 0) return connectToName(target, callback)
    if (isPublicAddress(target.hostname)) return connectAnywhere(target, callback)
    queueMicrotask(() => callback(new NotPublic(), null))
  }
}

class NotPublic extends Error {
  readonly code = "NOT_PUBLIC"
}

/** Asks the name servers themselves: the system's `getaddrinfo` keeps one of few threads busy until a slow one answers. */
const publicLookup = (resolver: Resolver): LookupFunction => {
  const lookup = callbackify((hostname: string) => publicAddresses(resolver, hostname))
  return (hostname, { all }, callback) =>
    lookup(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (first === undefined) return callback(error ?? new NotPublic(), "")
      return all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
}

/** All addresses of the name, or none when it has no address or any that is not public. */
const publicAddresses = async (resolver: Resolver, hostname: string) => {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  return addresses.every(isPublicAddress)
    ? addresses.slice(0, addresses_max).map((address) => ({ address, family: isIP(address) }))
    : []
}
