/** Characters of RFC 8187 `attr-char` that encodeURIComponent leaves as they are but the RFC does not allow. */
const unreserved = /['()*]/g

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * `attachment` with the file's own name: exactly in `filename*`, and for old readers with everything but plain ASCII
 * replaced in `filename` (RFC 6266, appendix D: no quotes, backslashes and percent signs either).
 */
export const attachmentDisposition = (name: string): string => {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const exact = encodeURIComponent(name).replaceAll(unreserved, percent)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
