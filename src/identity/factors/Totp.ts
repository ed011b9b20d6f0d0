import { Secret, TOTP } from "otpauth"

const issuer = "Invoicing"
/** Bytes of a secret, which should have 160 bits (RFC 4226, section 4). */
const secret_bytes = 20
/** Number of 30-second steps by which a clock may differ (RFC 6238, 5.2). */
const window_steps = 1

const totpOf = (secret: string, label = "") => new TOTP({ issuer, label, secret: Secret.fromBase32(secret) })

export const newSecret = (): string => new Secret({ size: secret_bytes }).base32

export const enrolmentAddress = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Returns the time step whose code was entered; undefined if the code belongs to no step that is close to now. */
export const stepOf = (secret: string, code: string, now_ms: number): number | undefined => {
  // The library compares bytes, and throws when six characters are not six bytes.
  if (!/^[0-9]+$/.test(code)) return undefined
  const totp = totpOf(secret)
  const delta = totp.validate({ token: code, timestamp: now_ms, window: window_steps })
  return delta === null ? undefined : totp.counter({ timestamp: now_ms }) + delta
}
