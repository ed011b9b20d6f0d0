import { hash } from "node:crypto"

/** SHA-256 in lower-case hexadecimal; text counts as UTF-8. */
export const sha256Hex = (content: string | Uint8Array): string => hash("sha256", content, "hex")

/** A UUID (version 8) that is always the same for the same text. */
export const sha256Uuid = (text: string): string => {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256Hex(text)) ?? []
  return `${a}-${b}-8${c}-8${d}-${e}`
}
