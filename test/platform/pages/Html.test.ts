import { describe, expect, it } from "vitest"
// The import is renamed so that the formatter, which knows the tag `html`, leaves the templates as they are.
import { Html, html as markup } from "../../../src/platform/pages/Html.ts"

const hostile = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `</textarea><svg/onload=alert(1)>`,
  `<!--`,
  `&lt;b&gt;`,
  `]]><b>`
]

describe("html", () => {
  it("lets no hostile text open an element, close an attribute or form an entity", () => {
    for (const text of hostile) {
      const inText = markup`<p>${text}</p>`.markup.slice(3, -4)
      const inDouble = markup`<p title="${text}">`.markup.slice(10, -2)
      const inSingle = markup`<p title='${text}'>`.markup.slice(10, -2)
      for (const printed of [inText, inDouble, inSingle]) {
        expect(printed).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
        expect(unescape(printed)).toBe(text)
      }
    }
  })

  it("does not escape markup of its own a second time, nor in an array", () => {
    const items = ["a & b", "<c>"].map((item) => markup`<li>${item}</li>`)
    expect(markup`<ul>${items}${markup`<li>${1}</li>`}</ul>`.markup).toBe(
      "<ul><li>a &amp; b</li><li>&lt;c&gt;</li><li>1</li></ul>"
    )
  })

  it("escapes plain text inside arrays", () => {
    expect(markup`${["<a>", ["<b>"]]}`.markup).toBe("&lt;a&gt;&lt;b&gt;")
  })

  it("prints nothing for null and undefined, and prints zero", () => {
    expect(markup`[${null}${undefined}${[]}${""}${0}${0n}]`.markup).toBe("[00]")
  })

  it("keeps backslashes and dollar signs of the text as they are", () => {
    expect(markup`<p>${"\\n $& $1 ${x}"}</p>`.markup).toBe("<p>\\n $&amp; $1 ${x}</p>")
  })

  it("replaces the address of a followable attribute if it could run a script", () => {
    const scripts = [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      " javascript:alert(1)",
      "java\tscript:alert(1)",
      "\u0001javascript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "vbscript:x"
    ]
    for (const address of scripts) {
      expect(markup`<a href="${address}">`.markup).toBe(`<a href="about:blank">`)
      expect(markup`<a HREF = '${address}'>`.markup).toBe(`<a HREF = 'about:blank'>`)
      expect(markup`<form action="${address}">`.markup).toBe(`<form action="about:blank">`)
    }
    for (const address of ["https://a.eu/?a=1", "mailto:a@b.eu", "tel:+3212", "/d/x:y", "#a", "?page=2", "a/b", ""]) {
      expect(markup`<a href="${address}">`.markup).toBe(`<a href="${address}">`)
    }
    expect(markup`<p title="${"javascript:x"}">`.markup).toBe(`<p title="javascript:x">`)
  })

  it("accepts trusted markup only of its own type, not of an object that looks like it", () => {
    expect(markup`${new Html("<b>")}`.markup).toBe("<b>")
    const parsed: unknown = JSON.parse(`{"markup":"<b>"}`)
    expect(() => markup`${parsed as string}`.markup).toThrow()
  })
})

const unescape = (markup: string) =>
  markup
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", `"`)
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
