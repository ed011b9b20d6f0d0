import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { line } from "../../support/Billing.ts"
import { supplierInvoice } from "./SupplierInvoice.ts"
import { toBuyer, usePlatform } from "./Seller.ts"

const { app, point, seller, told } = await usePlatform()

const services = Inbox.layer.pipe(Layer.provide(ConnectedProviders))
const collect = () => app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(services)))

const error = (reasonCode: string, reasonMessage: string) => ({
  status: "Error" as const,
  details: [{ level: "Error", item: "status", reasonCode, reasonMessage }]
})
const too_late = error("InvoiceLCInvalidStatus", "Too late.")

const messages = (code: string) => point.sent("CDAR").filter(({ file }) => file.includes(`ConditionCode>${code}<`))

it("an answer that the platform refused is sent again with its new reason, until one is accepted", async () => {
  const { call } = await seller()
  point.receive(supplierInvoice("F-1"))
  await collect()
  const [{ id }] = (await call("GET", "/einvoicing/received")).body.data
  const refuse = (reason: string) => call("POST", `/einvoicing/received/${id}/refuse`, { reason })
  point.state.ack = too_late
  for (let time = 0; time < 2; time++) {
    expect((await refuse("DOUBLON")).body).toMatchObject({ code: "answer_refused", message: "Too late." })
  }
  point.state.ack = { status: "Ok" }
  expect((await refuse("CMD_ERR: not ordered")).status).toBe(200)
  expect((await refuse("DEST_ERR")).body.data.status).toBe("refused")
  const reasons = messages("210").map(({ file }) => /ReasonCode>([^<]+)/.exec(file.toString())?.[1])
  expect(reasons).toEqual(["DOUBLON", "DOUBLON", "CMD_ERR"])
})

/** A seller whose delivered invoice was paid. */
const paid = async () => {
  const books = await seller()
  const items = [line(100, { tax_rate_ids: books.tax_rate_ids.slice(0, 1) })]
  const draft = await books.draft({ operation_nature: "services", items })
  const { id, invoice_id, number } = await books.submitted(draft, toBuyer)
  await books.transmit(id)
  told({ number, code: "203" })
  await books.follow(id)
  await books.pay(await books.invoice(invoice_id))
  const polled = async () => {
    await books.follow(id)
    return (await books.at(id)).body.data.network_status
  }
  return { polled }
}

it("the report of a payment that the platform refused is repeated by the next poll until it is accepted", async () => {
  const { polled } = await paid()
  point.state.ack = too_late
  expect([await polled(), await polled(), messages("212").length]).toEqual(["203", "203", 2])
  point.state.ack = { status: "Ok" }
  expect([await polled(), await polled(), messages("212").length]).toEqual(["212", "212", 3])
})

it("the report of a payment counts only once the platform has checked it", async () => {
  const { polled } = await paid()
  point.state.ack = { status: "Pending" }
  expect([await polled(), await polled()]).toEqual(["203", "203"])
  const [first] = messages("212")
  if (first !== undefined) point.acknowledge(first, too_late)
  expect([await polled(), messages("212").length]).toEqual(["203", 2])
  const second = messages("212")[1]
  if (second !== undefined) point.acknowledge(second, { status: "Ok" })
  expect([await polled(), messages("212").length]).toEqual(["212", 2])
})

it("the report of a payment that the platform already has counts as accepted", async () => {
  const { polled } = await paid()
  point.state.ack = error("AlreadyExistingFlow", "The platform has the file.")
  expect([await polled(), await polled(), messages("212").length]).toEqual(["212", "212", 1])
})
