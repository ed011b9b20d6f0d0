import { describe, expect, it } from "vitest"
import { useBilling, line } from "../support/Billing.ts"
import { hasChromium, withPage } from "../support/counterparts/Chromium.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { smtp } from "../support/counterparts/Mail.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

/** The customer follows the link of the message and accepts, in a browser if one is installed. */
const accept = async (link: string): Promise<string> => {
  if (hasChromium) {
    return withPage(async (page) => {
      await page.open(link)
      await page.evaluate(`document.querySelector("button[value=accept]").focus()`)
      await page.press("Enter", { loads: true })
      return String(await page.evaluate("document.body.textContent"))
    })
  }
  const version = /name="version" value="(\d+)"/.exec(await (await fetch(link)).text())?.[1] ?? ""
  const answered = await fetch(link, { method: "POST", body: new URLSearchParams({ answer: "accept", version }) })
  return answered.text()
}

describe("From a quote to cash", () => {
  it("drafts a quote, mails it, has it accepted by its link, invoices it, mails that, and is paid", async () => {
    const books = await open({ name: "Atelier Lumière", country: "FR", timezone: "Europe/Paris", rates: [20, 5.5] })
    await books.made("PUT", `/customers/${books.customer_id}`, {
      email: "office@beta.eu",
      country: "FR",
      language: "fr"
    })
    const { due_date: _, ...body } = books.body({
      valid_until: "2999-12-31",
      items: [line("1200.50", { quantity: 2 }), line("80", { tax_rate_ids: [books.tax_rate_ids[1]] })]
    })
    const draft = await books.made("POST", "/quotes", body)
    expect(draft).toMatchObject({ status: "draft", number: null, total: 2965.6 })

    const sent = await books.made("POST", `/quotes/${draft.id}/send`, { message: "À bientôt" })
    expect(sent).toMatchObject({ status: "sent", number: "QUO-2026-0001" })
    expect(sent.deliveries).toEqual([{ recipient: "office@beta.eu", status: "accepted" }])
    const offer = mails.received.at(-1)
    expect(offer?.header("Subject")).toContain("QUO-2026-0001")
    expect(offer?.raw).toContain("filename=QUO-2026-0001.pdf")

    expect(await accept(offer?.link ?? "")).toContain("Vous avez accepté ce devis.")
    expect(await books.made("GET", `/quotes/${draft.id}`)).toMatchObject({ status: "accepted" })

    const invoice = await books.made("POST", `/quotes/${draft.id}/convert-to-invoice`)
    expect(invoice).toMatchObject({ status: "draft", quote_id: draft.id, total: 2965.6 })
    const issued = await books.made("POST", `/invoices/${invoice.id}/send`)
    expect(issued).toMatchObject({ status: "sent", sent_method: "email", balance_due: 2965.6 })
    const bill = mails.received.at(-1)
    expect(bill?.raw).toContain(`filename=${issued.number}.pdf`)
    expect(await (await fetch(bill?.link ?? "")).text()).toMatch(/Montant à payer<\/p>\s*<p[^>]*><bdi>2.965,60/u)

    await books.pay(issued, 1000)
    await books.pay(await books.invoice(invoice.id))
    expect(await books.invoice(invoice.id)).toMatchObject({ status: "paid", balance_due: 0 })
    expect(await (await fetch(bill?.link ?? "")).text()).toMatch(/Payée/u)
    expect(mails.received.map(({ to }) => to)).toEqual(["office@beta.eu", "office@beta.eu"])

    const { events } = await app.run(verifiedAuditLog(books.id))
    expect(events.map(({ type }) => type)).toEqual([
      "customer.created",
      "customer.updated",
      "quote.created",
      "quote.updated",
      "quote.sent",
      "quote.accepted",
      "invoice.created",
      "quote.updated",
      "invoice.updated",
      "invoice.sent",
      "payment.created",
      "invoice.partially_paid",
      "payment.created",
      "invoice.paid"
    ])
  }, 200_000)
})
