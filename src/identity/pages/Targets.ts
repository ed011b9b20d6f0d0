import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { parseQuery, queryText } from "../oauth/AuthorizationRequest.ts"
import { Authorizations } from "../oauth/Authorizations.ts"

/** Pages that send a browser to the login and expect it back at the same address: the admin panel and the account. */
const page = /^\/(?:admin(?:\/[\w-][\w.-]*)*|account)(?:\?[\w=&%+.~*-]*)?$/

const pageIn = (query: string) => {
  const to = new URLSearchParams(query).get("to")
  return to !== null && page.test(to) ? to : undefined
}

export const nextOf = (query: string) => pageIn(query) ?? (query === "" ? "/account" : `/oauth/authorize?${query}`)

/**
 * Drops everything from a query except a page of this site or the known parameters of an authorization request, so that
 * a login leads nowhere else.
 */
export const cleanQuery = (query: string) => {
  const to = pageIn(query)
  return to === undefined ? queryText(parseQuery(query)) : new URLSearchParams({ to }).toString()
}

/**
 * Returns the input of the account page that a URL may contain, which is the name of a token: addresses are personal
 * data, and a link that somebody else made must not choose what a token may do.
 */
export const keptInput = (sent: URLSearchParams) => new URLSearchParams([...sent].filter(([name]) => name === "name"))

/** Returns the login page that leads back to the account page with the input of a form whose session has ended. */
export const loginWith = (sent: URLSearchParams) => {
  const kept = keptInput(sent).toString()
  return kept === "" ? "/login" : loginAt(new URLSearchParams({ to: `/account?${kept}` }).toString())
}

export const loginAt = (query: string) => (query === "" ? "/login" : `/login?${query}`)

/** Reads from a login form where the login leads, even if the form is refused. */
export const queryIn = ({ text }: HttpServerRequest.HttpServerRequest) =>
  Effect.map(Effect.orDie(text), (sent) => cleanQuery(new URLSearchParams(sent).get("query") ?? ""))

/**
 * Returns the CSP source that allows a form to lead to the address, because browsers also check redirects after a form.
 * CSP has no notation for IPv6 addresses (CSP 3, 2.3.1), so for these the scheme is returned.
 */
export const formTarget = (address: string): string => {
  const { host, hostname, protocol } = new URL(address)
  const named = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[")
  return named ? `${protocol}//${host}` : protocol
}

/**
 * Returns the client whose authorization request the login interrupted, and the addresses to which the form of a login
 * may redirect.
 */
export const interrupted = Effect.fnUntraced(function* (query: string) {
  if (query === "" || pageIn(query) !== undefined) return { client: undefined, formTargets: [] }
  const authorizations = yield* Authorizations
  const checked = yield* Effect.result(authorizations.check(parseQuery(query)))
  if (Result.isSuccess(checked)) {
    const { client, redirect_uri } = checked.success
    return { client: client.name, formTargets: [formTarget(redirect_uri)] }
  }
  const refused = checked.failure
  return { client: undefined, formTargets: "location" in refused ? [formTarget(refused.location)] : [] }
})
