import type { Marked, Tokens } from "marked"
import { atFirstUse } from "../platform/packages/AtFirstUse.ts"
import { html, Html } from "../platform/pages/Html.ts"

const marked = atFirstUse("marked")

/** A part of a page that the search finds and to which a link can lead. */
interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Article {
  readonly title: string
  /** The first paragraph, as plain text. */
  readonly summary: string
  readonly body: Html
  readonly sections: ReadonlyArray<Section>
}

/** Makes the fragment of a heading's URL as GitHub does, so that links work in both places. */
export const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^[|: -]+$/gm, "")
    .replaceAll(/^ *[-*] /gm, "")
    .replaceAll(/(?<!\\)[`*|#>]/g, "")
    .replaceAll(/\\([`*|#>])/g, "$1")

const languages: Readonly<Record<string, string>> = {
  sh: "Shell",
  js: "Node",
  ts: "TypeScript",
  python: "Python",
  php: "PHP",
  json: "JSON",
  sql: "SQL",
  haproxy: "HAProxy"
}

/** Renders Markdown from this repository. The text is trusted, but HTML in it is not rendered. */
const rendererOf = (link: (href: string) => string) => {
  const { Marked } = marked()
  return new Marked({
    gfm: true,
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.markup,
      heading({ depth, text, tokens }: Tokens.Heading) {
        const id = fragmentOf(plain(text))
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`
      },
      // The words after the name of the language are not shown, because they are for the tests, which run the block.
      code: ({ lang = "", text }: Tokens.Code) =>
        html`<figure class="code">
          <figcaption>${languages[lang.replace(/ .*/, "")] ?? lang.replace(/ .*/, "")}</figcaption>
          <pre><code>${text}</code></pre>
        </figure>`.markup,
      link({ href, tokens }: Tokens.Link) {
        return html`<a href="${link(href)}">${new Html(this.parser.parseInline(tokens))}</a>`.markup
      },
      table(token: Tokens.Table) {
        const contentOf = (cell: Tokens.TableCell) => new Html(this.parser.parseInline(cell.tokens))
        // A narrow window shows each row as a block, in which every value follows the name of its column.
        const row = (cells: ReadonlyArray<Tokens.TableCell>) =>
          html`<tr>
            ${cells.map((cell, index) => html`<td data-column="${plain(token.header[index]?.text ?? "")}">${contentOf(cell)}</td>`)}
          </tr>`
        return html`<div class="scroll" tabindex="0">
          <table>
            <thead>
              <tr>
                ${token.header.map((cell) => html`<th>${contentOf(cell)}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${token.rows.map(row)}
            </tbody>
          </table>
        </div>`.markup
      }
    }
  })
}

const sameLink = (href: string) => href
let inline: Marked | undefined

export const sentence = (text: string): Html =>
  new Html((inline ??= rendererOf(sameLink)).parseInline(text, { async: false }))

/** `link` converts the path of a file of the repository into the URL of its page. */
export const article = (markdown: string, link: (href: string) => string = sameLink): Article => {
  const renderer = rendererOf(link)
  const tokens = renderer.lexer(markdown)
  const sections: Array<{ id: string; title: string; text: string }> = []
  for (const token of tokens) {
    if (token.type === "heading") {
      const title = plain(String(token["text"]))
      sections.push({ id: fragmentOf(title), title, text: "" })
    } else if (token.type !== "space") {
      const last = sections.at(-1)
      if (last !== undefined) last.text += ` ${token.type === "code" ? String(token["text"]) : plain(token.raw)}`
    }
  }
  const first = tokens.find(({ type }) => type === "paragraph")
  return {
    title: sections[0]?.title ?? "",
    summary: first === undefined ? "" : plain(first.raw).trim().replaceAll(/\s+/g, " "),
    body: new Html(renderer.parser(tokens)),
    sections
  }
}
