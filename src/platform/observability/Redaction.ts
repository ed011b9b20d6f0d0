/** Masks tokens of `newToken` (256 bits in base64url), also in the path of a link to a document. */
export const withoutTokens = (text: string): string =>
  text.length < token_characters ? text : text.replace(token, "REDACTED")

const token_characters = 43
const token = /(?<![\w-])(?:[a-z]{1,12}_)?[\w-]{43}(?![\w-])/g
