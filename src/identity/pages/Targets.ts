import { parseQuery, queryText } from "../oauth/AuthorizationRequest.ts"

/** Paths of the admin panel, which sends a browser to the login and expects it back at the same page. */
const panel_page = /^\/admin(?:\/[\w-][\w.-]*)*(?:\?[\w=&%+.~-]*)?$/

/** Returns the page that `to` names, if it is one of the panel's. */
export const pageIn = (query: string) => {
  const to = new URLSearchParams(query).get("to")
  return to !== null && panel_page.test(to) ? to : undefined
}

/** Returns the address to which a login leads. */
export const nextOf = (query: string) => pageIn(query) ?? (query === "" ? "/account" : `/oauth/authorize?${query}`)

/**
 * Reduces a query to a page of the panel, or else to the known parameters of an authorization request, so that a login
 * leads to no other place.
 */
export const cleanQuery = (query: string) => {
  const to = pageIn(query)
  return to === undefined ? queryText(parseQuery(query)) : new URLSearchParams({ to }).toString()
}

/**
 * Returns the CSP source of the address to which a form leads by way of redirects, each of which browsers check. CSP
 * has no notation for IPv6 addresses (CSP 3, 2.3.1), so their scheme is returned.
 */
export const formTarget = (address: string): string => {
  const { host, hostname, protocol } = new URL(address)
  const named = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[")
  return named ? `${protocol}//${host}` : protocol
}
