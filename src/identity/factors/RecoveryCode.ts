import { Secret } from "otpauth"
import { hashToken } from "../../platform/crypto/Opaque.ts"

export const recovery_codes_count = 10
/** Nobody can guess 120 bits, so a plain hash is enough (OWASP ASVS 5.0, 6.5.2 requires 112 bits). */
const code_bytes = 15
const recovery_code = /^[A-Z2-7]{24}$/

export const newRecoveryCode = (): string => new Secret({ size: code_bytes }).base32.match(/.{4}/g)?.join("-") ?? ""

const plain = (typed: string) => typed.toUpperCase().replace(/[\s-]/g, "")

export const isRecoveryCode = (typed: string): boolean => recovery_code.test(plain(typed))

/** Accepts any spelling of a code, because people omit the hyphens and type small letters. */
export const recoveryHash = (typed: string): Uint8Array => hashToken(plain(typed))
