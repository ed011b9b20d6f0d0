import { describe, expect, it } from "vitest"
import { small_logo, useBilling } from "../../support/Billing.ts"
import { hasChromium, keep, violations, withPage } from "../../support/counterparts/Chromium.ts"

const { open } = useBilling()

const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

/** Rules about the landmarks of a page. A mail program shows the message within its own. */
const of_pages = ["landmark-one-main", "page-has-heading-one", "region"]

const boxOf = (element: string) => `document.querySelector(${JSON.stringify(element)}).getBoundingClientRect()`

const languages = ["en", "fr", "nl", "de", "es", "it", "pt", "pl", "ar"]
const kinds = ["invoice", "quote", "credit_note"]

/** Text of each label and value in the table of facts that is shown on more lines than it has words. */
const broken_words = `[...document.querySelectorAll("td td")].filter(({ children }) => !children[0]?.href).filter((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 12)))
  return lines.size > cell.innerText.trim().split(/ +/).length
}).map((cell) => cell.innerText)`

describe.skipIf(!hasChromium)("the message that brings a document", () => {
  it("breaks no word of a label or a value on a narrow telephone", async () => {
    const books = await open()
    await withPage(async (page) => {
      await page.resize(320)
      for (const language of languages) {
        for (const kind of kinds) {
          const asked = { kind, language }
          const { data } = (await books.call("POST", `/organizations/${books.id}/mail-preview`, asked)).body
          await page.open(`data:text/html;base64,${Buffer.from(data.html).toString("base64")}`)
          const shown = [await page.evaluate(broken_words), await page.evaluate("document.documentElement.scrollWidth")]
          expect([language, kind, ...shown]).toEqual([language, kind, [], 320])
        }
      }
    })
  }, 120_000)

  it.each(["de", "ar"])(
    "fills a telephone, and has a frame of 600 pixels on a desk, in %s",
    async (language) => {
      const books = await open({ name: word })
      await books.made("PUT", `/organizations/${books.id}`, { logo: small_logo })
      const asked = { kind: "invoice", language, message: `${word}${word} https://example.com/${word}` }
      const { data } = (await books.call("POST", `/organizations/${books.id}/mail-preview`, asked)).body
      // Outlook for Windows ignores the style `max-width`, and reads the attribute `width` of tables only.
      expect(data.html).toMatch(/<table[^>]*\swidth="600"/)
      await withPage(async (page) => {
        for (const [width, scheme] of [
          [320, "dark"],
          [600, "light"],
          [1280, "light"]
        ] as const) {
          await page.resize(width)
          await page.scheme(scheme)
          await page.open(`data:text/html;base64,${Buffer.from(data.html).toString("base64")}`)
          await keep(page, `mail-${language}-${width}-${scheme}`)
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
          expect(await page.evaluate(`${boxOf("body > table")}.width`)).toBe(Math.min(width, 600))
          expect(await page.evaluate(`${boxOf("body > table")}.left`)).toBe((width - Math.min(width, 600)) / 2)
          // The whole button can be clicked.
          const [button, cell] = [boxOf("a[href*='/d/']"), boxOf("td:has(> a[href*='/d/'])")]
          expect(
            await page.evaluate(`[${cell}.width - ${button}.width, ${cell}.height - ${button}.height < 8]`)
          ).toEqual([0, true])
          expect(await violations(page, of_pages)).toEqual([])
        }
      })
    },
    120_000
  )
})
