import { Option } from "effect"
import { isIP } from "node:net"
import { isPublicAddress } from "./PublicAddress.ts"

export interface TargetPolicy {
  readonly allowHttp: boolean
  /** Texts of the form `host:port`, written as in a URL. Such a target may be private and may have any port. */
  readonly allowedTargets: ReadonlyArray<string>
}

const url_characters_max = 2048

/** Names of this machine or this network (RFC 6761, 6762, 8375; ICANN's .internal). */
const local_names = ["localhost", "localdomain", "local", "internal", "home.arpa"]

/** "Bad ports" of the Fetch standard: services on them could take a request for a command of their own protocol. */
const fetch_bad_ports = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
]
/** Ports of databases, caches, queues, file shares and consoles, which never receive webhooks. */
const service_ports = [445, 1433, 1521, 2375, 2376, 3306, 3389, 5432, 5672, 6379, 9042, 11211, 27017]
const refused_ports = new Set([...fetch_bad_ports, ...service_ports])

/**
 * Returns the reason to refuse the URL, for the client. The URL is parsed as browsers do (WHATWG), so that every
 * spelling is treated alike.
 */
export const refusalOf = (text: string, policy: TargetPolicy): Option.Option<string> =>
  Option.fromUndefinedOr(sentence(text, policy))

const sentence = (text: string, policy: TargetPolicy): string | undefined => {
  if (text.length > url_characters_max) return `The url field must not be longer than ${url_characters_max} characters.`
  // Parsers skip or convert these characters, so two parsers could find different hosts in one text.
  if (/[\s\\\p{Cc}]/u.test(text)) return "The url field must not contain spaces, backslashes or control characters."
  const url = URL.parse(text)
  if (url === null) return "The url field must be a valid URL."
  if (url.protocol !== "https:" && !(url.protocol === "http:" && policy.allowHttp)) {
    return policy.allowHttp
      ? "The url field must be an http or https address."
      : "The url field must be an https address."
  }
  if (!/^https?:\/\/(?!\/)/i.test(text)) return "The url field must be a valid URL."
  // A URL with an empty `@` has no credentials, yet other parsers take the text after the `@` for the host.
  if (url.username !== "" || url.password !== "" || authority(text).includes("@")) {
    return "The url field must not contain credentials."
  }
  if (text.includes("#")) return "The url field must not contain a fragment."
  if (isAllowed(url, policy)) return undefined
  if (isRefusedHost(url.hostname)) return "The url field must name a host on the public internet."
  if (refused_ports.has(portOf(url))) return `The url field must not use port ${portOf(url)}.`
  return undefined
}

const authority = (text: string) => text.split(/[/?#]/, 3)[2] ?? ""

export const isAllowed = (url: URL, { allowedTargets }: TargetPolicy): boolean => allowedTargets.includes(targetOf(url))

/** True for a text of the form `host:port` that `isAllowed` can match. */
export const isTarget = (text: string): boolean => {
  const url = URL.parse(`https://${text}`)
  return url !== null && targetOf(url) === text
}

const targetOf = (url: URL) => `${url.hostname}:${portOf(url)}`

const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port))

/** Returns an IPv6 literal without its brackets, as sockets expect it. */
const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1")

const isRefusedHost = (hostname: string): boolean => {
  const host = bare(hostname)
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return (
    !host.includes(".") || host.endsWith(".") || local_names.some((name) => host === name || host.endsWith(`.${name}`))
  )
}
