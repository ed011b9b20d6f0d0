/**
 * CSP source of the address that a form leads to by way of redirects; browsers check each of them. CSP has no notation
 * for IPv6 addresses (CSP 3, 2.3.1), so those are named by their scheme.
 */
export const formTarget = (address: string): string => {
  const { host, hostname, protocol } = new URL(address)
  const named = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[")
  return named ? `${protocol}//${host}` : protocol
}
