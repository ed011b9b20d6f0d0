/** Characters that encodeURIComponent keeps although RFC 8187 (`attr-char`) does not allow them. */
const unreserved = /['()*]/g

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * Builds `attachment` with the file's exact name in `filename*` and, for old readers, a plain ASCII name in `filename`
 * (RFC 6266, appendix D: without quotes, backslashes and percent signs).
 */
export const attachmentDisposition = (name: string): string => {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const exact = encodeURIComponent(name).replaceAll(unreserved, percent)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
