/** Secrets with this prefix have the format of Standard Webhooks. */
export const standard_prefix = "whsec_"

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export const hasStandardPrefix = (secret: string): boolean => secret.startsWith(standard_prefix)

/** True for `whsec_` and a key in base64. */
export const isStandardSecret = (secret: string): boolean =>
  hasStandardPrefix(secret) && base64.test(secret.slice(standard_prefix.length))
