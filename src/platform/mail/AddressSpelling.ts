import { domainToASCII, domainToUnicode } from "node:url"
import { isEmailAddress } from "../../kernel/EmailAddress.ts"

/**
 * Returns the address with its domain as people write it. The email field of a browser turns `ana@müller.example` into
 * `ana@xn--mller-kva.example` (IDNA), and both are one mailbox. An address whose domain is ASCII keeps its spelling.
 */
export const readableAddress = (address: string): string => {
  const [local, domain] = partsOf(address)
  if (!international.test(domain) || !isEmailAddress(address)) return address
  const encoded = domainToASCII(domain)
  const readable = domainToUnicode(encoded)
  const isSame = encoded !== "" && domainToASCII(readable) === encoded
  return isSame && isEmailAddress(local + readable) ? local + readable : address
}

/** Returns the spellings of the address under which earlier versions may have stored it, first that of the caller. */
export const addressSpellings = (address: string): ReadonlyArray<string> => {
  const readable = readableAddress(address)
  const [local, domain] = partsOf(readable)
  return [...new Set([address, readable, international.test(domain) ? local + domainToASCII(domain) : readable])]
}

/** Matches a domain that is not ASCII, or that has an encoded label. */
const international = /\P{ASCII}|(?:^|\.)[xX][nN]--/u

/** The local part with the `@`, and the domain. */
const partsOf = (address: string) => {
  const at = address.lastIndexOf("@") + 1
  return [address.slice(0, at), address.slice(at)] as const
}
