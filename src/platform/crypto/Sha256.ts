import { hash } from "node:crypto"

/** By which the same bytes are known again. */
export const sha256Hex = (bytes: Uint8Array): string => hash("sha256", bytes, "hex")
