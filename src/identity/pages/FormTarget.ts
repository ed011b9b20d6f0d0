/**
 * Returns the CSP source of the address to which a form leads by way of redirects, each of which browsers check. CSP
 * has no notation for IPv6 addresses (CSP 3, 2.3.1), so their scheme is returned.
 */
export const formTarget = (address: string): string => {
  const { host, hostname, protocol } = new URL(address)
  const named = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[")
  return named ? `${protocol}//${host}` : protocol
}
