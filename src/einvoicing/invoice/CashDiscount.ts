/** A line of payment terms that offers a cash discount in the form of XRechnung (BR-DE-18), without blanks around it. */
const skonto = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}(?:#BASISBETRAG=-?\d+\.\d{2})?#$/

/** Greedy within a line, as the rule's own expression is. */
const between_hashes = /#.+#/g

/** Whether the terms offer cash discounts, each alone on a line that ends with a line break, or none. */
export const hasValidDiscountTerms = (terms: string): boolean => {
  const marked = terms
    .split(/\r?\n/)
    .map(normalized)
    .filter((line) => line.startsWith("#"))
  if (marked.length === 0) return true
  return marked.every((line) => skonto.test(line)) && /^[ \t\r\n]*\n/.test(terms.split(between_hashes).at(-1) ?? "")
}

/** The terms as they are written: the line of a cash discount ends with a line break, also when it is the last one. */
export const withDiscountLineEnded = (terms: string): string =>
  skonto.test(normalized(terms.split(/\r?\n/).at(-1) ?? "")) ? `${terms}\n` : terms

/** XPath's normalize-space. */
const normalized = (line: string): string => line.replace(/[ \t\r\n]+/g, " ").replace(/^ | $/g, "")
