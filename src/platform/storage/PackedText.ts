import { deflateRawSync, inflateRawSync } from "node:zlib"

/** Compresses a text that is kept in memory; speed matters more than size. */
export const packed = (text: string): Uint8Array => deflateRawSync(text, { level: 1 })

export const unpacked = (bytes: Uint8Array): string => inflateRawSync(bytes).toString()
