import { Schema } from "effect"

const message = "must be a valid email address."
const characters_max = 254
const local_characters_max = 64

/**
 * An address that a mail server would accept: RFC 5321 lengths, the unquoted local part of RFC 5322, and a domain of at
 * least two labels (RFC 1035; also in other scripts). Quoted local parts and address literals are refused, because they
 * can hide a second address from a reader.
 */
export const EmailAddress = Schema.String.check(
  Schema.makeFilter((text) => (isEmailAddress(text) ? undefined : message), {
    toJsonSchema: () => [{ format: "email", maxLength: characters_max }, true]
  })
)

export const isEmailAddress = (text: string): boolean => {
  if (text.length > characters_max) return false
  const at = text.lastIndexOf("@")
  const domain = text.slice(at + 1)
  return at > 0 && at <= local_characters_max && localPart.test(text.slice(0, at)) && domainName.test(domain)
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`)
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?"
const domainName = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`, "u")
