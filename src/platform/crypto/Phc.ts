import { Option } from "effect"

export interface Argon2id {
  readonly memory_kib: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

/** PHC string format: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`; salt and tag are base64 without padding. */
export const printPhc = ({ memory_kib, parallelism, passes, salt, tag }: Argon2id): string =>
  `$argon2id$v=19$m=${memory_kib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

/** `None` for any other algorithm, and for parameters that argon2 would refuse. */
export const parsePhc = (text: string): Option.Option<Argon2id> => {
  const [, memory, passes, parallelism, salt, tag] = pattern.exec(text) ?? []
  if (!memory || !passes || !parallelism || !salt || !tag) return Option.none()
  const parsed = {
    memory_kib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64")
  }
  return isComputable(parsed) ? Option.some(parsed) : Option.none()
}

const pattern =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,7}),t=([1-9]\d{0,3}),p=([1-9]\d{0,1})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/** Argon2 needs at least 8 KiB of memory per lane (RFC 9106, 3.1). */
const isComputable = ({ memory_kib, parallelism }: Argon2id) => memory_kib >= 8 * parallelism

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "")
