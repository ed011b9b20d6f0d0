import { describe, expect, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"

const { open } = useBilling()

describe("GET /api/v1/credit-notes?search=", () => {
  it("finds a note by the end of its number or order, by its external id, and by its customer", async () => {
    const own = await open()
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Søren", email: "s@beta.eu" })
    const credit = async (changes: object, further: object = {}) => {
      const invoice = await own.issued(changes)
      return own.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "Late", ...further })
    }
    const { id } = await credit({ customer_id }, { purchase_order: "PO-4500/7781", external_id: "crm%17" })
    await credit({})
    const { number } = await own.made("POST", `/credit-notes/${id}/send`, { attach_pdf: false })
    for (const search of [number, number.slice(-4), "po 45007781", "crm%17", "soren"]) {
      for (const more of ["", "&sort=issue_date", "&cursor=", "&status=sent"]) {
        const { data } = (await own.call("GET", `/credit-notes?search=${encodeURIComponent(search)}${more}`)).body
        expect([search, more, data.map((note: { id: number }) => note.id)]).toEqual([search, more, [id]])
      }
    }
    expect((await own.call("GET", "/credit-notes?search=crm_17")).body.meta.total).toBe(0)
  })
})
