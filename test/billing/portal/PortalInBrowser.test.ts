import { mkdirSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type Page, hasChromium, withPage } from "../../support/Chromium.ts"
import { smtp } from "../../support/Mail.ts"
import { type Books, line, useBilling } from "../../support/Billing.ts"

const mails = await smtp()
const { open } = useBilling(mails.settings)

/** Where to leave the screenshots, for whoever wants to look at them. */
const folder = process.env["SCREENSHOTS"]
const keep = async (page: Page, name: string) => {
  const image = await page.screenshot()
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.png`, image)
}

const items = [
  line("19.99", { quantity: "3", discount: "10", description: "Beratung vor Ort\nmit Anfahrt und Übernachtung" }),
  line("1234567.89", { quantity: "2.5", unit: "hour" }),
  line("0.0125", { quantity: "100000", description: "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" })
]

const linkOf = async (books: Books, path: string) => {
  await books.made("POST", `${path}/send`, { recipients: "a@beta.eu", attach_pdf: false })
  return mails.received.at(-1)?.link ?? ""
}

const organization = async () => {
  const books = await open({ name: "Brouwerij De Zwaan" })
  await books.made("PUT", `/organizations/${books.id}`, {
    address_line1: "Gracht 1",
    postal_code: "9000",
    city: "Gent",
    tax_number: "BE0202239951",
    contact_email: "office@zwaan.be",
    settings: [{ key: "payment_iban", value: "BE68539007547034" }]
  })
  await books.made("PUT", `/customers/${books.customer_id}`, {
    address_line1: "Sehr lange Straße des siebzehnten Juni 123 b",
    postal_code: "10115",
    city: "Berlin",
    country: "DE",
    language: "de"
  })
  return books
}

/** Nothing wider than the window, and nothing that a finger cannot hit. */
const layoutOf = (page: Page) =>
  page.evaluate(`({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    cut: [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length,
    small: [...document.querySelectorAll("main button, main .button")].filter((e) => {
      const { height, width } = e.getBoundingClientRect()
      return width > 0 && (height < 44 || width < 44)
    }).length
  })`)

describe.skipIf(!hasChromium)("The document portal in a browser", () => {
  it.each([360, 1280])(
    "is readable at %i px",
    async (width) => {
      const books = await organization()
      const { id } = await books.draft({ items, notes: "Vielen Dank.\nBis bald!", terms: "Zahlbar in 30 Tagen." })
      const invoice = await linkOf(books, `/invoices/${id}`)
      const { due_date: _, ...body } = books.body({ items, valid_until: "2999-03-31" })
      const quote = await linkOf(books, `/quotes/${(await books.made("POST", "/quotes", body)).id}`)
      await withPage(async (page) => {
        await page.resize(width)
        for (const [name, url] of [
          ["invoice", invoice],
          ["quote", quote],
          ["unknown", `${quote}x`]
        ] as const) {
          await page.open(url)
          await keep(page, `${name}-${width}`)
          expect(await layoutOf(page)).toEqual({ overflow: 0, cut: 0, small: 0 })
          expect(await page.evaluate("getComputedStyle(document.body).margin")).toBe("0px")
        }
      })
    },
    200_000
  )

  it("is used with the keyboard alone to decline a quote, with a reason", async () => {
    const books = await organization()
    const { due_date: _, ...body } = books.body({ valid_until: "2999-03-31" })
    const { id } = await books.made("POST", "/quotes", body)
    const url = await linkOf(books, `/quotes/${id}`)
    await withPage(async (page) => {
      await page.open(url)
      const focused = () =>
        page.evaluate("document.activeElement?.tagName + ' ' + document.activeElement?.textContent.trim()")
      const tabTo = async (text: string) => {
        for (let press = 0; press < 12; press++) {
          await page.press("Tab")
          if (String(await focused()).includes(text)) return
        }
        throw new Error(`The keyboard does not reach ${text}.`)
      }
      await page.press("Tab")
      expect(await focused()).toContain("Zum Inhalt")
      await tabTo("PDF herunterladen")
      await tabTo("Angebot annehmen")
      await tabTo("Lieber ablehnen")
      await page.press(" ")
      await tabTo("TEXTAREA")
      await page.type("Zu teuer")
      await tabTo("Angebot ablehnen")
      await page.press("Enter", { loads: true })
      expect(await page.evaluate("document.querySelector('[role=status]')?.textContent")).toBe(
        "Sie haben dieses Angebot abgelehnt."
      )
      await keep(page, "declined")
    })
    expect(await books.made("GET", `/quotes/${id}`)).toMatchObject({ status: "rejected", rejection_reason: "Zu teuer" })
  }, 200_000)
})
