/**
 * Masks tokens of `newToken` (256 bits in base64url). A link to a document has one in its path, where no parameter name
 * reveals it.
 */
export const withoutTokens = (text: string): string =>
  text.length < token_characters ? text : text.replace(token, "REDACTED")

const token_characters = 43
const token = /(?<![\w-])(?:[a-z]{1,12}_)?[\w-]{43}(?![\w-])/g
