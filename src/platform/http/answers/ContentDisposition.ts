/** Characters that encodeURIComponent keeps although RFC 8187 (`attr-char`) does not allow them. */
const unreserved = /['()*]/g

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** RFC 6266, appendix D: the exact name in `filename*`, and for old readers plain ASCII in `filename`. */
export const attachmentDisposition = (name: string): string => {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const exact = encodeURIComponent(name).replaceAll(unreserved, percent)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
