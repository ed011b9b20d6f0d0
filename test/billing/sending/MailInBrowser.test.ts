import { describe, expect, it } from "vitest"
import { small_logo, useBilling } from "../../support/Billing.ts"
import { hasChromium, keep, violations, withPage } from "../../support/counterparts/Chromium.ts"

const { open } = useBilling()

const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

/** Rules about the landmarks of a page. A mail program shows the message within its own. */
const of_pages = ["landmark-one-main", "page-has-heading-one", "region"]

const boxOf = (element: string) => `document.querySelector(${JSON.stringify(element)}).getBoundingClientRect()`

describe.skipIf(!hasChromium)("the message that brings a document", () => {
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
