import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

it("keeps messages as files in the outbox when no mail server is configured", async () => {
  const books = await open()
  const { id } = await books.draft()
  const sent = await books.made("POST", `/invoices/${id}/send`, { recipients: "a@beta.eu", attach_pdf: "1" })
  expect(sent).toMatchObject({ status: "sent", deliveries: [{ recipient: "a@beta.eu", status: "accepted" }] })
  const folder = join(app.dataDir, "outbox")
  const [name = "", ...others] = readdirSync(folder)
  expect([name.endsWith(".eml"), others]).toEqual([true, []])
  const text = readFileSync(join(folder, name), "utf8")
  expect(text).toMatch(/^To: a@beta\.eu\r$/m)
  expect(text).toContain("filename=INV-2026-0001.pdf")
})
