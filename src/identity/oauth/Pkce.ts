import { Base64Url } from "effect/encoding"
import { hashToken } from "../../platform/crypto/Opaque.ts"

/** RFC 7636, 4.1 and 4.2. The only method is S256, whose challenge always has 43 characters. */
const verifier = /^[A-Za-z0-9\-._~]{43,128}$/
const challenge = /^[A-Za-z0-9_-]{43}$/

export const isVerifier = (text: string): boolean => verifier.test(text)
export const isChallenge = (text: string): boolean => challenge.test(text)

/** `code_challenge` of a verifier: base64url(SHA-256(verifier)) without padding. */
export const challengeOf = (codeVerifier: string): string => Base64Url.encode(hashToken(codeVerifier))
