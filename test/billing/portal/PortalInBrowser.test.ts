import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { type Page, hasChromium, keep, violations, withPage } from "../../support/counterparts/Chromium.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { type Books, line, useBilling } from "../../support/Billing.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

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

/**
 * Counts layout errors: what is wider than the window, too small for a finger, below its label, wrapped or not aligned.
 */
const layoutOf = (page: Page) =>
  page.evaluate(`({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    cut: [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length,
    small: [...document.querySelectorAll("main button, main .button")].filter((e) => {
      const { height, width } = e.getBoundingClientRect()
      return width > 0 && (height < 44 || width < 44)
    }).length,
    ragged: [...document.querySelectorAll("main dl:not(.pairs) > div")].filter(({ firstElementChild, lastElementChild }) =>
      lastElementChild.getBoundingClientRect().top >= firstElementChild.getBoundingClientRect().bottom
    ).length,
    torn: [...document.querySelectorAll(".title h1, .whole, .copied")].filter((e) =>
      !(e.matches(".copied") && /\\s/.test(e.textContent)) && e.offsetHeight > 1.5 * Number.parseFloat(getComputedStyle(e).lineHeight)
    ).length,
    uneven: [...document.querySelectorAll("main dl:not(.pairs)")].filter((list) =>
      new Set([...list.querySelectorAll("dd")].map((e) => Math.round(e.getBoundingClientRect().right))).size > 1
    ).length,
    astray: [...document.querySelectorAll("p.text")].filter((e) => {
      const range = document.createRange()
      range.selectNodeContents(e)
      const [text, box] = [range.getBoundingClientRect(), e.getBoundingClientRect()]
      return (document.dir === "rtl" ? box.right - text.right : text.left - box.left) > 1
    }).length
  })`)

const sound = { overflow: 0, cut: 0, small: 0, ragged: 0, torn: 0, uneven: 0, astray: 0 }

const logo = (width: number, height: number, color: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect rx="9" width="100%" height="100%" fill="${color}"/></svg>`
  )}`

/** Sellers with logos of odd shapes, and with colours that are hard to read. */
const brands = [
  { brand_color: "#ffd400", logo: logo(900, 90, "#ffd400"), language: "de" },
  { brand_color: "#0b1b3f", logo: logo(60, 400, "#0b1b3f"), language: "fr" },
  { brand_color: "#e4007c", logo: null, language: "ar" }
]

const brand = (books: Books, { brand_color, language, logo }: (typeof brands)[number]) =>
  Promise.all([
    books.made("PUT", `/organizations/${books.id}`, {
      logo,
      contact_phone: "+32 9 555 01 23",
      settings: [
        { key: "brand_color", value: brand_color },
        { key: "document_footer", value: "Brouwerij De Zwaan, sinds 1871\nMaandag tot vrijdag, 9 tot 17 uur" },
        { key: "payment_url", value: "https://pay.example/{number}?amount={amount}" },
        { key: "payment_iban", value: "BE68539007547034" }
      ]
    }),
    books.made("PUT", `/customers/${books.customer_id}`, { language })
  ])

const today = () => new Intl.DateTimeFormat("sv", { timeZone: "Europe/Brussels" }).format()

const states = async (books: Books) => {
  const invoice = (changes: object = {}) => books.draft({ items, notes: "Thank you.", ...changes })
  const [open, due, overdue, part, paid, credited, voided] = [
    await invoice(),
    await invoice({ due_date: today() }),
    await invoice({ due_date: "2026-04-01" }),
    await invoice(),
    await invoice(),
    await invoice(),
    await invoice()
  ]
  const links: Record<string, string> = {}
  for (const [name, { id }] of Object.entries({ open, due, overdue, part, paid, credited, voided })) {
    links[name] = await linkOf(books, `/invoices/${id}`)
  }
  const credit = async (body: object) => {
    const note = await books.made("POST", "/credit-notes", { reason: "Bottle broke", ...body })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.eu", attach_pdf: false })
  }
  await books.pay(part, 1000)
  await books.pay(part, 250.5)
  await credit({ invoice_id: part.id, amount: 99 })
  await books.pay(paid)
  await credit({ invoice_id: credited.id, amount: credited.total })
  // Only a deleted draft becomes void, and it seldom has a link, so the test moves another invoice's link to it.
  await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "invoice_number_on", value: "create" }] })
  const numbered = await invoice()
  await books.made("DELETE", `/invoices/${numbered.id}`)
  await app.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.orDie(sql`
        update document_links set document_id = ${numbered.id}
        where organization_id = ${books.id} and document = 'invoice' and document_id = ${voided.id}`)
    )
  )
  return links
}

describe.skipIf(!hasChromium)("The document portal in a browser", () => {
  it.each(brands)(
    "is accessible in every state, width and colour scheme, for the brand $brand_color in $language",
    async (chosen) => {
      const books = await organization()
      await brand(books, chosen)
      const links = await states(books)
      await withPage(async (page) => {
        for (const [width, scheme] of [
          [1280, "light"],
          [360, "dark"]
        ] as const) {
          await page.resize(width)
          await page.scheme(scheme)
          for (const [name, url] of Object.entries(links)) {
            await page.open(url)
            await keep(page, `${chosen.language}-${name}-${width}-${scheme}`)
            expect([name, await violations(page)]).toEqual([name, []])
            expect([name, await layoutOf(page)]).toEqual([name, sound])
          }
        }
      })
    },
    200_000
  )

  it.each([360, 600, 1280])(
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
          expect(await layoutOf(page)).toEqual(sound)
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
