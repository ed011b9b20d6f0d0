import { afterAll, describe, expect, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { creditsOf, verifyCredits } from "./Credits.ts"

const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))

describe("credit_note_type_code", () => {
  const french = ["261", "262", "381", "396", "502", "503"]
  const other = ["81", "83", "381", "396", "532"]
  const routes = [
    ["FR", "FR", french, ["81", "83", "532"]],
    ["RE", "FR", french, ["81"]],
    ["FR", "MQ", french, ["532"]],
    ["FR", "BE", other, ["261", "262", "502", "503"]],
    ["BE", "FR", other, ["261"]],
    ["BE", null, other, ["261", "999", "", "381 "]]
  ] as const

  it.each(routes)("from %s to %s accepts the codes of the route", async (seller, customer, allowed, refused) => {
    const own = await open({ country: seller })
    const ownCredits = creditsOf(own)
    if (customer !== null) await own.made("PUT", `/customers/${own.customer_id}`, { country: customer })
    const invoice = await own.issued()
    for (const credit_note_type_code of allowed) {
      expect(await ownCredits.draft(invoice, 0.1, { credit_note_type_code })).toMatchObject({ credit_note_type_code })
    }
    for (const credit_note_type_code of refused) {
      const { body, status } = await ownCredits.ask(invoice, 0.1, { credit_note_type_code })
      expect([status, body.errors]).toEqual([
        422,
        { credit_note_type_code: [`The credit_note_type_code field must be one of: ${allowed.join(", ")}.`] }
      ])
    }
    expect(await own.made("GET", "/credit-notes")).toHaveLength(allowed.length)
  })
})
