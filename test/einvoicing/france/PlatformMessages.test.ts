import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { PaymentNotices } from "../../../src/einvoicing/received/PaymentNotices.ts"
import { crossIndustryInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { line } from "../../support/Billing.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { brokenByLifecycle as brokenRules } from "../OfficialMessages.ts"
import { toBuyer, usePlatform } from "./Seller.ts"
import { supplierInvoice as invoice } from "./SupplierInvoice.ts"

const { app, point, seller, told } = await usePlatform()

const services = Layer.merge(Inbox.layer, PaymentNotices.layer).pipe(Layer.provide(ConnectedProviders))
const collect = () => app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(services)))

/** Moves the time past the moment at which a failed notice is tried again. */
const elapse = () =>
  app.inDatabase("update received_documents set payment_tried_at = payment_tried_at - interval '6 minutes'")

const tellPayments = () => app.run(PaymentNotices.use(({ send }) => send).pipe(Effect.provide(services)))

/** The messages that the organization has sent; the archive must contain each of them. */
const left = () =>
  point.sent("CDAR").map(({ file }) => {
    const text = file.toString()
    const code = /ConditionCode>([^<]+)/.exec(text)?.[1] ?? ""
    const type = code === "211" ? "payment_status" : "lifecycle_status"
    return { number: /IssuerAssignedID>([^<]+)/.exec(text)?.[1], type, code, sha256: sha256(file) }
  })

const received = async () => {
  const books = await seller()
  const list = async () => (await books.call("GET", "/einvoicing/received?sort=id")).body.data
  /** The archived exchanges about a document of a supplier: number, type, status code and hash of the bytes. */
  const archived = () =>
    app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ number: string; type: string; code: string; sha256: string }>`
          select t.number, t.type, t.code, o.sha256 from archive_transmissions t
          join archive_objects o on o.organization_id = t.organization_id and o.id = t.object_id
          where t.organization_id = ${books.id} and t.direction = 'outbound' order by t.position`
      )
    )
  return { ...books, list, archived }
}

describe("a document that a supplier sends to the organization", () => {
  it("is archived byte for byte in any syntax, listed once and taken in charge", async () => {
    const { archived, call, list } = await received()
    const files = [
      point.receive(invoice("F-1")),
      point.receive(crossIndustryInvoice(), "CII"),
      point.receive("<broken", "Factur-X")
    ]
    await collect()
    await collect()
    const listed = await list()
    expect(listed.map((one: { sha256: string }) => one.sha256)).toEqual(files.map(({ file }) => sha256(file)))
    expect(listed.map(({ syntax }: { syntax: string | null }) => syntax)).toEqual(["ubl", "cii", null])
    expect(listed[0]).toMatchObject({ number: "F-1", provider: "fr_ctc", environment: "production" })
    const { id } = listed[0]
    const { id: expense_id } = (await call("POST", `/einvoicing/received/${id}/create-expense`, {})).body.data
    const expense = (await call("GET", `/expenses/${expense_id}`)).body.data
    expect([expense.amount, expense.reference]).toEqual([listed[0].total, "F-1"])
    const [message] = point.sent("CDAR")
    expect(message?.file.toString()).toContain("<ram:ProcessConditionCode>204<")
    expect(brokenRules(message?.file ?? Buffer.alloc(0))).toEqual([])
    expect([left().length, await archived()]).toEqual([1, left()])
  })

  it("is approved and refused by life cycle messages, once each", async () => {
    const { archived, call, list } = await received()
    point.receive(invoice("F-1"))
    point.receive(invoice("F-2"))
    point.receive(invoice("F-3"))
    await collect()
    const [first, second, third] = await list()
    const answer = (id: number, verb: string, body?: object) => call("POST", `/einvoicing/received/${id}/${verb}`, body)
    point.faults.push("reset_after")
    expect((await answer(first.id, "accept")).status).toBe(503)
    expect((await answer(first.id, "accept")).body.data.status).toBe("accepted")
    expect((await answer(second.id, "refuse", { reason: "DOUBLE_FACT: already invoiced" })).status).toBe(200)
    point.faults.push("reset_after")
    expect((await answer(third.id, "refuse", { reason: "The goods were not ordered." })).status).toBe(503)
    // The first refusal reached the platform, although its answer was lost. This second refusal is therefore not sent.
    expect((await answer(third.id, "refuse", { reason: "DOUBLON" })).status).toBe(200)
    const messages = point
      .sent("CDAR")
      .map(({ file }) => file)
      .slice(3)
    expect(
      messages.map((file) => [
        /IssuerAssignedID>([^<]+)/.exec(file.toString())?.[1],
        /ConditionCode>([^<]+)/.exec(file.toString())?.[1],
        /ReasonCode>([^<]+)/.exec(file.toString())?.[1]
      ])
    ).toEqual([
      ["F-1", "205", undefined],
      ["F-2", "210", "DOUBLE_FACT"],
      ["F-3", "210", "NON_CONFORME"]
    ])
    for (const file of messages) expect(brokenRules(file)).toEqual([])
    expect([left().length, await archived()]).toEqual([6, left()])
  })

  it("reports the reason when the platform refuses an answer", async () => {
    const { call, list } = await received()
    point.receive(invoice("F-1"))
    await collect()
    const [{ id }] = await list()
    point.state.ack = {
      status: "Error",
      details: [{ level: "Error", item: "status", reasonCode: "InvoiceLCInvalidStatus", reasonMessage: "Too late." }]
    }
    const { body, status } = await call("POST", `/einvoicing/received/${id}/accept`)
    expect([status, body.code, body.message]).toEqual([422, "answer_refused", "Too late."])
  })

  it("arrives although an earlier one is dated in the future", async () => {
    const { list } = await received()
    point.receive(invoice("F-1")).updatedAt = "2099-01-01T00:00:00.000Z"
    await collect()
    point.receive(invoice("F-2"))
    await collect()
    expect((await list()).map(({ number }: { number: string }) => number)).toEqual(["F-1", "F-2"])
  })

  it("arrives although times or other fields of its page cannot be read", async () => {
    const { list } = await received()
    point.receive(invoice("F-1")).submittedAt = "soon"
    point.receive(invoice("F-2")).updatedAt = "soon"
    point.receive(invoice("F-3"))
    point.state.odd = [{ flowId: null }, "flow"]
    await collect()
    point.state.odd = []
    expect((await list()).map(({ number }: { number: string }) => number).toSorted()).toEqual(["F-1", "F-2", "F-3"])
  })

  it("is stored although the platform requests a pause at the next one", async () => {
    const { list } = await received()
    point.receive(invoice("F-1"))
    point.state.lost.set(point.receive(invoice("F-2")).flowId, 429)
    await collect()
    expect((await list()).map(({ number }: { number: string }) => number)).toEqual(["F-1"])
  })

  it("is not requested after three others in a row that the platform does not answer, which counts as an outage", async () => {
    const { call, list } = await received()
    for (let count = 0; count < 5; count++) point.state.lost.set(point.receive(invoice("F-1")).flowId, "silent")
    point.state.silences = 0
    await collect()
    expect([point.state.silences, await list()]).toEqual([3, []])
    const { data } = (await call("GET", "/einvoicing/providers")).body
    const connected = data.find(({ code }: { code: string }) => code === "fr_ctc")
    expect(connected.connection.last_error).toEqual(expect.any(String))
    point.receive(invoice("F-2"))
    await collect()
    expect([point.state.silences, await list()]).toMatchObject([5, [{ number: "F-2" }]])
  })

  it("arrives although another one cannot be downloaded, and the platform forgets the page to go on with", async () => {
    const { list } = await received()
    point.state.page_max = 1
    const numbers = Array.from({ length: 12 }, (_, index) => `F-${index + 1}`)
    const [first] = numbers.map((number) => point.receive(invoice(number)))
    point.state.lost.set(first?.flowId ?? "", 500)
    const count = async () => (await list()).length
    await collect()
    expect(await count()).toBe(9)
    point.state.isForgetful = true
    await collect()
    point.state.isForgetful = false
    point.state.page_max = 100
    expect(await count()).toBe(9)
    await collect()
    expect(await count()).toBe(11)
    point.state.lost.clear()
    // The platform is asked again for a file that it lost only after a pause.
    await collect()
    expect(await count()).toBe(11)
    await app.inDatabase("update incoming_flows set retry_at = now() where taken_at is null")
    await collect()
    expect((await list()).map(({ number }: { number: string }) => number).toSorted()).toEqual(numbers.toSorted())
  })
})

it("a status causes a poll of its document, which shows the status although no regular poll is planned", async () => {
  const books = await seller()
  const { id, number, status, transmit } = await books.sent()
  expect(await transmit()).toBe("done")
  await app.inDatabase(`update einvoices set next_poll_at = null where id = ${id}`)
  const { flowId } = told({ number, code: "203" })
  for (let run = 0; run < 2; run++) await collect()
  const orders = `select organization_id from jobs where queue_name = 'einvoices.extra-poll' and id = '${id}:${flowId}'`
  expect(await app.inDatabase(orders)).toEqual([{ organization_id: books.id }])
  await books.followExtra(id)
  expect(await status()).toMatchObject({ status: "delivered", network_status: "203" })
})

describe("a payment", () => {
  it("for services is reported by the seller once, by rate, with the message as evidence", async () => {
    const books = await seller()
    const [standard, reduced] = books.tax_rate_ids
    const items = [line(100, { tax_rate_ids: [standard] }), line(200, { tax_rate_ids: [reduced] })]
    const draft = await books.draft({ operation_nature: "mixed", items })
    const { id, invoice_id, number } = await books.submitted(draft, toBuyer)
    await books.transmit(id)
    told({ number, code: "203" })
    await books.follow(id)
    await books.pay(await books.invoice(invoice_id), 100)
    await books.pay(await books.invoice(invoice_id))
    await books.follow(id)
    await books.follow(id)
    const messages = point.sent("CDAR").map(({ file }) => file)
    expect(
      messages.map((file) =>
        [...file.toString().matchAll(/Amount currencyID="EUR">([^<]+)<.*?Percent>([^<]+)</g)].map(([, ...of]) => of)
      )
    ).toEqual([
      [
        ["36.25", "20"],
        ["63.75", "5.5"]
      ],
      [
        ["83.75", "20"],
        ["147.25", "5.5"]
      ]
    ])
    for (const file of messages) expect(brokenRules(file)).toEqual([])
    expect((await books.at(id)).body.data).toMatchObject({ status: "delivered", network_status: "212" })
    const { receipts } = (await books.at(id, "/evidence")).body.data
    const reported = receipts.filter(({ type }: { type: string }) => type === "payment_status")
    expect(reported.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(messages.map(sha256))
  })

  it("to a supplier is reported once, as soon as the expense is paid, with the amount", async () => {
    const { archived, call, list, made } = await received()
    const numbers = ["F-1", "F-2", "F-3"]
    for (const number of numbers) point.receive(invoice(number))
    await collect()
    const listed: ReadonlyArray<{ id: number; total: number }> = await list()
    const [first, refused, open] = listed
    const expensed = await Promise.all(
      listed.map(async ({ id }) => (await made("POST", `/einvoicing/received/${id}/create-expense`, {})).id)
    )
    await tellPayments()
    expect(point.sent("CDAR")).toHaveLength(3)
    await made("POST", `/einvoicing/received/${refused?.id}/refuse`, { reason: "DOUBLON" })
    await made("POST", `/expenses/${expensed[1]}/mark-paid`, {})
    await made("POST", `/expenses/${expensed[0]}/mark-paid`, {})
    point.faults.push("reset_after")
    await tellPayments()
    expect(await archived()).toHaveLength(4)
    await tellPayments()
    expect(await archived()).toHaveLength(4)
    await elapse()
    await tellPayments()
    await tellPayments()
    const messages = point.sent("CDAR").slice(4)
    expect(messages.map(({ file }) => /TypeCode>MPA<.*?currencyID="EUR">([^<]+)</.exec(file.toString())?.[1])).toEqual([
      first?.total.toFixed(2)
    ])
    for (const { file } of messages) expect(brokenRules(file)).toEqual([])
    expect((await archived()).at(-1)).toMatchObject({ number: "F-1", type: "payment_status", code: "211" })
    expect(await archived()).toEqual(left())
    expect((await call("GET", `/einvoicing/received/${open?.id}`)).body.data.status).toBe("received")
  })

  it("to a supplier is reported although the report of another one keeps failing", async () => {
    const { archived, list, made } = await received()
    for (const number of ["F-1", "F-2"]) point.receive(invoice(number))
    await collect()
    for (const { id } of await list()) {
      const { id: expense_id } = await made("POST", `/einvoicing/received/${id}/create-expense`, {})
      await made("POST", `/expenses/${expense_id}/mark-paid`, {})
    }
    point.faults.push("down")
    await tellPayments()
    expect(await archived()).toHaveLength(2)
    await tellPayments()
    expect((await archived()).slice(2)).toMatchObject([{ number: "F-2", code: "211" }])
    expect(await archived()).toEqual(left())
  })

  it("for goods is not reported", async () => {
    const books = await seller()
    const { id, invoice_id, number } = await books.submitted(await books.draft({ operation_nature: "goods" }), toBuyer)
    await books.transmit(id)
    told({ number, code: "203" })
    await books.follow(id)
    await books.pay(await books.invoice(invoice_id))
    await books.follow(id)
    expect(point.sent("CDAR")).toEqual([])
  })
})
