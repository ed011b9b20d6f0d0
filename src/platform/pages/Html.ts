/** Markup that may be sent to a browser. The constructor takes trusted markup; everything else goes through `html`. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): string {
    return this.markup
  }
}

/** Values of an `html` template: `null` and `undefined` print nothing, an array prints its items one after another. */
type HtmlValue = Html | string | number | bigint | null | undefined | ReadonlyArray<HtmlValue>

/** Escapes values for text and quoted attributes. A URL that could run a script becomes `about:blank`. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  let markup = strings[0] ?? ""
  for (const [index, value] of values.entries()) {
    const before = strings[index] ?? ""
    markup += (startsAddress.test(before) ? print(followable(value)) : print(value)) + (strings[index + 1] ?? "")
  }
  return new Html(markup)
}

const print = (value: HtmlValue): string => {
  if (value === null || value === undefined) return ""
  if (value instanceof Html) return value.markup
  if (typeof value === "object") return value.map(print).join("")
  return escape(String(value))
}

const startsAddress = /(?:href|src|action|formaction|poster)\s*=\s*["']$/i
const safeAddress = /^(?:https?:|mailto:|tel:|[/?#]|[^:]*$)/i

const followable = (value: HtmlValue): HtmlValue =>
  typeof value === "string" && !safeAddress.test(value) ? "about:blank" : value

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
