import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { ExtraPollQueue } from "../../../src/einvoicing/documents/EinvoiceQueue.ts"
import { EinvoiceFollowUp } from "../../../src/einvoicing/transmissions/EinvoiceFollowUp.ts"
import { PaymentReports } from "../../../src/einvoicing/transmissions/PaymentReports.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { line } from "../../support/Billing.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { brokenByLifecycle as brokenRules } from "../OfficialMessages.ts"
import { toBuyer, usePlatform } from "./Seller.ts"

const { app, point, seller, told } = await usePlatform()

const services = Layer.merge(PaymentReports.layer, EinvoiceFollowUp.layer).pipe(Layer.provideMerge(ConnectedProviders))
const enqueueLate = () => app.run(PaymentReports.use((reports) => reports.enqueueLate).pipe(Effect.provide(services)))

/** Takes an extra poll, as a worker does. */
const takeExtra = () =>
  app.run(
    Effect.gen(function* () {
      const [jobs, { followExtra }] = [yield* Jobs, yield* EinvoiceFollowUp]
      yield* jobs.take(ExtraPollQueue, followExtra)
    }).pipe(Effect.provide(services))
  )

const orders = (id: number) =>
  app.inDatabase(`select id, attempts, state from jobs where queue_name = 'einvoices.extra-poll' and id like '${id}:%'`)

type Seller = Awaited<ReturnType<typeof seller>>

/** A seller whose invoice over 120.00 with tax has been delivered. */
const delivered = async (given: object = {}, meanwhile?: (books: Seller, invoice_id: number) => Promise<unknown>) => {
  const books = await seller()
  const items = [line(100, { tax_rate_ids: books.tax_rate_ids.slice(0, 1) })]
  const { id, invoice_id, number } = await books.submitted(
    await books.draft({ operation_nature: "services", items, ...given }),
    toBuyer
  )
  await books.transmit(id)
  await meanwhile?.(books, invoice_id)
  told({ number, code: "203" })
  await books.follow(id)
  await app.inDatabase("delete from jobs where queue_name = 'einvoices.extra-poll'")
  const pay = (amount: number, payment_date = "2026-03-05"): Promise<{ id: number }> =>
    books.made("POST", "/payments", { invoice_id, amount, payment_date, payment_method: "bank_transfer" })
  const refund = (payment: { id: number }, amount: number) =>
    books.made("POST", `/payments/${payment.id}/refund`, { amount })
  return { ...books, id: id as number, pay, refund }
}

/** The amounts of the messages about payments, each with its day. */
const reported = () => {
  const messages = point.sent("CDAR").map(({ file }) => file)
  for (const file of messages) expect(brokenRules(file)).toEqual([])
  return messages.map((file) => {
    const [, amount, day] = /ValueAmount[^>]*>([^<]+)<.*?format="102">(\d+)<.*?ValuePercent/.exec(parts(file)) ?? []
    return [amount, day]
  })
}
const parts = (file: Buffer) => file.toString().split("SpecifiedDocumentCharacteristic")[1] ?? ""

/** The digests of the archived reports of payments. */
const evidence = async (at: Seller["at"], id: number): Promise<ReadonlyArray<string>> => {
  const { receipts } = (await at(id, "/evidence")).body.data
  return receipts
    .filter(({ type }: { type: string }) => type === "payment_status")
    .map((receipt: { sha256: string }) => receipt.sha256)
}

/** Tells whether the message about a payment goes to the buyer and to the portal of the state. */
const recipients = async (settings: Readonly<Record<string, string>>) => {
  const { follow, id, pay } = await delivered({}, ({ reconnect }) => app.run(reconnect(settings)))
  await pay(120)
  await follow(id)
  expect(reported()).toEqual([["120.00", "20260305"]])
  const message = point.sent("CDAR")[0]?.file.toString() ?? ""
  return ["<ram:RoleCode>BY<", "<ram:Name>PPF<"].map((recipient) => message.includes(recipient))
}

describe("the report of a payment (212)", () => {
  it("states the day on which the money arrived, and the amount without the refunds until then", async () => {
    const { follow, id, pay, refund } = await delivered()
    await refund(await pay(60, "2026-03-31"), 60)
    await refund(await pay(60, "2026-03-31"), 20.5)
    await follow(id)
    expect(reported()).toEqual([["39.50", "20260331"]])
    await refund(await pay(30), 30)
    await follow(id)
    expect(reported()).toHaveLength(1)
  })

  it("is also made, once, for money that arrived before the invoice, on the day of the invoice", async () => {
    const { follow, id, pay } = await delivered({ prepaid_amount: 50 })
    expect(reported()).toEqual([["50.00", "20260301"]])
    await pay(70)
    for (let poll = 0; poll < 2; poll++) await follow(id)
    expect(reported()).toEqual([
      ["50.00", "20260301"],
      ["70.00", "20260305"]
    ])
  })

  it("states of the money that arrived before the invoice only what was not refunded until then", async () => {
    await delivered({ prepaid_amount: 50 }, async ({ made }, invoice_id) => {
      const note = await made("POST", "/credit-notes", { invoice_id, amount: 120, reason: "Cancelled" })
      await made("POST", `/credit-notes/${note.id}/send`, { recipients: ["ap@beta.fr"], attach_pdf: false })
      await made("POST", `/invoices/${invoice_id}/refund`, { amount: 20 })
    })
    expect(reported()).toEqual([["30.00", "20260301"]])
  })

  it("is not made for goods that were paid before the invoice, because their tax is not due on payment", async () => {
    await delivered({ prepaid_amount: 120, operation_nature: "goods" })
    expect(reported()).toEqual([])
  })

  it("also goes to the state, unless the seller owes VAT on services when they are invoiced", async () => {
    expect(await recipients({})).toEqual([true, true])
    expect(await recipients({ vat_on_debits: "yes" })).toEqual([true, false])
    // The invoice is dated 2026-03-01.
    expect(await recipients({ vat_on_debits: "2026-03-01" })).toEqual([true, false])
    expect(await recipients({ vat_on_debits: "2026-04-01" })).toEqual([true, true])
  })

  it("is made for a payment after the last planned poll, once", async () => {
    const { id, pay } = await delivered()
    await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
    const { id: payment_id } = await pay(120)
    for (let run = 0; run < 2; run++) await enqueueLate()
    expect(await orders(id)).toMatchObject([{ id: expect.stringContaining(`${id}:payment:${payment_id}:`) }])
    await takeExtra()
    expect(reported()).toEqual([["120.00", "20260305"]])
    await enqueueLate()
    expect(await orders(id)).toMatchObject([{ state: "completed" }])
  })

  it("is found checked by the poll of the next day, if the platform checks it after the extra poll", async () => {
    const { at, id, pay } = await delivered()
    await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
    await pay(120)
    point.state.ack = { status: "Pending" }
    await enqueueLate()
    await takeExtra()
    const status = async () => (await at(id)).body.data.network_status
    expect([reported().length, await status()]).toEqual([1, "203"])
    for (const flow of point.sent("CDAR")) point.acknowledge(flow, { status: "Ok" })
    await app.inDatabase("update jobs set id = id || ' of yesterday' where queue_name = 'einvoices.extra-poll'")
    await enqueueLate()
    await takeExtra()
    expect([reported().length, await status()]).toEqual([1, "212"])
  })

  it("stays in the history and in the archive if its money is refunded before the platform has checked it", async () => {
    const { at, follow, id, pay, refund } = await delivered()
    point.state.ack = { status: "Pending" }
    const payment = await pay(120)
    for (let poll = 0; poll < 2; poll++) await follow(id)
    await refund(payment, 120)
    const [flow = expect.fail()] = point.sent("CDAR")
    point.acknowledge(flow, { status: "Ok" })
    await follow(id)
    expect(reported()).toEqual([["120.00", "20260305"]])
    expect(await evidence(at, id)).toEqual([sha256(flow.file)])
    const { history } = (await at(id, "/status")).body.data
    expect(history.at(-1)).toMatchObject({ code: null, source: "service" })
  })

  it("is archived once if the platform has checked it later, and so is the one that replaces a refused one", async () => {
    const { at, follow, id, pay } = await delivered()
    point.state.ack = { status: "Pending" }
    await pay(120)
    await follow(id)
    for (const flow of point.sent("CDAR")) {
      point.acknowledge(flow, {
        status: "Error",
        details: [{ level: "Error", item: "", reasonCode: "E", reasonMessage: "No" }]
      })
    }
    await follow(id)
    for (const flow of point.sent("CDAR").slice(1)) point.acknowledge(flow, { status: "Ok" })
    for (let poll = 0; poll < 2; poll++) await follow(id)
    expect(await evidence(at, id)).toEqual(point.sent("CDAR").map(({ file }) => sha256(file)))
    expect(reported()).toHaveLength(2)
    expect((await at(id)).body.data.network_status).toBe("212")
  })

  it("is ordered by no extra poll while polls are planned, or after its money was refunded", async () => {
    const { id, pay, refund } = await delivered()
    const payment = await pay(60)
    await enqueueLate()
    expect(await orders(id)).toEqual([])
    await refund(payment, 60)
    await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
    await enqueueLate()
    expect(await orders(id)).toEqual([])
  })

  it("is made although the platform asks for pauses for longer than the polls of a minute", async () => {
    const { id, pay } = await delivered()
    await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
    await pay(120)
    await enqueueLate()
    const again = () => app.inDatabase("update jobs set visible_at = now() where queue_name = 'einvoices.extra-poll'")
    point.state.token = "busy"
    for (let attempt = 1; attempt <= 6; attempt++) {
      await takeExtra()
      await again()
    }
    expect(await orders(id)).toMatchObject([{ attempts: 6, state: "pending" }])
    point.state.token = "token-1"
    await app.inDatabase("update provider_connections set paused_until = null")
    await takeExtra()
    expect(reported()).toEqual([["120.00", "20260305"]])
  })
})
