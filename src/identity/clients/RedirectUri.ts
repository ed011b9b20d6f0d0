const characters_max = 2000

/** Only RFC 3986 characters are allowed, so that all browsers, logs and headers read an address in the same way. */
const plain = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/
const mobile = /^[a-z][a-z0-9+.-]*:\/\/oauth2redirect$/
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/

/** No app may claim these schemes, because they are in general use. */
const foreign = /^(?:https?|ftp|wss?|file|data|blob|javascript|vbscript|about|mailto|tel|intent):/

/**
 * True for https, an app's `<scheme>://oauth2redirect`, or plain http to the user's own machine (RFC 8252, 7). The
 * address must be in canonical spelling, without fragment (RFC 6749, 3.1.2) and user information.
 */
export const isRegistrable = (uri: string): boolean => {
  if (uri.length > characters_max || !plain.test(uri)) return false
  if (mobile.test(uri)) return !foreign.test(uri)
  const parsed = URL.parse(uri)
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return false
  const canonical = parsed.href === uri || parsed.href === `${uri}/`
  return canonical && (parsed.protocol === "https:" || loopback.test(uri) || parsed.origin === localhostOf(parsed))
}

const localhostOf = ({ port }: URL) => `http://localhost${port === "" ? "" : `:${port}`}`

/** Compares exactly (RFC 9700, 2.1), but an app on the user's machine may listen on any port (RFC 8252, 7.3). */
export const matches = (registered: string, requested: string): boolean => {
  if (registered === requested) return true
  const known = loopback.exec(registered)
  const asked = plain.test(requested) ? loopback.exec(requested) : null
  if (known === null || asked === null || URL.parse(requested) === null) return false
  return known[1] === asked[1] && (known[2] ?? "") === (asked[2] ?? "")
}
