import { hash } from "node:crypto"

/** SHA-256 in lower-case hexadecimal; text counts as UTF-8. */
export const sha256Hex = (content: string | Uint8Array): string => hash("sha256", content, "hex")
